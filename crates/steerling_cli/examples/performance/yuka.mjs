// The same work in Yuka (https://mugen87.github.io/yuka): prints the nanoseconds per agent and tick as a line of JSON.
// Arguments: workload, number of agents, ticks, and the parameters of the scene as JSON.
import { performance } from 'node:perf_hooks';
import * as YUKA from 'yuka';

const [workload, agents, ticks] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const { side, tick, maxSpeed, maxForce, speed, radius, circles, path } = JSON.parse(process.argv[5]);

let state = 1;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

const manager = new YUKA.EntityManager();
const target = new YUKA.Vector3();
const obstacles = (circles ?? []).map(([x, y, r]) => {
  const obstacle = new YUKA.GameEntity();
  obstacle.position.set(x - side / 2, 0, y - side / 2);
  obstacle.boundingRadius = r;
  return obstacle;
});

const waypoints = (path ?? []).map(([x, y]) => new YUKA.Vector3(x - side / 2, 0, y - side / 2));
// A path knows how far its vehicle is, so each vehicle has its own, which begins at the nearest point.
const loopFrom = (position) => {
  const distances = waypoints.map((point) => point.squaredDistanceTo(position));
  const first = distances.indexOf(Math.min(...distances));
  const loop = new YUKA.Path();
  loop.loop = true;
  for (const point of [...waypoints.slice(first), ...waypoints.slice(0, first)]) loop.add(point);
  return loop;
};

const vehicles = Array.from({ length: agents }, () => {
  const vehicle = new YUKA.Vehicle();
  vehicle.maxSpeed = maxSpeed;
  vehicle.maxForce = maxForce;
  vehicle.boundingRadius = 8;
  vehicle.position.set((random() - 0.5) * side, 0, (random() - 0.5) * side);
  const angle = random() * 2 * Math.PI;
  vehicle.velocity.set(Math.cos(angle) * speed, 0, Math.sin(angle) * speed);
  if (workload === 'flock') {
    vehicle.updateNeighborhood = true;
    vehicle.neighborhoodRadius = radius;
    for (const behavior of [new YUKA.SeparationBehavior(), new YUKA.AlignmentBehavior(), new YUKA.CohesionBehavior()]) {
      vehicle.steering.add(behavior);
    }
  } else if (workload === 'follow_path') {
    vehicle.steering.add(new YUKA.FollowPathBehavior(loopFrom(vehicle.position), 16));
  } else {
    vehicle.steering.add(new YUKA.SeekBehavior(target));
    if (workload === 'mixed') {
      vehicle.steering.add(new YUKA.WanderBehavior(25, 50, 100));
      const avoid = new YUKA.ObstacleAvoidanceBehavior(obstacles);
      avoid.dBoxMinLength = 25; // 50 at full speed
      vehicle.steering.add(avoid);
    }
  }
  manager.add(vehicle);
  return vehicle;
});

if (workload === 'flock') {
  // A query visits every cell: this number is the best compromise between cells and agents to visit.
  const cells = Math.max(1, Math.min(Math.floor(side / radius), Math.round(Math.sqrt(3 * Math.sqrt(agents)))));
  manager.spatialIndex = new YUKA.CellSpacePartitioning(side, 1, side, cells, 1, cells);
}

const update = (k) => {
  target.set(0.3 * side * Math.cos(0.02 * k), 0, 0.3 * side * Math.sin(0.02 * k));
  manager.update(tick);
  if (workload === 'flock') {
    for (const { position } of vehicles) {
      position.x -= side * Math.round(position.x / side);
      position.z -= side * Math.round(position.z / side);
    }
  }
};

// The first ticks include compilation.
const warmUp = Math.max(1, Math.min(ticks, Math.ceil(2e5 / agents)));
for (let k = 0; k < warmUp; k++) update(k);
const times = [];
for (let k = 0; k < ticks; k++) {
  const start = performance.now();
  update(warmUp + k);
  times.push(((performance.now() - start) * 1e6) / agents);
}
times.sort((a, b) => a - b);
console.log(JSON.stringify(times[Math.floor(times.length / 2)]));
