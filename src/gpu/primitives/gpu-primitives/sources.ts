import type { NaryFunction } from "../../../core/primitives/functions.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { View } from "../../compute/view.ts";
import type { Source, SourceType } from "../elementwise/sources.ts";
import type { GatherOperands } from "../gather/gather.ts";
import { checkBound, chunkOf, isLong, piecesOf } from "./chunks.ts";
import type { Eventual } from "./eventual.ts";
import { keyOf } from "./kernels.ts";
import type { Session } from "./session.ts";
import { type GpuVector, viewOf } from "./vector.ts";

/** Tells where elements are; encodes what makes them first, where they are made up. */
export type Reader = () => View;

/** How a kernel of elements reads a vector: without making it up where it can. */
export interface SourceReader {
  readonly kind: SourceType;
  source(): Source;
}

const same: NaryFunction = { name: "copy", text: "x0" };
const countOn: NaryFunction = {
  name: "counting",
  text: "x0 + x1 * f32(x2)",
};

/**
 * Makes a vector up in workspace, where it has no memory of its own. Compiles what that takes. TooLarge where it is not
 * one binding.
 */
export function readerOf(session: Session, vector: GpuVector): Eventual<Reader> {
  const { content } = vector;
  const isThere = content.kind === "memory" && !isLong(session.maxBinding, vector);
  return isThere ? () => viewOf(vector, content) : madeUp(session, vector);
}

/** Rejects, and does not throw, what is too long: others that are prepared with it are waited for, too. */
async function madeUp(session: Session, vector: GpuVector): Promise<Reader> {
  checkBound(session.maxBinding, vector);
  const { content, type, length, components } = vector;
  const { gpu, recorder } = session;
  const output = (): View => ({
    buffer: recorder.workspace("view of a vector", length * components * 4),
    offset: 0,
    length,
  });
  if (content.kind === "reversed" && components > 1) {
    const [input, reverse] = await Promise.all([
      readerOf(session, content.of),
      session.compiled(keyOf("reverse", components), async () => {
        const { createReverse } = await import("../elementwise/reverse.ts");
        return createReverse(gpu, components);
      }),
    ]);
    return () => written(output(), (result) => reverse.record(recorder, { input: input(), output: result }));
  }
  if (content.kind === "permuted" && (components > 1 || isLong(session.maxBinding, content.of))) {
    const [gather, map] = await Promise.all([
      gatherOf(session, content.of, false),
      readerOf(session, content.map),
    ]);
    return () => written(output(), (result) => gather([() => ({ map: map(), output: result })]));
  }
  const write = await zipOf(session, [vector], same, type);
  return () => written(output(), write);
}

function written(view: View, write: (view: View) => void): View {
  write(view);
  return view;
}

/** Gathers from one vector, with stencils or without, into several views: part after part where it is long. */
export async function gatherOf(
  session: Session,
  of: GpuVector,
  hasStencil: boolean,
): Promise<(targets: readonly (() => Omit<GatherOperands, "source" | "first">)[]) => void> {
  const { gpu, recorder, maxBinding } = session;
  const { length, components } = of;
  const parts = piecesOf(maxBinding, [of], length, components);
  const isPart = parts.length > 1;
  const [gather, sources] = await Promise.all([
    session.compiled(keyOf("gather", components, hasStencil, isPart), async () => {
      const { createGather } = await import("../gather/gather.ts");
      return createGather(gpu, components, hasStencil, isPart);
    }),
    Promise.all(parts.map((part) => readerOf(session, chunkOf(of, part)))),
  ]);
  return (targets) => {
    for (const [k, { from }] of parts.entries()) {
      recorder.scratch(() => {
        const source = sources[k]();
        for (const target of targets) {
          recorder.scratch(() => gather.record(recorder, { ...target(), source, first: from }));
        }
      });
    }
  };
}

/** A function of vectors of single words, written to a view. */
export async function zipOf(
  session: Session,
  vectors: readonly GpuVector[],
  f: NaryFunction,
  type: ScalarType,
): Promise<(output: View) => void> {
  const readers = await Promise.all(vectors.map((vector) => sourceOf(session, vector)));
  const inputs = readers.map(({ kind }) => kind);
  const transform = await session.compiled(keyOf("transform", inputs, f.text, type), async () => {
    const { createTransform } = await import("../elementwise/transform.ts");
    return createTransform(session.gpu, { name: f.name, inputs, type, text: f.text });
  });
  return (output) =>
    transform.record(session.recorder, { inputs: readers.map((reader) => reader.source()), output });
}

async function sourceOf(session: Session, vector: GpuVector): Promise<SourceReader> {
  const { content, type, length } = vector;
  switch (content.kind) {
    case "memory":
      return {
        kind: { kind: "view", type },
        source: () => ({ kind: "view", view: viewOf(vector, content) }),
      };
    case "constant":
      return { kind: { kind: "constant", type }, source: () => content };
    case "reversed": {
      const view = await readerOf(session, content.of);
      return { kind: { kind: "reversed", type }, source: () => ({ kind: "reversed", view: view() }) };
    }
    case "permuted": {
      if (isLong(session.maxBinding, content.of)) {
        const view = await readerOf(session, vector);
        return { kind: { kind: "view", type }, source: () => ({ kind: "view", view: view() }) };
      }
      const [view, map] = await Promise.all([readerOf(session, content.of), readerOf(session, content.map)]);
      return {
        kind: { kind: "permuted", type },
        source: () => ({ kind: "permuted", view: view(), map: map() }),
      };
    }
    case "counting": {
      const { first, start, step } = content;
      if (type !== "f32" || first === 0) {
        const from = type === "f32" ? start : wrapped(start, step, first);
        return { kind: { kind: "counting", type }, source: () => ({ kind: "counting", start: from, step }) };
      }
      const owner = vector.owner;
      const parts = [
        constant(owner, length, start),
        constant(owner, length, step),
        indices(owner, length, first),
      ];
      const write = await zipOf(session, parts, countOn, type);
      const label = "view of a vector";
      return {
        kind: { kind: "view", type },
        source: () => {
          const buffer = session.recorder.workspace(label, length * 4);
          return { kind: "view", view: written({ buffer, offset: 0, length }, write) };
        },
      };
    }
  }
}

/** start + step · first of integers, modulo 2³². */
const wrapped = (start: number, step: number, first: number): number =>
  ((start >>> 0) + Math.imul(step, first)) >>> 0;

const constant = (owner: object, length: number, value: number): GpuVector => ({
  owner,
  type: "f32",
  length,
  components: 1,
  content: { kind: "constant", value },
  release: () => {},
});

const indices = (owner: object, length: number, first: number): GpuVector => ({
  owner,
  type: "u32",
  length,
  components: 1,
  content: { kind: "counting", first, start: 0, step: 1 },
  release: () => {},
});
