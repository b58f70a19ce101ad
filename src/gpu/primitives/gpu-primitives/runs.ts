import type { RunsBackend } from "../../../core/primitives/backend.ts";
import type { BinaryOperator, Operator, ResultOf } from "../../../core/primitives/functions.ts";
import { add, isLocating, resultType } from "../../../core/primitives/operators.ts";
import type { KeysAndValues } from "../../../core/primitives/primitives.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { View } from "../../compute/view.ts";
import type { Transform } from "../elementwise/transform.ts";
import type { Runs } from "../runs/runs.ts";
import { type PieceRuns, placesOfRuns } from "./chunk-runs.ts";
import { type Chunk, windowOf } from "./chunks.ts";
import type { Eventual } from "./eventual.ts";
import { asPair, keyOf, operatorKey } from "./kernels.ts";
import { scanner } from "./scans.ts";
import type { Session } from "./session.ts";
import { gatherOf } from "./sources.ts";
import type { GpuVector } from "./vector.ts";
import { memoryOf, type Shape, type VectorIo } from "./vector-io.ts";

/** What is done with runs of equal neighbours. */
export const gpuRuns = (io: VectorIo): RunsBackend => ({
  reduceByKey<K extends ScalarType, V extends ScalarType, O extends Operator>(
    k: GpuVector<K>,
    v: GpuVector<V>,
    operator: O,
  ) {
    const { gpu, strategy } = io.session;
    const type = resultType(operator, v.type);
    const key = keyOf("reduceByKey", k.type, operatorKey(operator, v.type));
    const compile = () =>
      io.session.compiled(key, async () => {
        const { createReduceByKey } = await import("../runs/runs.ts");
        return createReduceByKey(gpu, k.type, v.type, operator, await strategy());
      });
    const of: Operator = operator;
    if (!isLocating(of)) return pairsOfRuns(io, k, type, [v], compile, of);
    if (io.chunks([k, v]).length === 1) return pairsOfRuns(io, k, type, [v], compile);
    return locatedInChunks(io, k, v, operator);
  },

  runLengthEncode<T extends ScalarType>(keys: GpuVector<T>) {
    const { gpu, strategy } = io.session;
    const compile = () =>
      io.session.compiled(keyOf("runLengthEncode", keys.type), async () => {
        const { createRunLengthEncode } = await import("../runs/runs.ts");
        return createRunLengthEncode(gpu, keys.type, await strategy());
      });
    return pairsOfRuns(io, keys, "u32", [], compile, add);
  },

  uniqueByKey<K extends ScalarType, V extends ScalarType>(k: GpuVector<K>, v: GpuVector<V>) {
    const compile = () => firstsOf(io.session, k.type);
    if (v.components === 1) return pairsOfRuns(io, k, v.type, [v], compile);
    const { type, components } = v;
    const indices = io.counting(k.length);
    return io.using([k, v], async (ticket) => {
      const [find, gather] = await ticket.ready(
        Promise.all([finder(io, [k, indices], [k, indices], compile), gatherOf(io.session, v, false)]),
      );
      const [kept, firsts] = await find();
      try {
        const values = io.produce({ type, components, length: firsts.length }, (output) =>
          gather(
            io.chunks([firsts], components).map((chunk) => () => ({
              map: windowOf(memoryOf(firsts), chunk),
              output: windowOf(output, chunk, components),
            })),
          ),
        );
        return { keys: kept as GpuVector<K>, values };
      } finally {
        firsts.release();
      }
    });
  },

  async unique<T extends ScalarType>(of: GpuVector<T>) {
    const { gpu, strategy } = io.session;
    const [keys] = await runsOf(io, [of], [of], () =>
      io.session.compiled(keyOf("unique", of.type), async () => {
        const { createUnique } = await import("../runs/runs.ts");
        return createUnique(gpu, of.type, await strategy());
      }),
    );
    return keys as GpuVector<T>;
  },
});

/** A scan in reverse leaves a run's position at its first element: positions of chunks cannot be compared. */
function locatedInChunks<K extends ScalarType, V extends ScalarType, O extends Operator>(
  io: VectorIo,
  keys: GpuVector<K>,
  values: GpuVector<V>,
  operator: O,
): Promise<KeysAndValues<K, ResultOf<O, V>>> {
  return io.using([keys, values], async (ticket) => {
    const kind = { type: values.type, segments: keys.type, reverse: true };
    const [scan] = await ticket.ready(
      Promise.all([scanner(io, [values, keys], operator, kind), firstsOf(io.session, keys.type)]),
    );
    const positions = scan();
    try {
      const both = [keys, positions];
      const find = await finder(io, both, both, () => firstsOf(io.session, keys.type));
      return asPairs(await ticket.recorded(find()));
    } finally {
      positions.release();
    }
  });
}

function firstsOf(session: Session, type: ScalarType): Eventual<Runs> {
  return session.compiled(keyOf("uniqueByKey", type), async () => {
    const { createUniqueByKey } = await import("../runs/runs.ts");
    return createUniqueByKey(session.gpu, type, await session.strategy());
  });
}

async function pairsOfRuns<K extends ScalarType, V extends ScalarType>(
  io: VectorIo,
  keys: GpuVector<K>,
  type: V,
  values: readonly GpuVector[],
  compile: () => Eventual<Runs>,
  operator?: BinaryOperator,
): Promise<KeysAndValues<K, V>> {
  const sums = { type, length: keys.length, components: 1 };
  return asPairs(await runsOf(io, [keys, ...values], [keys, sums], compile, operator));
}

function runsOf(
  io: VectorIo,
  vectors: readonly GpuVector[],
  shapes: readonly Shape[],
  compile: () => Eventual<Runs>,
  operator?: BinaryOperator,
): Promise<readonly GpuVector[]> {
  return io.using(vectors, async (ticket) => {
    const find = await ticket.ready(finder(io, vectors, shapes, compile, operator));
    return ticket.recorded(find());
  });
}

/** Finds keys of runs, and their values where there are any; `operator` joins those of a run that chunks share. */
async function finder(
  io: VectorIo,
  vectors: readonly GpuVector[],
  shapes: readonly Shape[],
  compile: () => Eventual<Runs>,
  operator?: BinaryOperator,
): Promise<() => Promise<readonly GpuVector[]>> {
  const chunks = io.chunks(vectors);
  const isJoined = chunks.length > 1;
  const [runs, inputs, join] = await Promise.all([
    compile(),
    io.chunkReaders(chunks, vectors),
    isJoined && operator ? joiner(io.session, operator, shapes[1].type) : undefined,
  ]);
  const { recorder } = io.session;
  const record = (outputs: readonly View[], totals: View) =>
    io.encodeChunks(chunks, (chunk, k) => {
      const [keys, values] = inputs[k].map((read) => read());
      const [keysOut, valuesOut] = outputs.map((output) => windowOf(output, chunk));
      const total = (place: number) => ({ ...totals, offset: place, length: 1 });
      runs.record(recorder, { keys, values, keysOut, valuesOut, runs: total(k) });
      if (!isJoined) return;
      const last = { from: keys.length - 1, to: keys.length };
      io.copyWords({ ...keys, length: 1 }, total(chunks.length + k), 1);
      io.copyWords(windowOf(keys, last), total(2 * chunks.length + k), 1);
    });
  return async () => {
    const found = await io.produceChunks(shapes, (isJoined ? 3 : 1) * chunks.length, record);
    if (!isJoined) return found.vectors.map((vector) => io.shortened(vector, found.totals[0]));
    const places = placesOfRuns(vectors[0].type, found.totals);
    try {
      return joinedRuns(io, found.vectors, chunks, places, join);
    } finally {
      for (const vector of found.vectors) vector.release();
    }
  };
}

/** The runs of chunks, which are at their beginnings, one after the other. */
function joinedRuns(
  io: VectorIo,
  vectors: readonly GpuVector[],
  chunks: readonly Chunk[],
  places: readonly PieceRuns[],
  join: Transform | undefined,
): readonly GpuVector[] {
  const { recorder } = io.session;
  const { place, count } = places[places.length - 1];
  const shapes = vectors.map(({ type, components }) => ({ type, components, length: place + count }));
  const found = vectors.map(memoryOf);
  return io.produceAll(shapes, (outputs) => {
    for (const [k, { count, place, continues }] of places.entries()) {
      const { from } = chunks[k];
      const skipped = Number(continues);
      for (const [j, output] of outputs.entries()) {
        const own = windowOf(found[j], { from: from + skipped, to: from + count });
        io.copyWords(own, windowOf(output, { from: place + skipped, to: place + count }), 1);
      }
      if (!continues || !join) continue;
      join.record(recorder, {
        inputs: [{ kind: "output" }, { kind: "view", view: windowOf(found[1], { from, to: from + 1 }) }],
        output: windowOf(outputs[1], { from: place, to: place + 1 }),
      });
    }
  });
}

/** What combines an element with another in place. */
function joiner(session: Session, operator: BinaryOperator, type: ScalarType): Eventual<Transform> {
  return session.compiled(keyOf("join", operatorKey(operator, type)), async () => {
    const { createTransform } = await import("../elementwise/transform.ts");
    return createTransform(session.gpu, {
      name: `${operator.name} of runs`,
      inputs: [
        { kind: "output", type },
        { kind: "view", type },
      ],
      type,
      text: asPair(operator, type),
    });
  });
}

const asPairs = <K extends ScalarType, V extends ScalarType>([keys, values]: readonly GpuVector[]) => ({
  keys: keys as GpuVector<K>,
  values: values as GpuVector<V>,
});
