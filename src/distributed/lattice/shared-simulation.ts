/** A model's state on all ranks of a communicator, which rank 0 drives as if it were its own. */
import type { Communicator, Value } from "../../cluster/communicator/communicator.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { brushConstants, brushOf } from "../../core/lattice/brush.ts";
import type { LatticeArrays, LatticePlan, Numbers } from "../../core/lattice/model.ts";
import type { Simulation, Stroke } from "../../core/lattice/simulation.ts";

/** Calls that all ranks make alike, one after the other. Rank 0 gets the results. */
export interface SharedSimulation {
  run(sweeps: number, parameters: Numbers): Promise<readonly Numbers[] | undefined>;
  read(): Promise<LatticeArrays | undefined>;
  field(name: string): Promise<Int8Array<ArrayBuffer> | Float32Array<ArrayBuffer> | undefined>;
  draw(stroke: Stroke): Promise<void>;
  dispose(): void;
}

type Call =
  | { readonly kind: "run"; readonly sweeps: number; readonly parameters: Numbers }
  | { readonly kind: "read" }
  | { readonly kind: "field"; readonly name: string }
  | ({ readonly kind: "draw" } & Stroke)
  | { readonly kind: "end" };

type Broadcast = Pick<Communicator, "bcast">;

/** What `lead` gives: the simulation, and what lets the other ranks go. */
export interface LedSimulation extends Simulation {
  end(): Promise<void>;
}

/** On rank 0: a simulation whose calls are made by all ranks, of which the others `follow`. */
export function lead(communicator: Broadcast, plan: LatticePlan, shared: SharedSimulation): LedSimulation {
  let last: Promise<unknown> = Promise.resolve();
  /** Sends the others a call, and makes it, after the calls before. */
  const call = <R>(sent: Call, make: () => Promise<R | undefined>): Promise<R> => {
    const made = last.then(async () => {
      await communicator.bcast<Value>(sent as unknown as Value, 0);
      return (await make()) as R;
    });
    last = made.catch(() => {});
    return made;
  };
  return {
    run: (sweeps, parameters) =>
      call({ kind: "run", sweeps, parameters }, () => shared.run(sweeps, parameters)),
    read: () => call({ kind: "read" }, () => shared.read()),
    field: (name) => call({ kind: "field", name }, () => shared.field(name)),
    async brush() {
      brushOf(plan);
      return (stroke) => {
        brushConstants(plan, stroke);
        call({ kind: "draw", ...stroke }, () => shared.draw(stroke)).catch(() => {});
      };
    },
    end: () => call({ kind: "end" }, async () => undefined),
    dispose: () => shared.dispose(),
  };
}

/** On the other ranks: makes the calls of rank 0 until it ends them. */
export async function follow(communicator: Broadcast, shared: SharedSimulation): Promise<void> {
  for (;;) {
    // Rank 0 runs the same program.
    const call = (await communicator.bcast<Value>(undefined, 0)) as unknown as Call;
    switch (call.kind) {
      case "run":
        await shared.run(call.sweeps, call.parameters);
        break;
      case "read":
        await shared.read();
        break;
      case "field":
        await shared.field(call.name);
        break;
      case "draw":
        await shared.draw(call);
        break;
      case "end":
        return;
      default:
        throw badMessage("a call of no simulation");
    }
  }
}
