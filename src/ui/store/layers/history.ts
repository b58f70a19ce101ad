/** A deed that can be undone: how people call it, and what a series of its kind has in common. */
export interface Deed {
  /** "isovalue", "remove layer": the end of "Undo …". */
  readonly name: string;
  /** Deeds of one key that follow each other closely are one step. */
  readonly key?: string;
  /** One drag: its deeds are one step however slow the hand is. */
  readonly gesture?: number;
}

interface Step<Scene> {
  readonly deed: Deed;
  /** What was there before the deed, or after it where the step lies in the future. */
  readonly scene: Scene;
  /** Of the step's latest deed, in milliseconds. */
  readonly at: number;
}

/** What was there before each deed, the latest last, and what has been undone, the next to redo last. */
export interface History<Scene> {
  readonly past: readonly Step<Scene>[];
  readonly future: readonly Step<Scene>[];
}

export const noHistory: History<never> = { past: [], future: [] };

const mostSteps = 100;
const seriesMs = 1000;

/** Notes a deed; `before` is the scene that it changes. What had been undone cannot be redone any more. */
export function record<Scene>(
  { past }: History<Scene>,
  deed: Deed,
  before: Scene,
  now: number,
): History<Scene> {
  const last = past.at(-1);
  if (last && isSameStep(last, deed, now))
    return { past: [...past.slice(0, -1), { ...last, at: now }], future: [] };
  return { past: [...past, { deed, scene: before, at: now }].slice(-mostSteps), future: [] };
}

function isSameStep({ deed: last, at }: Step<unknown>, deed: Deed, now: number): boolean {
  if (deed.gesture !== undefined || last.gesture !== undefined) return deed.gesture === last.gesture;
  return deed.key !== undefined && deed.key === last.key && now - at < seriesMs;
}

/** Takes back the note of a deed that failed. */
export function forget<Scene>(history: History<Scene>, before: Scene): History<Scene> {
  return { ...history, past: history.past.filter(({ scene }) => scene !== before) };
}

export interface Travel<Scene> {
  readonly scene: Scene;
  readonly deed: Deed;
  readonly history: History<Scene>;
}

/** The scene before the latest deed; undefined where there is none. */
export function undo<Scene>(history: History<Scene>, present: Scene): Travel<Scene> | undefined {
  const last = history.past.at(-1);
  return (
    last && {
      scene: last.scene,
      deed: last.deed,
      history: { past: history.past.slice(0, -1), future: [...history.future, { ...last, scene: present }] },
    }
  );
}

/** The scene after the deed that was undone last; undefined where there is none. */
export function redo<Scene>(history: History<Scene>, present: Scene): Travel<Scene> | undefined {
  const next = history.future.at(-1);
  if (!next) return undefined;
  // A series that was undone is over: what follows is a step of its own.
  const step: Step<Scene> = { deed: { name: next.deed.name }, scene: present, at: next.at };
  return {
    scene: next.scene,
    deed: next.deed,
    history: { past: [...history.past, step], future: history.future.slice(0, -1) },
  };
}
