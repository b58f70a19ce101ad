/** An action that can be undone, with its name, and what the actions of a series share. */
export interface Action {
  /** "isovalue", "remove layer": the end of "Undo …". */
  readonly name: string;
  /** Actions with the same key that follow each other closely are one step. */
  readonly key?: string;
  /** Number of a drag, all of whose actions are one step however slow it is. */
  readonly gesture?: number;
}

interface Step<Scene> {
  readonly action: Action;
  /** The scene before the action, or after it if the step is in the future. */
  readonly scene: Scene;
  /** Time of the step's latest action, in milliseconds. */
  readonly at: number;
}

/** The steps done, the latest last, and the steps undone, the next to redo last. */
export interface History<Scene> {
  readonly past: readonly Step<Scene>[];
  readonly future: readonly Step<Scene>[];
}

export const noHistory: History<never> = { past: [], future: [] };

const maxSteps = 100;
const seriesMs = 1000;

/** Records an action; `before` is the scene that it changes. Undone steps can no longer be redone. */
export function record<Scene>(
  { past }: History<Scene>,
  action: Action,
  before: Scene,
  now: number,
): History<Scene> {
  const last = past.at(-1);
  if (last && isSameStep(last, action, now))
    return { past: [...past.slice(0, -1), { ...last, at: now }], future: [] };
  return { past: [...past, { action, scene: before, at: now }].slice(-maxSteps), future: [] };
}

function isSameStep({ action: last, at }: Step<unknown>, action: Action, now: number): boolean {
  if (action.gesture !== undefined || last.gesture !== undefined) return action.gesture === last.gesture;
  return action.key !== undefined && action.key === last.key && now - at < seriesMs;
}

/** Removes the record of an action that failed. */
export function forget<Scene>(history: History<Scene>, before: Scene): History<Scene> {
  return { ...history, past: history.past.filter(({ scene }) => scene !== before) };
}

export interface HistoryMove<Scene> {
  readonly scene: Scene;
  readonly action: Action;
  readonly history: History<Scene>;
}

/** Goes to the scene before the latest action; undefined if there is none. */
export function undo<Scene>(history: History<Scene>, present: Scene): HistoryMove<Scene> | undefined {
  const last = history.past.at(-1);
  return (
    last && {
      scene: last.scene,
      action: last.action,
      history: { past: history.past.slice(0, -1), future: [...history.future, { ...last, scene: present }] },
    }
  );
}

/** Goes to the scene after the action that was undone last; undefined if there is none. */
export function redo<Scene>(history: History<Scene>, present: Scene): HistoryMove<Scene> | undefined {
  const next = history.future.at(-1);
  if (!next) return undefined;
  // An undone series has ended: an action that follows is a step of its own.
  const step: Step<Scene> = { action: { name: next.action.name }, scene: present, at: next.at };
  return {
    scene: next.scene,
    action: next.action,
    history: { past: [...history.past, step], future: history.future.slice(0, -1) },
  };
}
