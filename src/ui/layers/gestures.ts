/** Counts drags over the whole page: what one drag changes is one step of the history. */
let drags = 0;

/** The number of a drag that begins. */
export function nextGesture(): number {
  return ++drags;
}
