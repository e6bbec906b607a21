//! `Contain`.

use bevy_steerling::prelude::*;

use crate::case::Input;
use crate::dimension::block;
use crate::outcome::Outcome;
use crate::stage::*;

/// The margin is the room that the body takes.
pub fn stays_inside(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let (mut body, place, velocity) = agent_of(input);
    body.radius = input.number("margin").unwrap_or_default();
    let corners = input.list("bounds");
    let [min, max] = [0, 1].map(|corner| input.flatten(&corners[corner]));
    let contain = Contain::new(block(max - min)).with_center(0.5 * (min + max));
    let agent = app.world_mut().spawn((contain, body, place, velocity)).id();
    app.update();
    as_expected(input, &app, agent)
}
