//! Every builder changes the field that it is named after, and nothing else.

use std::fmt::Debug;

use bevy::reflect::structs::Struct;
use bevy::reflect::{Reflect, ReflectRef};
use bevy_steerling::behaviors::avoid_with_feelers::FeelerPush;
use bevy_steerling::behaviors::wander::WanderDrive;

use super::*;

fn fields(value: &dyn Reflect) -> &dyn Struct {
    match value.reflect_ref() {
        ReflectRef::Struct(fields) => fields,
        _ => panic!("{} is a struct", value.reflect_type_path()),
    }
}

/// The names of the fields that differ.
fn differences(one: &dyn Reflect, other: &dyn Reflect) -> Vec<String> {
    let (one, other) = (fields(one), fields(other));
    let differs = |index: &usize| {
        let (one, other) = (one.field_at(*index).unwrap(), other.field_at(*index).unwrap());
        one.reflect_partial_eq(other) == Some(false)
    };
    (0..one.field_len()).filter(differs).map(|index| one.name_at(index).unwrap().to_owned()).collect()
}

#[track_caller]
fn check<T: Reflect + Clone + Debug + PartialEq>(all: &T, builder: &str, changed: &T, back: &T) {
    let expected: &[&str] = match builder {
        "with_circle" => &["distance", "radius"],
        _ => &[builder.strip_prefix("with_").expect("a builder starts with `with_`")],
    };
    assert_eq!(differences(all, changed), expected, "{builder} of {all:?}");
    assert_eq!(back, all, "{builder}");
}

/// Checks builders of a value, each with two sets of arguments.
macro_rules! check_builders {
    ($start:expr; $($builder:ident($($one:expr),+; $($other:expr),+)),+ $(,)?) => {
        // With all fields set, so that a builder that loses one is noticed.
        let all = $start$(.$builder($($one),+))+;
        $(
            let changed = all.clone().$builder($($other),+);
            check(&all, stringify!($builder), &changed, &changed.clone().$builder($($one),+));
        )+
    };
}

#[test]
fn a_builder_sets_its_field_and_keeps_the_others() {
    let [one, other] = [GroupMask::bit(3), GroupMask::bit(5)];
    let target = Vec2::new(1.0, 2.0);
    let [fixed, intercept] = [Prediction::Fixed(2.0), Prediction::Intercept];
    check_builders!(Alignment::default(); with_radius(5.0; 6.0), with_field_of_view(1.0; 2.0), with_groups(one; other),
        with_max_neighbors(3; 4), with_weight(2.0; 3.0));
    check_builders!(Arrive::new(target); with_slowing_radius(5.0; 6.0), with_arrival_tolerance(1.0; 2.0),
        with_weight(2.0; 3.0));
    check_builders!(AvoidNeighbors::default(); with_time_horizon(1.0; 3.0), with_groups(one; other),
        with_weight(0.5; 0.7));
    check_builders!(AvoidObstacles::default(); with_look_ahead(5.0; 6.0), with_max_avoid_force(7.0; 8.0),
        with_layers(one; other), with_leave_dead_ends(true; false), with_weight(0.5; 0.7));
    check_builders!(AvoidWithFeelers::default(); with_look_ahead(5.0; 6.0), with_max_avoid_force(7.0; 8.0),
        with_push(FeelerPush::Lateral; FeelerPush::Radial),
        with_layers(one; other), with_weight(2.0; 3.0));
    check_builders!(BodyLimits::default(); with_max_turn_rate(1.0; 2.0), with_min_turning_radius(3.0; 4.0),
        with_max_acceleration(5.0; 6.0), with_max_braking(7.0; 8.0), with_reverse_speed(9.0; 10.0));
    check_builders!(ClassicQueue::new(ClassicQueueStyle::BrakeAndSeparate); with_look_ahead(5.0; 6.0),
        with_radius(7.0; 8.0), with_brake(0.5; 0.6), with_kept_velocity(0.2; 0.3),
        with_separation(Separation::default().with_radius(3.0); Separation::default().with_radius(4.0)),
        with_weight(0.5; 0.7));
    check_builders!(Cohesion::default(); with_radius(5.0; 6.0), with_field_of_view(1.0; 2.0), with_groups(one; other),
        with_max_neighbors(3; 4), with_weight(2.0; 3.0));
    check_builders!(Contain::new(Circle::new(9.0)); with_center(target; Vec2::X), with_rotation(1.0; 2.0),
        with_look_ahead(5.0; 6.0), with_weight(0.5; 0.7));
    check_builders!(Evade::new(target); with_prediction(fixed; intercept), with_max_prediction(1.0; 2.0),
        with_panic_distance(3.0; 4.0), with_weight(2.0; 3.0));
    check_builders!(Face::new(target); with_turn_rate(1.0; 2.0));
    check_builders!(FaceVelocity::default(); with_turn_rate(1.0; 2.0));
    check_builders!(Flee::new(target); with_panic_distance(3.0; 4.0), with_weight(2.0; 3.0));
    let part = FlockPart::default();
    check_builders!(part; with_radius(5.0; 6.0), with_field_of_view(1.0; 2.0), with_strength(3.0; 4.0));
    check_builders!(Flock::default(); with_separation(part.with_radius(5.0); part.with_radius(6.0)),
        with_alignment(part.with_strength(5.0); part.with_strength(6.0)),
        with_cohesion(part.with_field_of_view(1.0); part.with_field_of_view(2.0)), with_groups(one; other),
        with_max_neighbors(3; 4), with_weight(2.0; 3.0));
    let all = Flock::default().with_groups(one).with_max_neighbors(3).with_weight(2.0);
    assert_eq!(differences(&all, &all.clone().with_radius(5.0)), ["separation", "alignment", "cohesion"]);
    let [here, there] = [1, 2].map(|index| Entity::from_raw_u32(index).unwrap());
    check_builders!(FollowField::new(here); with_stop(true; false), with_weight(2.0; 3.0));
    check_builders!(FollowLeader::new(there); with_distance(5.0; 6.0), with_spacing(7.0; 8.0), with_weight(2.0; 3.0));
    check_builders!(FollowPath::new([Vec2::ZERO, target]); with_end(PathEnd::Loop; PathEnd::PingPong),
        with_radius(5.0; 6.0), with_visit(PathVisit::Every; PathVisit::Lane), with_weight(2.0; 3.0));
    check_builders!(FollowWall::new(ObstacleSide::Left, 9.0); with_reach(5.0; 6.0), with_layers(one; other),
        with_weight(2.0; 3.0));
    check_builders!(Formation::new(Pattern::Line); with_spacing(5.0; 6.0),
        with_succession(Succession::Dissolve; Succession::HandOver), with_layers(one; other));
    check_builders!(Hide::new(target); with_distance(5.0; 6.0), with_slowing_radius(7.0; 8.0),
        with_prediction(fixed; intercept), with_panic_distance(3.0; 4.0), with_layers(one; other),
        with_weight(2.0; 3.0));
    check_builders!(Hold::at(target); with_weight(2.0; 3.0));
    check_builders!(Interpose::new(target, Vec2::X); with_slowing_radius(7.0; 8.0), with_prediction(fixed; intercept),
        with_weight(2.0; 3.0));
    check_builders!(Knockback::new(target); with_time_constant(1.0; 2.0));
    check_builders!(MatchVelocity::new(there); with_weight(2.0; 3.0));
    check_builders!(OffsetPursuit::new(there, target); with_slowing_radius(7.0; 8.0),
        with_prediction(fixed; intercept), with_weight(2.0; 3.0));
    check_builders!(Orbit::new(target, 9.0); with_weight(2.0; 3.0));
    check_builders!(Pursue::new(target); with_prediction(fixed; intercept), with_max_prediction(1.0; 2.0),
        with_weight(2.0; 3.0));
    check_builders!(Queue::default(); with_time_gap(1.0; 2.0), with_headway(3.0; 4.0), with_groups(one; other),
        with_weight(0.5; 0.7));
    check_builders!(Seek::new(target); with_weight(2.0; 3.0));
    check_builders!(Separation::default(); with_radius(5.0; 6.0), with_max_separation(7.0; 8.0),
        with_field_of_view(1.0; 2.0), with_groups(one; other), with_max_neighbors(3; 4), with_weight(2.0; 3.0));
    check_builders!(Sight::new(9.0); with_field_of_view(1.0; 2.0), with_layers(one; other));
    check_builders!(Wander::default(); with_circle(5.0, 6.0; 7.0, 8.0), with_angle_change(1.0; 2.0),
        with_initial_angle(1.0; 2.0), with_drive(WanderDrive::Displacement; WanderDrive::Seek), with_weight(2.0; 3.0));
}
