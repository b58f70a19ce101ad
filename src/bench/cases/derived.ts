import type { Field } from "../../core/field.ts";
import type { Triple, UniformGrid } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { readF32 } from "../../gpu/device/transfer.ts";
import type { GpuField } from "../../gpu/fields/gpu-field.ts";
import { createGridTables } from "../../gpu/fields/grid-tables.ts";
import { uploadField } from "../../gpu/fields/upload.ts";
import { compile } from "../../lang/expression/compile.ts";
import { evaluateOnCpu } from "../../lang/expression/execute/cpu/evaluate.ts";
import { evaluateOnGpu, prepareOnGpu } from "../../lang/expression/execute/gpu/evaluate.ts";
import type { BenchCase } from "../case.ts";
import { timeAsync, timePass } from "../measure.ts";
import { swirlingFlow, uniformGrid } from "./fields.ts";

/** Edge of the blocks that are computed again on the CPU. */
const blockEdge = 8;

/** Share of the largest value that f32 differences of f32 data may be off by. */
const tolerance = 1e-4;

/** An expression of a vector field, fused, over 192 × 192 × n nodes of three f32 components. */
function derivedCase(name: string, expression: string): BenchCase {
  return {
    name: `derived/${name}`,
    async run({ gpu, isQuick, n: planes = isQuick ? 64 : 1024 }) {
      const edge = isQuick ? 64 : 192;
      const grid = uniformGrid([edge, edge, planes], 0, 2 * Math.PI);
      const host = swirlingFlow(grid);
      const network = compile(`result = ${expression}`, [host]);
      const velocity = await uploadField(gpu, grid, host, noJob);
      const tables = createGridTables(gpu, grid, "node");
      const inputs = { grid, field: async () => velocity, tables: () => tables };
      try {
        const prepared = await prepareOnGpu(gpu, network, inputs, ["result"]);
        try {
          const ms = await timePass(gpu, (pass) => prepared.record(pass));
          const result = prepared.fields.get("result")!;
          const bytes = (velocity.components + result.components) * velocity.count * 4;
          const verified = await agrees(gpu, expression, grid, host, result);
          return { n: velocity.count, ms, bytes, verified };
        } finally {
          prepared.release();
        }
      } finally {
        velocity.buffer.release();
        tables.buffer.release();
      }
    },
  };
}

/** Whether blocks at two corners and inside are what the CPU computes of the same values. */
async function agrees(
  gpu: GpuContext,
  expression: string,
  grid: UniformGrid,
  host: Field,
  result: GpuField,
): Promise<boolean> {
  const starts = [0, 0.37, 1].map((share) =>
    tripleOf((axis) => Math.floor(share * (grid.dims[axis] - blockEdge))),
  );
  for (const start of starts) {
    const part = cutBlock(grid, host, start);
    const network = compile(`result = ${expression}`, [host]);
    const { fields } = await evaluateOnCpu(network, part, ["result"], noJob);
    const due = fields.get("result")!.data as Float32Array;
    const [nx, ny] = grid.dims;
    const got = await readF32(gpu, result.buffer, start[2] * nx * ny, blockEdge * nx * ny);
    const scale = due.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    for (const [i, j, k] of innerNodes(grid, start)) {
      const here = got[start[0] + i + nx * (start[1] + j + ny * k)];
      const there = due[i + blockEdge * (j + blockEdge * k)];
      if (!(Math.abs(here - there) <= tolerance * scale)) return false;
    }
  }
  return true;
}

function cutBlock(grid: UniformGrid, { data, ...field }: Field, start: Triple) {
  const [nx, ny] = grid.dims;
  const values = new Float32Array(field.components * blockEdge ** 3);
  const rowLength = field.components * blockEdge;
  for (let k = 0, at = 0; k < blockEdge; k++) {
    for (let j = 0; j < blockEdge; j++, at += rowLength) {
      const first = field.components * (start[0] + nx * (start[1] + j + ny * (start[2] + k)));
      values.set((data as Float32Array).subarray(first, first + rowLength), at);
    }
  }
  const origin = tripleOf((axis) => grid.origin[axis] + start[axis] * grid.spacing[axis]);
  const dims: Triple = [blockEdge, blockEdge, blockEdge];
  const part: UniformGrid = { ...grid, dims, origin };
  return { name: "block", grid: part, fields: [{ ...field, data: values }], notes: [] };
}

const tripleOf = (of: (axis: 0 | 1 | 2) => number): Triple => [of(0), of(1), of(2)];

/** Nodes of a block whose neighbours are the same in the block as in the whole grid. */
function* innerNodes(grid: UniformGrid, start: Triple): Generator<Triple> {
  const ranges = start.map((first, axis) => {
    const low = first === 0 ? 0 : 1;
    const high = first + blockEdge === grid.dims[axis] ? blockEdge : blockEdge - 1;
    return [low, high];
  });
  const [[i0, i1], [j0, j1], [k0, k1]] = ranges;
  for (let k = k0; k < k1; k++) for (let j = j0; j < j1; j++) for (let i = i0; i < i1; i++) yield [i, j, k];
}

/**
 * From a changed text to its result on a device that has run another: parsing, compiling the kernel, running it, waiting.
 */
const changedTextCase: BenchCase = {
  name: "derived/changed_text",
  async run({ gpu, isQuick }) {
    const edge = isQuick ? 24 : 64;
    const grid = uniformGrid([edge, edge, edge], 0, 2 * Math.PI);
    const host = swirlingFlow(grid);
    const velocity = await uploadField(gpu, grid, host, noJob);
    const tables = createGridTables(gpu, grid, "node");
    const inputs = { grid, field: async () => velocity, tables: () => tables };
    let changes = 0;
    const compute = async (text: string) => {
      const network = compile(`result = ${text}`, [host]);
      const { fields } = await evaluateOnGpu(gpu, network, inputs, ["result"], noJob);
      await gpu.idle();
      return fields.get("result")!.buffer;
    };
    try {
      const ms = await timeAsync(gpu, async () => {
        changes++;
        (await compute(`${changes} * q_criterion(v) + ${changes}.5`)).release();
      });
      const [changed, plain] = [await compute("3 * q_criterion(v) + 0.5"), await compute("q_criterion(v)")];
      const [got, due] = await Promise.all([changed, plain].map((buffer) => readF32(gpu, buffer)));
      for (const buffer of [changed, plain]) buffer.release();
      const size = due.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
      const verified = due.every((x, i) => Math.abs(3 * x + 0.5 - got[i]) <= 1e-5 * size);
      return { n: velocity.count, ms, bytes: 4 * velocity.count * 4, verified };
    } finally {
      velocity.buffer.release();
      tables.buffer.release();
    }
  },
};

export const derivedCases: readonly BenchCase[] = [
  derivedCase("velocity_magnitude", "magnitude(v)"),
  derivedCase("vorticity_magnitude", "magnitude(curl(v))"),
  derivedCase("q_criterion", "q_criterion(v)"),
  changedTextCase,
];
