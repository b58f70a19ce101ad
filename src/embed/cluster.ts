/** What `import … from "crinkle/cluster"` gives, in a page (browser-cluster.ts) and in Node (node/cluster.ts). */
import type { ElementReduction } from "../cluster/communicator/operators.ts";
import type { JoinRoom, OpenRoom } from "./cluster-api.ts";

export { anySource, anyTag } from "../cluster/communicator/communicator.ts";
export { CrinkleError } from "../core/errors.ts";
export type * from "./cluster-api.ts";

export declare const openRoom: OpenRoom;
export declare const joinRoom: JoinRoom;

/** Operators of the communicator's reductions, element by element. */
export declare const reductions: Readonly<
  Record<"add" | "min" | "max" | "mul" | "and" | "or" | "xor", ElementReduction>
>;
