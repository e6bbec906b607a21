//! Properties of bodies and obstacles in the plane, for any engine. `engine` in the test that includes this module is the adapter.

mod colliders;
mod crowds;
mod events;
mod motion;
mod shapes;
