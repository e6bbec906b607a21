//! The cost of behaviors as a multiple of that of seek.
//!
//! Other programs that run at the same time slow both down alike. The scenes take turns, one tick each, and the shortest tick of each
//! counts.

use std::error::Error;

use steerling_scenario::{Simulation, Threads};

use crate::fields;
use crate::workloads::WORKLOADS;

/// The workloads that are compared with seek.
const NAMES: [&str; 3] = ["follow_path", "follow_field", "formations"];

/// The ticks before the first measurement, in which agents get on their paths and into their slots.
const WARM_UP: usize = 120;

pub fn print(agents: &[usize], quick: bool) -> Result<(), Box<dyn Error>> {
    println!("| work | agents | cost (ns) | seek (ns) | ratio |");
    println!("|---|---|---|---|---|");
    for name in NAMES {
        for &agents in agents {
            let [cost, seek] = costs(name, agents, quick)?;
            println!("| {name} | {agents} | {cost:.1} | {seek:.1} | {:.2} |", cost / seek);
        }
    }
    println!("\n{}", fields::cost());
    Ok(())
}

/// The least cost of a tick of a workload and of seek, nanoseconds per agent.
fn costs(name: &str, agents: usize, quick: bool) -> Result<[f64; 2], Box<dyn Error>> {
    let mut scenes = Vec::new();
    for name in [name, WORKLOADS[0].name] {
        let workload = WORKLOADS.iter().find(|workload| workload.name == name).ok_or("no such workload")?;
        let scene = workload.scene(agents)?;
        scenes.push((Simulation::new(&scene.scenario()?, Threads::Exactly(1)), scene.agents() as f64));
    }
    let mut least = [f64::INFINITY; 2];
    let rounds = if quick { 5 } else { WARM_UP + 300 };
    for round in 0..rounds {
        for ((simulation, agents), least) in scenes.iter_mut().zip(&mut least) {
            // The caches hold the data of the other scene.
            simulation.step_unseen();
            let before = simulation.time_spent();
            simulation.step_unseen();
            let cost = (simulation.time_spent() - before).as_nanos() as f64 / *agents;
            if quick || round >= WARM_UP {
                *least = least.min(cost);
            }
        }
    }
    Ok(least)
}
