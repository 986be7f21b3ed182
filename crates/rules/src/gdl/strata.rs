//! Groups of things that depend on each other in a circle.

/// The strongly connected components of a graph, each after everything that its members lead to.
///
/// `edges(node)` are the places of the neighbours in `targets`. The algorithm is Tarjan's, with a stack of its own.
pub(super) fn components(nodes: usize, starts: &[u32], targets: &[u32]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut number = vec![NEW; nodes];
    let mut low = vec![0u32; nodes];
    let mut on_stack = vec![false; nodes];
    let (mut stack, mut found, mut count) = (Vec::new(), Vec::new(), 0);
    // Nodes that are being looked at, each with the next edge.
    let mut path: Vec<(u32, u32)> = Vec::new();
    for root in 0..nodes as u32 {
        if number[root as usize] != NEW {
            continue;
        }
        path.push((root, starts[root as usize]));
        while let Some(&mut (node, ref mut edge)) = path.last_mut() {
            let place = node as usize;
            if *edge == starts[place] && number[place] == NEW {
                number[place] = count;
                low[place] = count;
                count += 1;
                stack.push(node);
                on_stack[place] = true;
            }
            if *edge < starts[place + 1] {
                let next = targets[*edge as usize];
                *edge += 1;
                if number[next as usize] == NEW {
                    path.push((next, starts[next as usize]));
                } else if on_stack[next as usize] {
                    low[place] = low[place].min(number[next as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&(above, _)) = path.last() {
                low[above as usize] = low[above as usize].min(low[place]);
            }
            if low[place] == number[place] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member as usize] = false;
                    component.push(member);
                    if member == node {
                        break;
                    }
                }
                found.push(component);
            }
        }
    }
    found
}

/// Lists of numbers in one row: those of `i` begin at `starts[i]`.
pub(super) fn rows(count: usize, pairs: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; count + 1];
    pairs.iter().for_each(|&(row, _)| starts[row as usize + 1] += 1);
    (0..count).for_each(|row| starts[row + 1] += starts[row]);
    let (mut next, mut targets) = (starts.clone(), vec![0; pairs.len()]);
    for &(row, target) in pairs {
        targets[next[row as usize] as usize] = target;
        next[row as usize] += 1;
    }
    (starts, targets)
}
