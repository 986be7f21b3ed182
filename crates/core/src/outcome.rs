//! Who plays, who won, and by how much.

use std::fmt;

/// A seat at the board, counted from 0. Printed from 1, as people count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(u8);

impl Player {
    /// The player who moves first.
    pub const FIRST: Self = Self(0);
    /// The player who moves second.
    pub const SECOND: Self = Self(1);
    /// The largest number of players a game can have.
    pub const MAX: usize = 8;

    /// The player with this seat number, counted from 0.
    ///
    /// # Panics
    /// If `index` is not below [`Player::MAX`].
    pub const fn new(index: usize) -> Self {
        assert!(index < Self::MAX, "a game has at most 8 players");
        Self(index as u8)
    }

    /// The seat number, counted from 0.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The other player of a two-player game.
    #[inline(always)]
    pub const fn other(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// A result from one player's point of view, ordered from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The player lost.
    Loss,
    /// Nobody won, or several share the win.
    Draw,
    /// The player alone won.
    Win,
}

impl Wdl {
    /// +1 for a win, 0 for a draw, -1 for a loss.
    #[inline(always)]
    pub const fn value(self) -> i32 {
        self as i32 - 1
    }

    /// The same result seen by the opponent of a two-player game.
    pub const fn flip(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// `"win"`, `"draw"` or `"loss"`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The worst and the best result still possible for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The player gets at least this.
    pub least: Wdl,
    /// The player gets at most this.
    pub most: Wdl,
}

impl Bounds {
    /// Nothing is proven.
    pub const OPEN: Self = Self { least: Wdl::Loss, most: Wdl::Win };

    /// This is the value.
    pub const fn exactly(value: Wdl) -> Self {
        Self { least: value, most: value }
    }

    /// What both say together.
    pub fn and(self, other: Self) -> Self {
        let both = Self { least: self.least.max(other.least), most: self.most.min(other.most) };
        debug_assert!(both.least <= both.most, "{self:?} and {other:?} contradict each other");
        both
    }

    /// The bounds for the opponent, in a game of two players.
    pub const fn flip(self) -> Self {
        Self { least: self.most.flip(), most: self.least.flip() }
    }

    /// The value, if it is proven.
    pub fn value(self) -> Option<Wdl> {
        (self.least == self.most).then_some(self.least)
    }
}

/// The result of a finished game of up to eight players.
///
/// ```text
///  bit p of `winners` set = player p is among the best; one bit: that player won; more: they drew
///  `margin` = points by which the best are ahead of the next, 0 where a game has no points
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    winners: u8,
    margin: i16,
}

impl Outcome {
    /// Nobody won. In a game of more than two players: all share the result.
    pub const DRAW: Self = Self { winners: u8::MAX, margin: 0 };

    /// `player` alone won.
    #[inline(always)]
    pub const fn win(player: Player) -> Self {
        Self { winners: 1 << player.0, margin: 0 }
    }

    /// `player` won by `margin` points.
    #[inline(always)]
    pub const fn win_by(player: Player, margin: i16) -> Self {
        Self { winners: 1 << player.0, margin }
    }

    /// The result of a two-player game decided by points: the difference, first player's minus second's.
    #[inline(always)]
    pub const fn by_points(difference: i16) -> Self {
        match difference {
            0 => Self::DRAW,
            d if d > 0 => Self::win_by(Player::FIRST, d),
            d => Self::win_by(Player::SECOND, -d),
        }
    }

    /// The players in `winners` (bit p = player p) share the win. An empty set is a draw of all.
    pub const fn shared(winners: u8) -> Self {
        Self { winners: if winners == 0 { u8::MAX } else { winners }, margin: 0 }
    }

    /// The result as `player` sees it.
    #[inline(always)]
    pub const fn of(self, player: Player) -> Wdl {
        let own = 1u8 << player.0;
        if self.winners == own {
            Wdl::Win
        } else if self.winners & own == 0 {
            Wdl::Loss
        } else {
            Wdl::Draw
        }
    }

    /// The only winner, if there is one.
    pub const fn winner(self) -> Option<Player> {
        if self.winners.is_power_of_two() { Some(Player(self.winners.trailing_zeros() as u8)) } else { None }
    }

    /// Points by which the winner is ahead; 0 for a draw and in games without points.
    pub const fn margin(self) -> i16 {
        self.margin
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.winner(), self.margin) {
            (Some(player), 0) => write!(f, "player {player} wins"),
            (Some(player), margin) => write!(f, "player {player} wins by {margin}"),
            (None, _) => f.write_str("draw"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_player_sees_the_result_from_its_own_seat() {
        let won = Outcome::win(Player::SECOND);
        assert_eq!((won.of(Player::FIRST), won.of(Player::SECOND)), (Wdl::Loss, Wdl::Win));
        assert_eq!(Outcome::DRAW.of(Player::FIRST), Wdl::Draw);
        let shared = Outcome::shared(0b101);
        let seen: Vec<_> = (0..3).map(|p| shared.of(Player::new(p))).collect();
        assert_eq!(seen, [Wdl::Draw, Wdl::Loss, Wdl::Draw]);
        assert_eq!(shared.winner(), None);
    }

    #[test]
    fn points_decide_who_won_and_by_how_much() {
        assert_eq!(Outcome::by_points(-8).to_string(), "player 2 wins by 8");
        assert_eq!(Outcome::by_points(3).winner(), Some(Player::FIRST));
        assert_eq!(Outcome::by_points(0), Outcome::DRAW);
        assert_eq!([Wdl::Loss, Wdl::Draw, Wdl::Win].map(Wdl::value), [-1, 0, 1]);
        assert!(Wdl::Win > Wdl::Draw && Wdl::Win.flip() == Wdl::Loss);
    }
}
