import { browserPremises } from "./browser-premises.ts";
import type * as api from "./cluster.ts";
import { roomInterface } from "./program-room.ts";

export { anySource, anyTag } from "../cluster/communicator/communicator.ts";
export * as reductions from "../cluster/communicator/operators/elements.ts";
export { CrinkleError } from "../core/errors.ts";
/** What `import … from "crinkle/cluster"` gives in a page; its types are those of cluster.ts. */
export const { openRoom, joinRoom }: Pick<typeof api, "openRoom" | "joinRoom"> =
  roomInterface(browserPremises);
