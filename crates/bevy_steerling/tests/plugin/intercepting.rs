//! Pursuit with the exact intercept, raced against the proportional prediction after 10,000 quarries on straight lines.

use std::ops::Range;

use bevy_steerling::perception::prediction::intercept_time;

use super::*;

const QUARRIES: usize = 10_000;
const MAX_SPEED: f32 = 100.0;
/// Who has not met its quarry by then counts as having met it then.
const LATEST: f32 = 30.0;
/// Two bodies meet when they come as near as a pursuer moves in a tick.
const REACH: f32 = MAX_SPEED * TICK;

/// How two pursuers of the same quarry fared, from the same start. Times in ticks.
struct Race {
    /// When the meeting was predicted.
    predicted: f32,
    /// How much earlier than at its place they come within reach.
    head_start: f32,
    intercept: f32,
    proportional: f32,
}

/// Races with pursuers whose turning radius `max_speed² · mass / max_force` is a share of the distance to the quarry.
fn races(seed: u64, masses: Range<f32>, turning_radii: Range<f32>) -> Vec<Race> {
    let mut number = numbers(seed);
    let mut between = |range: &Range<f32>| range.start + (range.end - range.start) * number();
    let mut app = app();
    let mut races = Vec::new();
    let mut running = Vec::new();
    for index in 0..QUARRIES {
        let turn = 0.0..std::f32::consts::TAU;
        let distance = between(&(100.0..300.0));
        let to_quarry = Vec2::from_angle(between(&turn)) * distance;
        // Up to the fastest quarry for which the prediction is exact.
        let quarry_velocity = Vec2::from_angle(between(&turn)) * between(&(0.0..0.95)) * MAX_SPEED;
        let start = Velocity(Vec2::from_angle(between(&turn)) * between(&(0.0..1.0)) * MAX_SPEED);
        let mass = between(&masses);
        let max_force = mass * MAX_SPEED * MAX_SPEED / (between(&turning_radii) * distance).max(1e-6);
        let body = SteeringAgent { mass, max_speed: MAX_SPEED, max_force, ..default() };

        let quarry = (SteeringAgent { max_speed: MAX_SPEED, ..default() }, Velocity(quarry_velocity));
        let quarry = app.world_mut().spawn((quarry, Transform::from_translation(to_quarry.extend(0.0)))).id();
        for prediction in [Prediction::Intercept, Prediction::Proportional] {
            let pursuer = app.world_mut().spawn((Pursue::new(quarry).with_prediction(prediction), body, start)).id();
            running.push((index, prediction, pursuer, quarry));
        }
        let predicted = intercept_time(to_quarry, quarry_velocity, MAX_SPEED).expect("it is slower") / TICK;
        // Relative to the quarry, the pursuer covers the distance in the predicted time.
        let head_start = REACH / (distance / predicted);
        races.push(Race { predicted, head_start, intercept: LATEST / TICK, proportional: LATEST / TICK });
    }

    for tick in 1..=(LATEST / TICK) as usize {
        app.update();
        running.retain(|&(index, prediction, pursuer, quarry)| {
            // As near as they came during the tick.
            let apart = position(&app, quarry) - position(&app, pursuer);
            let closing = (velocity(&app, quarry) - velocity(&app, pursuer)) * TICK;
            let back = (apart.dot(closing) / closing.length_squared().max(1e-9)).clamp(0.0, 1.0);
            let met = (apart - closing * back).length() <= REACH;
            if met {
                let race = &mut races[index];
                *if prediction == Prediction::Intercept { &mut race.intercept } else { &mut race.proportional } =
                    tick as f32;
                app.world_mut().despawn(pursuer);
            }
            !met
        });
    }
    races
}

/// The share of races in which the intercept was later by more than a tick, and its mean lead in ticks.
fn late_share_and_lead(races: &[Race]) -> (f32, f32) {
    let late = races.iter().filter(|race| race.intercept > race.proportional + 1.0).count();
    let lead = races.iter().map(|race| race.proportional - race.intercept).sum::<f32>();
    (late as f32 / races.len() as f32, lead / races.len() as f32)
}

#[test]
fn with_force_to_turn_at_once_it_meets_when_predicted_and_never_later_than_proportional() {
    // A heavier body needs several ticks to turn, a lighter one overdoes it, whatever the force.
    let races = races(1, 1.0..1.0, 0.0..1e-9);
    for race in races.iter().filter(|race| race.predicted * TICK < LATEST) {
        let early = race.predicted - race.intercept;
        assert!((-1.0..=race.head_start + 1.0).contains(&early), "{early} ticks early of {}", race.predicted);
    }
    let (late, lead) = late_share_and_lead(&races);
    assert_eq!(late, 0.0);
    assert!(lead > 1.0, "{lead}");
}

#[test]
fn with_a_turning_radius_up_to_a_quarter_of_the_distance_it_is_hardly_ever_later() {
    let (late, lead) = late_share_and_lead(&races(2, 0.5..2.0, 0.0..0.25));
    assert!(late <= 0.01, "later in {late}");
    assert!(lead > 1.0, "{lead}");
}

#[test]
fn with_a_wider_turning_radius_it_is_earlier_too_because_it_knows_its_own_turning() {
    let (late, lead) = late_share_and_lead(&races(3, 0.5..2.0, 0.25..3.0));
    assert!(late <= 0.1, "later in {late}");
    assert!(lead > 1.0, "{lead}");
}
