import { type BoundView, bindView, type View } from "../../compute/view.ts";

/**
 * A view as array<vec4u>: undefined where its first word is no quad's first, or its buffer ends within its last quad.
 */
export function bindQuads(view: View): BoundView | undefined {
  if (view.offset % 4 !== 0) return undefined;
  const { resource, lead } = bindView(view);
  const size = Math.ceil(resource.size! / 16) * 16;
  if (resource.offset! + size > view.buffer.size) return undefined;
  return { resource: { ...resource, size }, lead };
}
