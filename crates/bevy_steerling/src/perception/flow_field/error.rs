//! The error type of flow fields.

use core::error::Error;
use core::fmt;

use crate::math::Vector;

/// The reason why a [`FlowField`](crate::perception::flow_field::FlowField) cannot be created.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum FlowFieldError {
    /// The size of a cell is not a finite number above 0.
    Cell(f32),
    /// The clearance is not a finite number of at least 0.
    Clearance(f32),
    /// There is no goal.
    NoGoal,
    /// A goal is not finite.
    Goal(Vector),
    /// The area is empty or not finite.
    Area,
    /// The area has more cells than [`MAX_CELLS`](crate::perception::flow_field::FlowField::MAX_CELLS), or is so far from the origin that
    /// coordinates cannot distinguish its cells.
    TooManyCells,
    /// The number of directions is not the number of columns times a number of rows.
    Directions(usize),
}

impl fmt::Display for FlowFieldError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Cell(cell) => write!(formatter, "expected a cell size above 0, but got {cell}"),
            Self::Clearance(clearance) => write!(formatter, "expected a clearance of at least 0, but got {clearance}"),
            Self::NoGoal => write!(formatter, "expected at least one goal"),
            Self::Goal(goal) => write!(formatter, "expected finite goals, but got {goal}"),
            Self::Area => write!(formatter, "expected an area of finite size above 0"),
            Self::TooManyCells => write!(formatter, "expected larger cells: the area has too many of this size"),
            Self::Directions(count) => {
                write!(formatter, "expected full rows of directions, but got {count} directions")
            }
        }
    }
}

impl Error for FlowFieldError {}
