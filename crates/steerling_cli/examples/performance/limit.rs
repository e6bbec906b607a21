//! The limit: the same work without an ECS, on plain arrays, with eight agents in the lanes of a register.
//!
//! All agents have the same limits and weights, the world is that of the scenario, and nothing guards against bad input. Sums are
//! in another order than in the plugin, and directions take one division instead of two, so the motion is equal up to rounding.

mod flock;
mod mixed;
mod orca;
mod seek;

use steerling_scenario::AgentState;
use wide::f32x8;

pub use flock::Flock;
pub use mixed::{Circles, Mixed};
pub use orca::Orca;
pub use seek::Seek;

/// Agents in lanes.
const LANES: usize = 8;

/// Work without an ECS.
pub trait Limit {
    /// Runs one tick. `target` is the point that agents seek.
    fn tick(&mut self, target: [f32; 2]);

    /// Position and velocity of every agent, in the order they were given.
    fn states(&self) -> Vec<[f32; 4]>;
}

/// What all agents have in common.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub max_speed: f32,
    pub max_force: f32,
    /// The length of a tick, s.
    pub tick: f32,
}

impl Body {
    /// The velocity after a tick: `trunc(v + trunc(F, f)·h, s)`
    #[inline(always)]
    fn accelerate(self, velocity: Lanes, force: Lanes) -> Lanes {
        let force = force.truncate(self.max_force);
        (velocity + force * f32x8::splat(self.tick)).truncate(self.max_speed)
    }
}

/// Positions and velocities, an array for each coordinate, padded to whole lanes.
#[derive(Clone, Debug, Default)]
struct Arrays {
    x: Vec<f32>,
    y: Vec<f32>,
    vx: Vec<f32>,
    vy: Vec<f32>,
}

impl Arrays {
    fn new(agents: &[AgentState]) -> Self {
        let column = |coordinate: fn(&AgentState) -> f32| {
            let mut column: Vec<f32> = agents.iter().map(coordinate).collect();
            column.resize(agents.len().next_multiple_of(LANES) + LANES, 0.0);
            column
        };
        Self {
            x: column(|agent| agent.position.x),
            y: column(|agent| agent.position.y),
            vx: column(|agent| agent.velocity.x),
            vy: column(|agent| agent.velocity.y),
        }
    }

    #[inline(always)]
    fn position(&self, at: usize) -> Lanes {
        Lanes { x: load(&self.x, at), y: load(&self.y, at) }
    }

    #[inline(always)]
    fn velocity(&self, at: usize) -> Lanes {
        Lanes { x: load(&self.vx, at), y: load(&self.vy, at) }
    }

    #[inline(always)]
    fn store(&mut self, at: usize, position: Lanes, velocity: Lanes) {
        store(&mut self.x, at, position.x);
        store(&mut self.y, at, position.y);
        store(&mut self.vx, at, velocity.x);
        store(&mut self.vy, at, velocity.y);
    }

    fn state(&self, at: usize) -> [f32; 4] {
        [self.x[at], self.y[at], self.vx[at], self.vy[at]]
    }
}

#[inline(always)]
fn load(column: &[f32], at: usize) -> f32x8 {
    let lanes: &[f32; LANES] = column[at..at + LANES].as_array().expect("as many as asked for");
    f32x8::from(*lanes)
}

#[inline(always)]
fn store(column: &mut [f32], at: usize, lanes: f32x8) {
    column[at..at + LANES].copy_from_slice(&lanes.to_array());
}

/// A vector in each lane.
#[derive(Clone, Copy, Debug)]
struct Lanes {
    x: f32x8,
    y: f32x8,
}

impl Lanes {
    const ZERO: Self = Self { x: f32x8::ZERO, y: f32x8::ZERO };

    #[inline(always)]
    fn splat([x, y]: [f32; 2]) -> Self {
        Self { x: f32x8::splat(x), y: f32x8::splat(y) }
    }

    #[inline(always)]
    fn dot(self, other: Self) -> f32x8 {
        self.x * other.x + self.y * other.y
    }

    /// Never zero, so that it can be a divisor.
    #[inline(always)]
    fn length(self) -> f32x8 {
        self.dot(self).fast_max(f32x8::splat(1e-30)).sqrt()
    }

    #[inline(always)]
    fn normalize(self) -> Self {
        self * (f32x8::ONE / self.length())
    }

    #[inline(always)]
    fn truncate(self, max_length: f32) -> Self {
        self * (f32x8::splat(max_length) / self.length()).fast_min(f32x8::ONE)
    }

    /// Zero in the lanes where the mask is zero.
    #[inline(always)]
    fn masked(self, mask: f32x8) -> Self {
        Self { x: self.x & mask, y: self.y & mask }
    }
}

macro_rules! by_coordinate {
    ($($trait:ident $method:ident $operator:tt),+) => {
        $(impl std::ops::$trait for Lanes {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self { x: self.x $operator other.x, y: self.y $operator other.y }
            }
        })+
    };
}

by_coordinate!(Add add +, Sub sub -);

impl std::ops::Mul<f32x8> for Lanes {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f32x8) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }
}
