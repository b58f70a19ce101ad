import type { Field } from "../core/field.ts";
import type { Grid } from "../core/grid.ts";
import { isosurface } from "../cpu/surfaces/isosurface.ts";
import { isosurfaceSoup } from "../cpu/surfaces/soup.ts";
import { evaluateOnCpu } from "../lang/expression/execute/cpu/evaluate.ts";
import type { CpuWorkers } from "../lang/expression/execute/cpu/workers.ts";
import type { HostField } from "./api.ts";
import { compileProgram } from "./program.ts";
import { type HostInput, hostField, hostFieldsOf } from "./read-fields.ts";
import type { Settings } from "./read-options.ts";
import { cpuReport, hostFields, quantityRecords } from "./reports.ts";
import type { Stepper } from "./steps.ts";

/** Steps on the CPU: what is prepared is the network. */
export function prepareOnCpu(
  expression: unknown,
  grid: Grid,
  inputs: readonly HostInput[],
  settings: Settings,
  workers: CpuWorkers | undefined,
): Stepper<HostField> {
  const current = new Map(inputs.map((input) => [input.name, hostField(grid, input)]));
  const { network, outputs, computed } = compileProgram(expression, [...current.values()], settings);
  const { surface } = settings;
  let latest: ReadonlyMap<string, Field> = new Map();
  return {
    kind: "host",
    shapes: new Map(current),
    async run(given, job) {
      for (const field of hostFieldsOf(grid, given)) current.set(field.name, field);
      const start = performance.now();
      const dataSet = { name: "host", grid, fields: [...current.values()], notes: [] };
      const evaluation = await evaluateOnCpu(network, dataSet, computed, job, workers);
      const { fields, quantities, threads, notes } = evaluation;
      latest = fields;
      const report = cpuReport(threads, performance.now() - start);
      return {
        fields: hostFields(outputs, fields),
        ...quantityRecords(outputs, quantities),
        report,
        notes: [...network.notes, ...notes],
      };
    },
    async isosurface(isovalue, job) {
      const field = latest.get(surface?.field ?? "") as Field;
      const color = surface?.colorBy === undefined ? undefined : latest.get(surface.colorBy);
      const options = { color, topology: surface?.topology };
      const mesh = surface?.soup
        ? await isosurfaceSoup(grid, field, isovalue, surface.soup, options, job)
        : await isosurface(grid, field, isovalue, options, job);
      return { triangles: mesh.indices.length / 3, buffers: undefined, mesh: async () => mesh };
    },
    release() {
      current.clear();
      latest = new Map();
    },
  };
}
