import { checkSameLength, checkScalar } from "../../../core/primitives/checks.ts";
import type { BinaryOperator, Operator, ResultOf } from "../../../core/primitives/functions.ts";
import { add, isLocating, resultType } from "../../../core/primitives/operators.ts";
import type { KeysAndValues } from "../../../core/primitives/primitives.ts";
import type { ScalarType, Vector } from "../../../core/primitives/vector.ts";
import type { View } from "../../compute/view.ts";
import type { Transform } from "../elementwise/transform.ts";
import type { Runs } from "../runs/runs.ts";
import { type PieceRuns, placesOfRuns } from "./chunk-runs.ts";
import { type Chunk, windowOf } from "./chunks.ts";
import type { Eventual } from "./eventual.ts";
import { asPair, keyOf, operatorKey } from "./kernels.ts";
import { GpuScans } from "./scans.ts";
import { gatherOf } from "./sources.ts";
import type { GpuVector } from "./vector.ts";
import { memoryOf, type Shape } from "./vectors.ts";

/** What is done with runs of equal neighbours. */
export class GpuRuns extends GpuScans {
  async reduceByKey<K extends ScalarType, V extends ScalarType, O extends Operator>(
    keys: Vector<K>,
    values: Vector<V>,
    operator: O,
  ): Promise<KeysAndValues<K, ResultOf<O, V>>> {
    const what = "reduceByKey";
    const [k, v] = this.#pairs(what, keys, values);
    checkScalar(what, "values", values);
    const { gpu, strategy } = this.session;
    const type = resultType(operator, v.type);
    const key = keyOf(what, k.type, operatorKey(operator, v.type));
    const compile = () =>
      this.session.compiled(key, async () => {
        const { createReduceByKey } = await import("../runs/runs.ts");
        return createReduceByKey(gpu, k.type, v.type, operator, await strategy());
      });
    const of: Operator = operator;
    if (!isLocating(of)) return this.#pairsOfRuns(k, type, [v], compile, of);
    if (this.chunks([k, v]).length === 1) return this.#pairsOfRuns(k, type, [v], compile);
    return this.#locatedInChunks(k, v, operator);
  }

  async runLengthEncode<T extends ScalarType>(vector: Vector<T>): Promise<KeysAndValues<T, "u32">> {
    const what = "runLengthEncode";
    const keys = this.readScalar(what, "keys", vector);
    const { gpu, strategy } = this.session;
    const compile = () =>
      this.session.compiled(keyOf(what, keys.type), async () => {
        const { createRunLengthEncode } = await import("../runs/runs.ts");
        return createRunLengthEncode(gpu, keys.type, await strategy());
      });
    return this.#pairsOfRuns(keys, "u32", [], compile, add);
  }

  async uniqueByKey<K extends ScalarType, V extends ScalarType>(
    keys: Vector<K>,
    values: Vector<V>,
  ): Promise<KeysAndValues<K, V>> {
    const what = "uniqueByKey";
    const [k, v] = this.#pairs(what, keys, values);
    const compile = () => this.#firstsOf(k.type);
    if (v.components === 1) return this.#pairsOfRuns(k, v.type, [v], compile);
    const { type, components } = v;
    const indices = this.read(what, "indices", this.counting("u32", k.length));
    return this.using([k, v], async (ticket) => {
      const [find, gather] = await ticket.ready(
        Promise.all([this.#finder([k, indices], [k, indices], compile), gatherOf(this.session, v, false)]),
      );
      const [kept, firsts] = await find();
      try {
        const values = this.produce({ type, components, length: firsts.length }, (output) =>
          gather(
            this.chunks([firsts], components).map((chunk) => () => ({
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
  }

  async unique<T extends ScalarType>(vector: Vector<T>): Promise<Vector<T>> {
    const of = this.readScalar("unique", "keys", vector);
    const { gpu, strategy } = this.session;
    const [keys] = await this.#runs([of], [of], () =>
      this.session.compiled(keyOf("unique", of.type), async () => {
        const { createUnique } = await import("../runs/runs.ts");
        return createUnique(gpu, of.type, await strategy());
      }),
    );
    return keys as GpuVector<T>;
  }

  /** A scan in reverse leaves a run's position at its first element: positions of chunks cannot be compared. */
  #locatedInChunks<K extends ScalarType, V extends ScalarType, O extends Operator>(
    keys: GpuVector<K>,
    values: GpuVector<V>,
    operator: O,
  ): Promise<KeysAndValues<K, ResultOf<O, V>>> {
    return this.using([keys, values], async (ticket) => {
      const kind = { type: values.type, segments: keys.type, reverse: true };
      const [scan] = await ticket.ready(
        Promise.all([this.scanner([values, keys], operator, kind), this.#firstsOf(keys.type)]),
      );
      const positions = scan();
      try {
        const both = [keys, positions];
        const find = await this.#finder(both, both, () => this.#firstsOf(keys.type));
        return asPairs(await ticket.recorded(find()));
      } finally {
        positions.release();
      }
    });
  }

  #firstsOf(type: ScalarType): Eventual<Runs> {
    const { session } = this;
    return session.compiled(keyOf("uniqueByKey", type), async () => {
      const { createUniqueByKey } = await import("../runs/runs.ts");
      return createUniqueByKey(session.gpu, type, await session.strategy());
    });
  }

  #pairs<K extends ScalarType, V extends ScalarType>(
    what: string,
    keys: Vector<K>,
    values: Vector<V>,
  ): readonly [GpuVector<K>, GpuVector<V>] {
    const read = [this.readScalar(what, "keys", keys), this.read(what, "values", values)] as const;
    checkSameLength(what, { keys, values });
    return read;
  }

  async #pairsOfRuns<K extends ScalarType, V extends ScalarType>(
    keys: GpuVector<K>,
    type: V,
    values: readonly GpuVector[],
    compile: () => Eventual<Runs>,
    operator?: BinaryOperator,
  ): Promise<KeysAndValues<K, V>> {
    const sums = { type, length: keys.length, components: 1 };
    return asPairs(await this.#runs([keys, ...values], [keys, sums], compile, operator));
  }

  #runs(
    vectors: readonly GpuVector[],
    shapes: readonly Shape[],
    compile: () => Eventual<Runs>,
    operator?: BinaryOperator,
  ): Promise<readonly GpuVector[]> {
    return this.using(vectors, async (ticket) => {
      const find = await ticket.ready(this.#finder(vectors, shapes, compile, operator));
      return ticket.recorded(find());
    });
  }

  /** Finds keys of runs, and their values where there are any; `operator` joins those of a run that chunks share. */
  async #finder(
    vectors: readonly GpuVector[],
    shapes: readonly Shape[],
    compile: () => Eventual<Runs>,
    operator?: BinaryOperator,
  ): Promise<() => Promise<readonly GpuVector[]>> {
    const chunks = this.chunks(vectors);
    const isJoined = chunks.length > 1;
    const [runs, inputs, join] = await Promise.all([
      compile(),
      this.chunkReaders(chunks, vectors),
      isJoined && operator ? this.#joiner(operator, shapes[1].type) : undefined,
    ]);
    const { recorder } = this.session;
    const record = (outputs: readonly View[], totals: View) =>
      this.encodeChunks(chunks, (chunk, k) => {
        const [keys, values] = inputs[k].map((read) => read());
        const [keysOut, valuesOut] = outputs.map((output) => windowOf(output, chunk));
        const total = (place: number) => ({ ...totals, offset: place, length: 1 });
        runs.record(recorder, { keys, values, keysOut, valuesOut, runs: total(k) });
        if (!isJoined) return;
        const last = { from: keys.length - 1, to: keys.length };
        this.copyWords({ ...keys, length: 1 }, total(chunks.length + k), 1);
        this.copyWords(windowOf(keys, last), total(2 * chunks.length + k), 1);
      });
    return async () => {
      const found = await this.produceChunks(shapes, (isJoined ? 3 : 1) * chunks.length, record);
      if (!isJoined) return found.vectors.map((vector) => this.shortened(vector, found.totals[0]));
      const places = placesOfRuns(vectors[0].type, found.totals);
      try {
        return this.#joinedRuns(found.vectors, chunks, places, join);
      } finally {
        for (const vector of found.vectors) vector.release();
      }
    };
  }

  /** The runs of chunks, which are at their beginnings, one after the other. */
  #joinedRuns(
    vectors: readonly GpuVector[],
    chunks: readonly Chunk[],
    places: readonly PieceRuns[],
    join: Transform | undefined,
  ): readonly GpuVector[] {
    const { recorder } = this.session;
    const { place, count } = places[places.length - 1];
    const shapes = vectors.map(({ type, components }) => ({ type, components, length: place + count }));
    const found = vectors.map(memoryOf);
    return this.produceAll(shapes, (outputs) => {
      for (const [k, { count, place, continues }] of places.entries()) {
        const { from } = chunks[k];
        const skipped = Number(continues);
        for (const [j, output] of outputs.entries()) {
          const own = windowOf(found[j], { from: from + skipped, to: from + count });
          this.copyWords(own, windowOf(output, { from: place + skipped, to: place + count }), 1);
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
  #joiner(operator: BinaryOperator, type: ScalarType): Eventual<Transform> {
    const { session } = this;
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
}

const asPairs = <K extends ScalarType, V extends ScalarType>([keys, values]: readonly GpuVector[]) => ({
  keys: keys as GpuVector<K>,
  values: values as GpuVector<V>,
});
