/**
 * webgpu-utils names Float16Array when it is loaded; Node 20 and browsers before 2025 have none. It needs one only
 * for f16 members, which our structures have none of, so that any constructor will do while it loads.
 */
const scope = globalThis as { Float16Array?: unknown };

export const isStandIn = scope.Float16Array === undefined;

if (isStandIn) scope.Float16Array = Uint16Array;
