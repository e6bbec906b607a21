//! The types of what a file describes only in two dimensions, apart from behaviors. In three, each name stands for a type that
//! refuses whatever a file says there.

#[cfg(dim3)]
pub(crate) use in_space::*;
#[cfg(not(dim3))]
pub(crate) use in_the_plane::*;

#[cfg(not(dim3))]
mod in_the_plane {
    pub(crate) use crate::file::gate::Gate;
    pub(crate) use crate::file::limits::Limits;

    /// Whether an agent gets out of dead ends.
    pub(crate) type LeaveDeadEnds = bool;
    /// A direction on the map, rad.
    pub(crate) type Angle = crate::json::number::Finite;
}

#[cfg(dim3)]
mod in_space {
    use crate::json::planar::OnlyInPlane;

    pub(crate) type Gate = OnlyInPlane;
    pub(crate) type Limits = OnlyInPlane;
    pub(crate) type LeaveDeadEnds = OnlyInPlane;
    pub(crate) type Angle = OnlyInPlane;
}
