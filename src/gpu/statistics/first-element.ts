import type { GpuContext } from "../device/context.ts";
import type { GpuField } from "../fields/gpu-field.ts";
import { type Fragment, linkFragments } from "../shader/fragment.ts";
import { element, reduceElements } from "./element.ts";

const find: Fragment = {
  name: "find",
  requires: [element],
  code: /* wgsl */ `
/** The complement of the least index, so that 0 is none. */
@group(0) @binding(3) var<storage, read_write> found: atomic<u32>;

@compute @workgroup_size(threads)
fn find(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = thread.x; i < shape.count; i += groups.x * threads) {
    let item = element_at(i);
    if (item.kind == is_number && item.value == shape.wanted) {
      atomicMax(&found, ~i);
      return;
    }
  }
}
`,
};

const shader = { label: "first element", code: linkFragments(find), entryPoint: "find" };

/** The least index of an element of this value (less a scalar's offset, or a magnitude); undefined where there is none. */
export async function firstElement(
  gpu: GpuContext,
  field: GpuField,
  wanted: number,
): Promise<number | undefined> {
  const [complement] = new Uint32Array(await reduceElements(gpu, shader, field, () => 4, { wanted }));
  return complement === 0 ? undefined : ~complement >>> 0;
}
