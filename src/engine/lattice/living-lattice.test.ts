import { expect, test } from "vitest";
import { noJob } from "../../core/job.ts";
import { modelNamed } from "../../core/lattice/models.ts";
import { createHostSimulation } from "../../cpu/lattice/simulation.ts";
import { LivingLattice } from "./living-lattice.ts";

const request = {
  kind: "lattice",
  model: "ising",
  size: [12, 6],
  seed: 2 ** 33 + 5,
  start: "random",
  parameters: { temperature: 2 },
} as const;

/** Runs so many sweeps, however many a picture has. */
async function sweep(lattice: LivingLattice, sweeps: number) {
  const series = lattice.step(sweeps);
  while (lattice.isDue) lattice.advance();
  await lattice.measured();
  return series;
}

test("a lattice runs as the library's does, and reports what it measured after each sweep once", async () => {
  const lattice = await LivingLattice.create(request, undefined, noJob);
  const plan = modelNamed("ising").on(request.size, request.parameters);
  const options = { seed: [5, 2], start: "random", parameters: request.parameters } as const;
  const expected = createHostSimulation(plan, options);
  const sums = await expected.run(7, { temperature: 2 });
  const magnetization = sums.map((each) => plan.quantitiesOf(each).magnetization);

  const first = await sweep(lattice, 3);
  expect(first).toMatchObject({
    first: 1,
    quantities: { magnetization: Float64Array.from(magnetization.slice(0, 3)) },
  });
  expect(lattice.takeSeries()).toEqual(first);
  const second = await sweep(lattice, 4);
  expect([...second.quantities.magnetization]).toEqual(magnetization.slice(3));
  expect(lattice.takeSeries()).toEqual(second);
  expect((await lattice.read("spin")).data).toEqual(Float32Array.from(await expected.field("spin")));
  expect(lattice.state).toMatchObject({ sweeps: 7, unrepeatable: undefined });
});

test("a fraction of a sweep a picture is a sweep every few pictures", async () => {
  const lattice = await LivingLattice.create(request, undefined, noJob);
  lattice.run = { isRunning: true, sweepsPerPicture: 0.25 };
  for (let picture = 0; picture < 9; picture++) lattice.advance();
  await lattice.measured();
  expect(lattice.state.sweeps).toBe(2);
  expect(() => {
    lattice.run = { isRunning: true, sweepsPerPicture: 0 };
  }).toThrow("up to 1024");
});

test("what was changed by hand is repeated to the bit, at its sweep", async () => {
  const lattice = await LivingLattice.create(request, undefined, noJob);
  await sweep(lattice, 2);
  lattice.setParameters({ temperature: 3 });
  lattice.setParameters({ temperature: 1.5 });
  await sweep(lattice, 3);
  await lattice.draw({ position: [4, 3], radius: 2.5, value: -1 });
  await sweep(lattice, 1);
  const again = lattice.request;
  expect(again.changes).toEqual([
    { kind: "parameters", sweep: 2, parameters: { temperature: 1.5 } },
    { kind: "stroke", sweep: 5, stroke: { position: [4, 3], radius: 2.5, value: -1 } },
  ]);
  const repeated = await LivingLattice.create(structuredClone(again), undefined, noJob);
  expect(repeated.request).toEqual(again);
  expect(repeated.state.parameters).toEqual({ temperature: 1.5 });
  await Promise.all([sweep(lattice, 2), sweep(repeated, 2)]);
  const { data } = await lattice.read("spin");
  expect((await repeated.read("spin")).data).toEqual(data);
  // Without the stroke it would be another.
  const changes = again.changes?.slice(0, 1);
  const other = await LivingLattice.create({ ...again, sweeps: 8, changes }, undefined, noJob);
  expect((await other.read("spin")).data).not.toEqual(data);
});

test("a plane of a lattice of more axes shows its sites in the order of its axes", async () => {
  const size = [4, 2, 6, 2];
  const plane = { axes: [2, 0], at: [0, 1, 0, 1] };
  const lattice = await LivingLattice.create({ ...request, size, plane }, undefined, noJob);
  const options = { seed: [5, 2], start: "random", parameters: request.parameters } as const;
  const expected = createHostSimulation(modelNamed("ising").on(size, request.parameters), options);
  const sites = await expected.field("spin");
  const shown = (at: readonly number[]) =>
    Float32Array.from({ length: 24 }, (_, i) => {
      const [x, y] = [i % 6, Math.floor(i / 6)];
      return sites[y + 4 * (at[1] + 2 * (x + 6 * at[3]))];
    });
  expect(lattice.dataSet.grid.dims).toEqual([6, 4, 1]);
  expect(lattice.bounds).toEqual([-0.5, 5.5, -0.5, 3.5, 0, 0]);
  expect((await lattice.read("spin")).data).toEqual(shown(plane.at));
  lattice.place = [0, 0, 0, 1];
  expect((await lattice.read("spin")).data).toEqual(shown([0, 0, 0, 1]));
  expect(() => {
    lattice.place = [0, 2, 0, 0];
  }).toThrow("along axis 1");
});

test("what cannot be opened is said with a way out", async () => {
  const open = (change: object) => LivingLattice.create({ ...request, ...change }, undefined, noJob);
  await expect(open({ model: "isig" })).rejects.toThrow("Did you mean ising?");
  await expect(open({ size: [3, 4] })).rejects.toThrow("Give it even lengths.");
  await expect(open({ plane: { axes: [0, 0], at: [0, 0] } })).rejects.toThrow("different axes");
  await expect(open({ sweeps: -1 })).rejects.toThrow("Give a whole number from 0");
  const stroke = { position: [0, 0], radius: 1, value: 1 };
  await expect(open({ changes: [{ kind: "stroke", sweep: 1, stroke }] })).rejects.toThrow("sweep 1");
});

test("a lattice goes on from the same state on another device, whose fields then have the values", async () => {
  const lattice = await LivingLattice.create(request, undefined, noJob);
  await sweep(lattice, 2);
  await lattice.draw({ position: [4, 3], radius: 2, value: 1 });
  await sweep(lattice, 2);
  const { data } = await lattice.read("spin");
  const former = lattice.value("spin");
  lattice.takeSeries();
  await lattice.moveTo(undefined, noJob);
  expect((await lattice.read("spin")).data).toEqual(data);
  expect(lattice.value("spin")).not.toBe(former);
  expect(lattice.takeSeries().quantities.energy).toHaveLength(0);
  expect((await sweep(lattice, 1)).first).toBe(5);
});

test("the same lattice along other axes takes over its sites and what it measured, whatever made them", async () => {
  const size = [4, 6, 8];
  const lattice = await LivingLattice.create({ ...request, size }, undefined, noJob);
  await sweep(lattice, 2);
  await lattice.draw({ position: [1, 2, 3], radius: 2, value: 1 });
  lattice.setParameters({ temperature: 3 });
  await sweep(lattice, 1);
  const plane = { axes: [2, 0], at: [0, 5, 0] };
  const wanted = { ...lattice.request, plane };
  const turned = await LivingLattice.create(structuredClone(wanted), undefined, noJob, lattice);
  expect(turned.request).toEqual(wanted);
  expect(turned.dataSet.grid.dims).toEqual([8, 4, 1]);
  const { data: sites } = await lattice.read("spin");
  const { data: shown } = await turned.read("spin");
  expect([...shown]).toEqual(Array.from({ length: 32 }, (_, k) => sites[(k >> 3) + 4 * 5 + 24 * (k & 7)]));
  // None of the sweeps is run again, and those that follow are as they would have been.
  expect(turned.takeSeries().quantities.energy).toHaveLength(3);
  const repeated = await LivingLattice.create(wanted, undefined, noJob);
  const [own, again] = await Promise.all([sweep(turned, 4), sweep(repeated, 4)]);
  expect(own).toEqual(again);
  expect((await turned.read("spin")).data).toEqual((await repeated.read("spin")).data);

  // Another lattice, or the same after other sweeps, is made from its start.
  const other = await LivingLattice.create({ ...wanted, sweeps: 4 }, undefined, noJob, turned);
  expect(other.takeSeries().quantities.energy).toHaveLength(4);
});
