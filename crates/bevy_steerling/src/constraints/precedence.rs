//! Which of two agents goes first when others hold both of them up.

use crate::constraints::walker::{JAMMED, Walker};
use crate::math::{Vector, normalize};

/// One of two agents is ahead of the other if its distance ahead, along the mean of their preferred directions, exceeds this share of the
/// distance between them.
const AHEAD: f32 = 0.2;

/// Of two agents, the second one steps back if the first one is ahead by at most this share of the distance between them. Two that are
/// nearly side by side can block a gap together.
const BESIDE: f32 = 0.35;

/// An agent that wants at most this share of its max speed does not step back.
const LEAST: f32 = 1e-3;

/// The relation of an agent to another one, if others hold both of them up.
#[derive(Clone, Copy)]
pub(super) struct Precedence {
    /// From −1, if the agent makes way for the other one, to 1, if it goes first. 0 if the two share every gap and every detour.
    pub lead: f32,
    /// Whether the two stand in a jam.
    pub in_jam: bool,
    /// The direction in which the agent steps back if the other one is right beside it.
    pub back: Option<Vector>,
}

impl Precedence {
    /// Two agents that share every gap and every detour.
    const NONE: Self = Self { lead: 0.0, in_jam: false, back: None };

    /// The relation of `me` to an agent at the displacement `to`. In a jam, the one ahead goes first, and of two side by side the one with the
    /// lower id, as of two agents that circle around the same place. The two agree on it.
    #[inline]
    pub fn of(me: &Walker, other: &Walker, to: Vector) -> Self {
        let (circling, jammed) = (me.circling.min(other.circling), me.jammed.min(other.jammed));
        let strength = circling.max(jammed);
        if strength <= 0.0 {
            return Self::NONE;
        }
        let in_jam = jammed > circling;
        let ahead = if in_jam { ahead(me, other, to) } else { 0.0 };
        let goes_first = if ahead.abs() > AHEAD { ahead > 0.0 } else { me.id < other.id };
        let steps_back = in_jam && jammed > JAMMED && ahead.abs() <= BESIDE && !goes_first;
        let wants_to_move = me.preferred.length() > LEAST * me.max_speed;
        let back = (steps_back && wants_to_move).then(|| -normalize(me.preferred));
        Self { lead: if goes_first { strength } else { -strength }, in_jam, back }
    }

    /// The share of a detour around the other agent that is this agent's; `even` if nobody goes first. The shares of both agents add up to 1,
    /// if those that are even do.
    pub fn share_of_detour(&self, even: f32) -> f32 {
        even + (if self.lead > 0.0 { 0.0 } else { 1.0 } - even) * self.lead.abs()
    }
}

/// How far `me` is ahead of an agent at the displacement `to`, along the mean of their preferred directions, as a share of their distance.
/// Negative if it is behind.
fn ahead(me: &Walker, other: &Walker, to: Vector) -> f32 {
    -0.5 * normalize(to).dot(normalize(me.preferred) + normalize(other.preferred))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::SteeringId;

    /// An agent in a jam.
    fn jammed(id: u64, preferred: Vector) -> Walker {
        Walker { preferred, jammed: 1.0, ..Walker::going_on(SteeringId::new(id), Vector::ZERO) }
    }

    #[test]
    fn in_a_jam_the_one_ahead_goes_first_and_of_two_side_by_side_the_one_with_the_lower_id() {
        // Both want to go left, and a little toward each other.
        let aside = Vector::Y * 0.5;
        let (up, down) = (normalize(Vector::NEG_X + aside), normalize(Vector::NEG_X - aside));
        for (id, its_id, to, lead) in
            [(0, 1, Vector::X, 1.0), (0, 1, Vector::NEG_X, -1.0), (0, 1, Vector::Y, 1.0), (1, 0, Vector::Y, -1.0)]
        {
            let (me, other) = (jammed(id, up), jammed(its_id, down));
            let (mine, its) = (Precedence::of(&me, &other, to), Precedence::of(&other, &me, -to));
            assert_eq!((mine.lead, its.lead), (lead, -lead));
            assert_eq!((mine.share_of_detour(0.3), its.share_of_detour(0.7)), (0.5 - 0.5 * lead, 0.5 + 0.5 * lead));
            // Only of two side by side, the second one steps back.
            assert_eq!(
                (mine.back.is_some(), its.back.is_some()),
                (lead < 0.0 && to.x == 0.0, lead > 0.0 && to.x == 0.0)
            );
        }
    }

    #[test]
    fn of_two_nearly_side_by_side_the_one_behind_steps_back_whatever_its_id_and_its_speed() {
        for (ahead, steps_back) in [(0.15, true), (0.3, true), (0.4, false)] {
            for (id, its_id, speed) in [(0, 1, 1.0), (1, 0, 0.1), (0, 1, 0.1)] {
                // The other one is ahead to the left.
                let to = normalize(Vector::NEG_X * ahead + Vector::Y * bevy::math::ops::sqrt(1.0 - ahead * ahead));
                let (me, other) = (jammed(id, Vector::NEG_X * speed), jammed(its_id, Vector::NEG_X));
                let (mine, its) = (Precedence::of(&me, &other, to), Precedence::of(&other, &me, -to));
                let goes_first = ahead < AHEAD && id < its_id;
                assert_eq!((mine.lead > 0.0, its.lead > 0.0), (goes_first, !goes_first));
                assert_eq!(
                    (mine.back.is_some(), its.back.is_some()),
                    (steps_back && !goes_first, steps_back && goes_first)
                );
            }
        }
    }

    #[test]
    fn agents_that_circle_go_in_the_order_of_their_ids_and_nobody_goes_first_before_one_that_is_free() {
        let circles = |id| Walker { circling: 1.0, ..jammed(id, Vector::NEG_X) };
        for to in [Vector::X, Vector::NEG_X, Vector::Y] {
            let precedence = Precedence::of(&circles(0), &circles(1), to);
            assert_eq!((precedence.lead, precedence.in_jam, precedence.back), (1.0, false, None));
            let free = Walker { jammed: 0.0, ..jammed(1, Vector::NEG_X) };
            for (me, other) in [(circles(0), free), (free, circles(0))] {
                assert_eq!(Precedence::of(&me, &other, to).share_of_detour(0.3), 0.3);
            }
        }
    }
}
