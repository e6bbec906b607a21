//! Convex regions in which agents stay, and the nearest point in them.

#[cfg(not(dim3))]
mod planar;
mod region;
#[cfg(dim3)]
mod spatial;
#[cfg(test)]
mod tests;
mod wall;

pub use region::Region;
