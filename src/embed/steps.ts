import { checkCancelled, type JobContext } from "../core/job.ts";
import { reverseFacets as reversed } from "../core/reverse-facets.ts";
import type { Derived, FieldShape, Prepared, Surface, TriangleMesh } from "./api.ts";
import { jobOf } from "./program.ts";
import { type BufferInput, type HostInput, type Inputs, readFields } from "./read-fields.ts";
import { readMeshOptions, type Settings } from "./read-options.ts";
import { badArgument } from "./refusal.ts";

/** A surface whose mesh faces lower values. */
export interface CutSurface extends Omit<Surface, "mesh"> {
  mesh(): Promise<TriangleMesh>;
}

/** How one kind of preparation computes a step; it is asked for one thing at a time. */
export interface Stepper<Field> {
  readonly kind: Inputs["kind"];
  /** The fields that it was prepared with. */
  readonly shapes: ReadonlyMap<string, FieldShape>;
  /** `given` are of its kind and of those shapes. */
  run(given: Inputs, job: JobContext): Promise<Derived<Field>>;
  isosurface(isovalue: number, job: JobContext): Promise<CutSurface>;
  release(): void;
}

/** A preparation as its caller sees it: checks what is given, and that steps do not overlap. */
export function prepared<Input, Field>(stepper: Stepper<Field>, settings: Settings): Prepared<Input, Field> {
  let busy: string | undefined;
  let hasRun = false;
  let isReleased = false;

  async function turn<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (isReleased) throw badArgument("The preparation was released.", "Prepare the expression again.");
    if (busy) throw badArgument(`${what} was called while ${busy} is under way.`, "Await it first.");
    checkCancelled(jobOf(settings), "Computing the expression");
    busy = what;
    try {
      return await work();
    } finally {
      busy = undefined;
      if (isReleased) stepper.release();
    }
  }

  return {
    run: (fields = {}) =>
      turn("run", async () => {
        hasRun = false;
        const derived = await stepper.run(stepInputs(stepper, readFields(fields)), jobOf(settings));
        hasRun = true;
        return derived;
      }),
    isosurface: (isovalue) =>
      turn("isosurface", async () => {
        if (!settings.surface) {
          throw badArgument("No surface was prepared.", "Give prepare the option surface: { field: “…” }.");
        }
        if (!hasRun) throw badArgument("There is no step to cut a surface from.", "Await run() first.");
        const surface = await stepper.isosurface(isovalue, jobOf(settings));
        return {
          ...surface,
          async mesh(options = {}) {
            const { reverseFacets } = readMeshOptions(options);
            const mesh = await surface.mesh();
            return reverseFacets ? reversed(mesh) : mesh;
          },
        };
      }),
    release() {
      const wasReleased = isReleased;
      isReleased = true;
      if (!busy && !wasReleased) stepper.release();
    },
  };
}

/** A step's fields with the shapes that they were prepared with. Throws BadArgument where they say others. */
function stepInputs({ kind, shapes }: Stepper<unknown>, given: Inputs): Inputs {
  const shaped = <Input extends HostInput | BufferInput>(input: Input): Input => {
    const { name } = input;
    const shape = shapes.get(name);
    if (!shape) {
      throw badArgument(
        `“${name}” is no field of the preparation.`,
        `It has ${[...shapes.keys()].join(", ")}.`,
      );
    }
    if (given.kind !== kind) {
      const [was, is] = kind === "host" ? ["an array", "a GPU buffer"] : ["a GPU buffer", "an array"];
      throw badArgument(
        `The field “${name}” was ${was} and is ${is} now.`,
        "Prepare the expression again for it.",
      );
    }
    const { components = shape.components, centering = shape.centering } = input;
    if (components !== shape.components || centering !== shape.centering) {
      throw badArgument(
        `The field “${name}” had ${described(shape)} and has ${described({ components, centering })} now.`,
        "Prepare the expression again for it.",
      );
    }
    return { ...input, components, centering };
  };
  return given.kind === "host"
    ? { kind: "host", fields: given.fields.map(shaped) }
    : { kind: "buffer", fields: given.fields.map(shaped) };
}

const described = ({ components, centering }: FieldShape) =>
  `${components} ${components === 1 ? "component" : "components"} a ${centering}`;
