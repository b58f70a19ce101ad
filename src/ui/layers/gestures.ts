/** Counts drags on the whole page, because all changes of one drag are one step of the history. */
let drags = 0;

/** The number of a drag that is starting. */
export function nextGesture(): number {
  return ++drags;
}
