use std::io::BufReader;
fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let only = std::env::args().nth(2).unwrap_or_default();
    let most = std::env::args().nth(3).map_or(20000, |m| m.parse().unwrap());
    let mut names: Vec<_> = std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    for path in names {
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        if name.ends_with(".low.rbg") || !name.ends_with(".rbg") || !name.starts_with(&only) {
            continue;
        }
        let t = std::time::Instant::now();
        let rules = match plyproof_rules::rbg::load(&std::fs::read_to_string(&path).unwrap(), &[]) {
            Ok(r) => r,
            Err(e) => {
                println!("{name} {e}");
                continue;
            }
        };
        let t1 = t.elapsed();
        let oracle = std::fs::File::open(path.with_extension("jsonl.gz")).unwrap();
        let r = plyproof_rules::rbg::replay(&rules, BufReader::new(flate2::read::GzDecoder::new(oracle)), most);
        println!("{name} load {t1:?} replay {:?} {r:?}", t.elapsed() - t1);
    }
}
