import {
  type Completion,
  type CompletionContext,
  type CompletionSource,
  snippetCompletion,
} from "@codemirror/autocomplete";
import type { EditorView, Rect } from "@codemirror/view";
import type { Scope } from "../../../lang/expression/editor/analyze.ts";
import { type CompletionOption, completionsAt } from "../../../lang/expression/editor/complete.ts";

/** Fields and definitions come before functions, and those before keywords. */
const boosts: Readonly<Record<CompletionOption["type"], number>> = {
  variable: 3,
  property: 2,
  constant: 1,
  function: 0,
  keyword: -1,
};

export function completeIn(scope: () => Scope): CompletionSource {
  return ({ state, pos, explicit }: CompletionContext) => {
    const list = completionsAt(state.doc.toString(), pos, scope(), explicit);
    return list ? { ...list, options: list.options.map(toCompletion) } : null;
  };
}

function toCompletion({ template, ...option }: CompletionOption): Completion {
  const completion = { ...option, boost: boosts[option.type] };
  return template === undefined ? completion : snippetCompletion(template, completion);
}

/** The widest documentation of a completion, in pixels. */
const widestInfo = 400;

/**
 * Where a completion's documentation stands: beside the list, level with the completion, where there is room, else below
 * the whole list, or above the line that is typed.
 */
export function besideOrBelow(
  _: EditorView,
  list: Rect,
  option: Rect,
  info: Rect,
  space: Rect,
): { style: string; class: string } {
  const width = Math.min(widestInfo, info.right - info.left);
  const [left, right] = [list.left - space.left, space.right - list.right];
  const room = Math.max(left, right);
  if (room < width) {
    const height = info.bottom - info.top;
    const isAbove = space.bottom - list.bottom < height && list.top - space.top > height;
    const side = isAbove ? "bottom: calc(100% + 2em)" : "top: 100%";
    return {
      style: `${side}; left: 0; max-width: ${Math.min(widestInfo, space.right - list.left)}px`,
      class: "cm-completionInfo-below",
    };
  }
  const top = Math.max(space.top, Math.min(option.top, space.bottom - (info.bottom - info.top)));
  return {
    style: `top: ${top - list.top}px; max-width: ${Math.min(widestInfo, room)}px`,
    class: `cm-completionInfo-${right >= width ? "right" : "left"}`,
  };
}
