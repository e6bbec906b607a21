//! Compares the styles of `queue` with people: a crowd leaves a room through a door, as in published experiments.
//!
//! Prints `docs/doorway.md`, and draws its figure:
//!
//! ```sh
//! cargo run --release -p steerling_cli --example doorway -- --figures docs/figures > docs/doorway.md
//! ```
//!
//! It fails if the default style, or the selected style, misses a goal. To run a single style with other options:
//!
//! ```sh
//! cargo run --release -p steerling_cli --example doorway -- --style brake --set brake=0.5 --agent max_force=8
//! ```

#[path = "../support/chart.rs"]
mod chart;
#[path = "../support/doorways.rs"]
mod doorways;
mod figure;
mod options;
mod page;
mod people;
mod runs;
mod scenes;
mod thinking;
mod wide;

use std::error::Error;
use std::fs;
use std::process::ExitCode;

use clap::Parser;
use serde_json::Value;

use crate::options::Options;
use crate::page::{introduction, print_measures, print_people, print_variations};
use crate::people::{Comparison, People};
use crate::runs::{in_parallel, measure};
use crate::scenes::{
    DEFAULT_STYLE, EXACTLY_LARGE, LARGE, Queue, WIDTHS, hurried, made_solid, queue_styles, read, read_room, scaled,
    variant,
};

fn main() -> ExitCode {
    match print_page(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Prints the page. Returns whether the default style, or the only one, meets all its goals; prints the misses to standard error.
fn print_page(options: &Options) -> Result<bool, Box<dyn Error>> {
    let people = People::read()?;
    let rooms: Vec<Value> = WIDTHS.iter().map(|width| read_room(*width)).collect::<Result<_, _>>()?;
    // All seeds of the first door, then of the next.
    let variants = |queue: &Queue| -> Vec<Value> {
        rooms.iter().flat_map(|room| queue.seeds().iter().map(|seed| variant(room, queue, *seed, options))).collect()
    };
    let default_style = Queue::Style(DEFAULT_STYLE.to_owned());
    let (queues, varied) = match options.style.as_deref() {
        None => (queue_styles().into_iter().map(Queue::Style).chain([Queue::None]).collect(), Queue::Default),
        Some("none") => (vec![Queue::None], Queue::None),
        Some(style) => (vec![Queue::Style(style.to_owned())], Queue::Style(style.to_owned())),
    };
    // Report invalid options before the first table.
    for queue in queues.iter().chain([&varied]) {
        for room in variants(queue) {
            [hurried(&room), scaled(&room, LARGE), scaled(&room, EXACTLY_LARGE), room]
                .iter()
                .try_for_each(|room| read(room).map(drop))?;
        }
    }

    println!("{}", introduction());
    for (key, value) in options.set.iter().chain(&options.agent) {
        println!("Here `{key}` is {value}.\n");
    }
    if options.style.is_none() {
        compare_with_people(&variants(&default_style), &people, options)?;
    }
    let mut all_met = true;
    for queue in &queues {
        for solid in [false, true] {
            let rooms: Vec<Value> = variants(queue).iter().map(|room| made_solid(room, solid)).collect();
            let title = format!("{queue}{}", if solid { ", solid bodies" } else { "" });
            println!("## {title}\n");
            let met = print_measures(&in_parallel(&title, &rooms, measure), &people, queue.seeds(), solid);
            if !met && (queues.len() == 1 || *queue == default_style) {
                eprintln!("{title}: a goal is missed");
                all_met = false;
            }
        }
    }
    println!("## {varied}: in a hurry, and scaled\n");
    if !print_variations(&variants(&varied), varied.seeds()) {
        eprintln!("{varied}, in a hurry or scaled: a goal is missed");
        all_met = false;
    }
    Ok(all_met)
}

/// Prints how the default style compares with people, and draws the figure.
fn compare_with_people(rooms: &[Value], people: &People, options: &Options) -> Result<(), Box<dyn Error>> {
    let usual = Comparison::all(&in_parallel("people", rooms, measure), people);
    if let Some(folder) = &options.figures {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("doorway.svg"), figure::flows(&usual, people))?;
    }
    print_people(&usual);
    wide::print(rooms, people);
    wide::print_time_gap(rooms, people);
    let flows: Vec<f64> = usual.iter().map(|door| door.flow).collect();
    thinking::print(rooms, &flows);
    Ok(())
}
