//! A game in the terminal: what was played so far, and the commands.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use plyproof_engine::{
    Agent, Allowance, AnyGame, Budget, MatchPlayer, Outcome, Player, Registry, Source, Stopped, Wdl,
};
use plyproof_lab::analysis::{Judge, Verdict};
use plyproof_lab::game_files::allowance_text;
use plyproof_lab::levels::Level;
use plyproof_notation::{Format, MoveTree, RecordedGame, result_text};

use super::input::Input;
use super::{Side, board, levels};
use crate::files;
use crate::output::{self, Done, Failure, visible};

/// Who the person plays against.
pub struct Opponent {
    /// As it was named: `level 4`, or an agent.
    pub name: String,
    /// Where its player comes from.
    pub source: Source,
    /// What it may use for a move.
    pub budget: Budget,
}

impl Opponent {
    /// The opponent of a level.
    pub fn of_level(level: Level) -> Result<Self, Failure> {
        let source = Source::from(level.agent().map_err(Failure::failed)?);
        Ok(Self { name: format!("level {}", level.number), source, budget: level.budget() })
    }
}

/// A game that is being played.
pub struct Session<'a> {
    registry: &'a Registry,
    /// The game's own start position.
    own: Box<dyn AnyGame>,
    /// Every position so far, the start position first, and the moves between them.
    positions: Vec<Box<dyn AnyGame>>,
    moves: Vec<String>,
    resigned: Option<Player>,
    opponent: Opponent,
    player: Box<dyn MatchPlayer>,
    judge: Judge,
    side: Side,
    seed: u64,
    color: bool,
    input: Input<'a>,
    /// Whether the opponent waits for the command go, because it was interrupted or a move was taken back.
    waits: bool,
    /// Whether the end of the game was told.
    ended: bool,
}

/// What a command leads to.
enum Next {
    Go,
    Quit,
}

const HELP: &str = "\
a move      play it; its beginning is enough if no other legal move begins so
? or moves  list the legal moves
board       draw the board
undo [N]    take back the last N moves, or your last move and the answer to it
go          let the program move, for whichever side is to move
hint        show the move that a search would play
analyse     show what the last move cost, and what is proven
save FILE   save the game; .sgf, .usi and .kif choose these formats
load FILE   go on with the first game of a file
level L     play against another level
side SIDE   play first, second or both
new         begin again
position    show the position as text
resign      give the game up
help        this list
quit        end the program
";

impl<'a> Session<'a> {
    #[allow(clippy::too_many_arguments, reason = "one caller, which has them all by name")]
    pub fn new(
        registry: &'a Registry,
        start: Box<dyn AnyGame>,
        opponent: Opponent,
        hints: Budget,
        side: Side,
        seed: u64,
        color: bool,
        input: Input<'a>,
    ) -> Result<Self, Failure> {
        let player = opponent.source.player(&*start).map_err(Failure::Misused)?;
        let agent = Agent::parse("plyproof").map_err(Failure::failed)?;
        let own = registry.open(&start.name()).map_err(Failure::misused)?;
        Ok(Self {
            registry,
            own,
            positions: vec![start],
            moves: Vec::new(),
            resigned: None,
            opponent,
            player,
            judge: Judge { agent, budget: hints, seed, solve: Some(Budget::simulations(PROVE)) },
            side,
            seed,
            color,
            input,
            waits: false,
            ended: false,
        })
    }

    fn position(&self) -> &dyn AnyGame {
        // There is always the start position.
        &**self.positions.last().unwrap_or(&self.own)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position().outcome().or(self.resigned.map(|player| Outcome::win(player.other())))
    }

    /// Plays until the person quits or the input ends.
    pub fn run(&mut self) -> Done {
        let side = match self.side {
            Side::First => "you move first",
            Side::Second => "you move second",
            Side::Both => "you move for both sides",
        };
        let name = visible(&self.opponent.name);
        output::print(&format!("{} against {name}; {side}; help lists the commands\n", self.own.name()))?;
        self.begin()?;
        self.draw()?;
        loop {
            if let Some(outcome) = self.outcome() {
                if !std::mem::replace(&mut self.ended, true) {
                    output::print(&format!("the game is over: {outcome}\n"))?;
                }
            } else if !self.waits && !self.side.is(self.position().to_move()) {
                self.answer()?;
                continue;
            }
            let prompt = match self.outcome() {
                Some(_) => "> ".to_string(),
                None => format!("{}. player {}> ", self.moves.len() + 1, self.position().to_move()),
            };
            let Some(line) = self.input.line(&prompt)? else { return Ok(()) };
            if line.is_empty() {
                continue;
            }
            match self.command(&line) {
                Ok(Next::Go) => {}
                Ok(Next::Quit) => return Ok(()),
                // What a person mistypes is told, and the game goes on.
                Err(Failure::Failed(why) | Failure::Misused(why)) => output::print(&format!("{}\n", visible(&why)))?,
                Err(interrupted) => return Err(interrupted),
            }
        }
    }

    fn command(&mut self, line: &str) -> Result<Next, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            // What is a legal move is one, however a command is called.
            _ if self.outcome().is_none() && rest.is_empty() && self.position().own_move(word).is_ok() => {
                self.play(word)?
            }
            "quit" | "exit" => return Ok(Next::Quit),
            "help" => output::print(HELP)?,
            "?" | "moves" => self.list("")?,
            "board" => self.draw()?,
            "position" => output::print(&format!("{}\n", self.position().position_text()))?,
            "undo" => self.undo(rest)?,
            "go" => {
                self.unfinished()?;
                self.answer()?;
            }
            "hint" => self.hint()?,
            "analyse" | "analyze" => self.analyse()?,
            "save" => self.save(rest)?,
            "load" => {
                self.load(Path::new(named(rest, "load")?))?;
                self.draw()?;
            }
            "new" => {
                self.positions.truncate(1);
                self.moves.clear();
                self.begin()?;
                self.draw()?;
            }
            "resign" => {
                self.unfinished()?;
                if self.own.players() != 2 {
                    return Err(Failure::Misused("only in a game for two can a player resign".to_string()));
                }
                self.resigned = Some(match self.side {
                    Side::First => Player::FIRST,
                    Side::Second => Player::SECOND,
                    Side::Both => self.position().to_move(),
                });
            }
            "level" => {
                let level = Level::parse(rest)
                    .map_err(|_| Failure::Misused(format!("a level is a number from {}", levels())))?;
                self.opponent = Opponent::of_level(level)?;
                self.player = self.opponent.source.player(&*self.own).map_err(Failure::Failed)?;
                output::print(&format!("against level {}\n", level.number))?;
            }
            "side" => {
                self.side = match rest {
                    "first" => Side::First,
                    "second" => Side::Second,
                    "both" => Side::Both,
                    _ => return Err(Failure::Misused("a side is first, second or both".to_string())),
                };
                self.waits = false;
            }
            _ => self.complete(line)?,
        }
        Ok(Next::Go)
    }

    /// Begins a game, of which the opponent is told.
    fn begin(&mut self) -> Done {
        (self.resigned, self.waits, self.ended) = (None, false, false);
        let start = &*self.positions[0];
        self.player.new_game(start).map_err(Failure::Failed)?;
        self.moves.iter().for_each(|text| self.player.played(text));
        Ok(())
    }

    fn unfinished(&self) -> Done {
        match self.outcome() {
            Some(_) => Err(Failure::Misused("the game is over; undo, new and load go on".to_string())),
            None => Ok(()),
        }
    }

    fn draw(&self) -> Done {
        let before = self.positions.len().checked_sub(2).map(|place| self.positions[place].board());
        output::print(&format!("\n{}\n", board::draw(before.as_deref(), &self.position().board(), self.color)))
    }

    fn play(&mut self, text: &str) -> Done {
        let mut next = self.position().clone_box();
        let own = next.own_move(text).map_err(Failure::misused)?;
        next.play(&own).map_err(Failure::misused)?;
        self.player.played(&own);
        self.positions.push(next);
        self.moves.push(own);
        self.waits = false;
        self.draw()
    }

    /// Plays the only legal move that begins with `text`, or says which do.
    fn complete(&mut self, text: &str) -> Done {
        self.unfinished()?;
        let legal = self.position().legal_moves();
        let fitting: Vec<&String> = legal.iter().filter(|legal| legal.starts_with(text)).collect();
        match fitting[..] {
            [only] => {
                let only = only.clone();
                self.play(&only)
            }
            [] => Err(Failure::Misused(format!(
                "{} is neither a command nor the beginning of a legal move; help lists the commands, ? the moves",
                plyproof_engine::quoted(text)
            ))),
            _ => self.list(text),
        }
    }

    /// The legal moves that begin with `text`.
    fn list(&self, text: &str) -> Done {
        const MOST: usize = 200;
        let mut legal = self.position().legal_moves();
        legal.retain(|legal| legal.starts_with(text));
        let count = legal.len();
        legal.truncate(MOST);
        if count > MOST {
            legal.push(format!("… ({count} in all; type a beginning to see fewer)"));
        }
        let what = output::counted(count as u64, "legal move", "legal moves");
        output::print(&format!("{what}\n{}", output::wrapped("  ", &legal)))
    }

    /// The opponent moves.
    fn answer(&mut self) -> Done {
        let position = self.position().clone_box();
        let allowance = Allowance { budget: self.opponent.budget.clone(), clock: None };
        let seed = self.seed ^ (self.moves.len() as u64) << 32;
        let (interrupts, player) = (self.input.interrupts(), &mut self.player);
        let chosen = interrupts.during(|stop| player.choose(&*position, &allowance, seed, stop));
        let chosen = match chosen {
            Ok(chosen) => chosen,
            Err(why) => {
                self.waits = true;
                return output::print(&format!("no move: {}\n", visible(&why.why)));
            }
        };
        let Some(text) = chosen.text else {
            self.waits = true;
            return output::print("interrupted before there was a move; go continues\n");
        };
        let mover = position.to_move();
        let proven = match (chosen.bounds.least, chosen.bounds.most) {
            (Wdl::Win, _) => ", and has proven that it wins",
            (_, Wdl::Loss) => ", and knows that it is lost",
            (Wdl::Draw, Wdl::Draw) => ", and has proven a draw",
            _ => "",
        };
        let cut = if chosen.stopped == Some(Stopped::Cancelled) { " (interrupted)" } else { "" };
        output::print(&format!("{}. player {mover} plays {text}{cut}{proven}\n", self.moves.len() + 1))?;
        self.play(&text)
    }

    fn undo(&mut self, rest: &str) -> Done {
        let count = match rest {
            "" => {
                // Back to where the person was to move last.
                let places = (0..self.moves.len()).rev();
                let own = places.clone().find(|&place| self.side.is(self.positions[place].to_move()));
                self.moves.len() - own.unwrap_or(0)
            }
            text => text.parse().ok().filter(|count| (1..=self.moves.len()).contains(count)).ok_or_else(|| {
                Failure::Misused(format!("undo takes a number from 1 to {}", self.moves.len().max(1)))
            })?,
        };
        if self.moves.is_empty() {
            return Err(Failure::Misused("there is no move to take back".to_string()));
        }
        let left = self.moves.len() - count;
        self.moves.truncate(left);
        self.positions.truncate(left + 1);
        self.begin()?;
        self.waits = true;
        self.draw()
    }

    fn hint(&self) -> Done {
        self.unfinished()?;
        let found = self.input.interrupts().during(|stop| self.judge.look(self.position(), stop));
        match found {
            Some(verdict) => output::print(&hint_text(&verdict)),
            None => output::print("interrupted\n"),
        }
    }

    fn analyse(&self) -> Done {
        let (Some(text), Some(place)) = (self.moves.last(), self.positions.len().checked_sub(2)) else {
            return Err(Failure::Misused("there is no move yet; hint looks at the position".to_string()));
        };
        let before = &*self.positions[place];
        let ply = self.moves.len() as u32;
        let found = self.input.interrupts().during(|stop| self.judge.one(ply, before, text, stop));
        let Some((judged, after)) = found else { return output::print("interrupted\n") };
        let mark = judged.mark.map_or("", |mark| mark.text());
        let mut shown = format!("{ply}. {text}{mark} of player {}: value {:+.2}", judged.player, judged.after);
        shown += &judged.proven_after.map_or(String::new(), |value| format!(", a proven {value}"));
        if judged.drop > 0.0 {
            shown += &format!(", {:.2} less than the best move", judged.drop);
        }
        shown.push('\n');
        if judged.thrown_away {
            let was = judged.proven_before.map_or("result", Wdl::word);
            shown += &format!("it gave away a proven {was}\n");
        }
        if let Some(best) = judged.best.filter(|best| best != text) {
            shown += &format!("best was {best} ({:+.2})\n", judged.before);
            shown += &output::wrapped("line  ", self::shown(&judged.line));
        }
        if self.outcome().is_none() {
            shown += &format!("now: {}", hint_text(&after));
        }
        output::print(&shown)
    }

    fn save(&self, rest: &str) -> Done {
        let path = Path::new(named(rest, "save")?);
        let text = files::text(&[self.recorded()?], Format::of_path(path))?;
        files::write(path, &text)?;
        output::print(&format!("saved {}\n", visible(rest)))
    }

    /// The game so far as files have it.
    fn recorded(&self) -> Result<RecordedGame, Failure> {
        let mut game = RecordedGame::from_position(self.own.clone(), self.positions[0].clone());
        let mut header = |name: &str, value: &str| game.headers.set(name, value).map_err(Failure::failed);
        header("Date", &today())?;
        let (agent, budget) = (self.opponent.source.to_string(), allowance_text(&self.opponent.budget));
        for (player, [name, spec, limit]) in [
            (Player::FIRST, ["First", "FirstAgent", "FirstBudget"]),
            (Player::SECOND, ["Second", "SecondAgent", "SecondBudget"]),
        ] {
            if self.side.is(player) {
                header(name, "human")?;
            } else {
                header(name, &format!("plyproof, {}", self.opponent.name))?;
                header(spec, &agent)?;
                header(limit, &budget)?;
            }
        }
        header("Seed", &self.seed.to_string())?;
        if self.resigned.is_some() {
            header("Reason", "resignation")?;
        }
        let mut node = MoveTree::ROOT;
        for text in &self.moves {
            node = game.tree.add(node, text).map_err(Failure::failed)?;
        }
        game.result = self.outcome();
        Ok(game)
    }

    /// Goes on with the first game of a file.
    pub fn load(&mut self, path: &Path) -> Done {
        let mut first = None;
        files::read(self.registry, path, &mut |game| {
            first.get_or_insert(game);
            Ok(())
        })?;
        let Some(game) = first else {
            return Err(Failure::Failed(format!("{} has no game", visible(&path.display().to_string()))));
        };
        let mut position = game.start().clone_box();
        let (mut positions, mut moves) = (vec![position.clone()], Vec::new());
        for text in game.moves() {
            position.play(text).map_err(Failure::failed)?;
            positions.push(position.clone());
            moves.push(text.to_string());
        }
        let player = self.opponent.source.player(&*position).map_err(Failure::Failed)?;
        self.own = game.game().clone_box();
        (self.positions, self.moves, self.player) = (positions, moves, player);
        self.begin()?;
        self.waits = true;
        let (count, result) = (self.moves.len() as u64, result_text(game.result, game.players()));
        let plies = output::counted(count, "ply", "plies");
        output::print(&format!("{}, {plies}, {result}; go lets the program move\n", self.own.name()))
    }
}

/// Positions that the solver may open for a hint.
const PROVE: u64 = 20_000;

/// The name of a file behind a command.
fn named<'t>(rest: &'t str, command: &str) -> Result<&'t str, Failure> {
    if rest.is_empty() { Err(Failure::Misused(format!("{command} needs the name of a file"))) } else { Ok(rest) }
}

fn hint_text(verdict: &Verdict) -> String {
    let Some(best) = &verdict.best else { return format!("value {:+.2}\n", verdict.value) };
    let known = match verdict.bounds.value() {
        Some(value) => format!("a proven {value}"),
        None => format!("value {:+.2}", verdict.value),
    };
    let mut text = format!("{best}, {known} for the player to move\n");
    if verdict.line.len() > 1 {
        text += &output::wrapped("line  ", shown(&verdict.line));
    }
    text
}

/// As much of a line of play as is worth showing.
fn shown(line: &[String]) -> &[String] {
    const MOST: usize = 12;
    &line[..line.len().min(MOST)]
}

/// The date in UTC as `2026-11-18`; empty if the clock is wrong.
fn today() -> String {
    let Ok(since) = SystemTime::now().duration_since(UNIX_EPOCH) else { return String::new() };
    date((since.as_secs() / 86_400) as i64)
}

/// The date so many days after 1970-01-01, by counting years from March on, so that the leap day is the last of a year.
fn date(days: i64) -> String {
    const ERA: i64 = 146_097;
    let from_march = days + 719_468;
    let (era, day) = (from_march.div_euclid(ERA), from_march.rem_euclid(ERA));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let in_month = day - (153 * month + 2) / 5 + 1;
    let calendar = if month < 10 { month + 3 } else { month - 9 };
    format!("{:04}-{calendar:02}-{in_month:02}", year + era * 400 + i64::from(calendar <= 2))
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_are_dates() {
        for (days, text) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_775, "2026-11-18"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), text);
        }
    }
}
