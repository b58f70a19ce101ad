/** An action that can be undone: how people call it, and what a series of its kind has in common. */
export interface Action {
  /** "isovalue", "remove layer": the end of "Undo …". */
  readonly name: string;
  /** Deeds of one key that follow each other closely are one step. */
  readonly key?: string;
  /** One drag: its actions are one step however slow the hand is. */
  readonly gesture?: number;
}

interface Step<Scene> {
  readonly action: Action;
  /** What was there before the action, or after it where the step lies in the future. */
  readonly scene: Scene;
  /** Of the step's latest action, in milliseconds. */
  readonly at: number;
}

/** What was there before each action, the latest last, and what has been undone, the next to redo last. */
export interface History<Scene> {
  readonly past: readonly Step<Scene>[];
  readonly future: readonly Step<Scene>[];
}

export const noHistory: History<never> = { past: [], future: [] };

const maxSteps = 100;
const seriesMs = 1000;

/** Notes an action; `before` is the scene that it changes. What had been undone cannot be redone any more. */
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

/** Takes back the note of an action that failed. */
export function forget<Scene>(history: History<Scene>, before: Scene): History<Scene> {
  return { ...history, past: history.past.filter(({ scene }) => scene !== before) };
}

export interface HistoryMove<Scene> {
  readonly scene: Scene;
  readonly action: Action;
  readonly history: History<Scene>;
}

/** The scene before the latest action; undefined where there is none. */
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

/** The scene after the action that was undone last; undefined where there is none. */
export function redo<Scene>(history: History<Scene>, present: Scene): HistoryMove<Scene> | undefined {
  const next = history.future.at(-1);
  if (!next) return undefined;
  // A series that was undone is over: what follows is a step of its own.
  const step: Step<Scene> = { action: { name: next.action.name }, scene: present, at: next.at };
  return {
    scene: next.scene,
    action: next.action,
    history: { past: [...history.past, step], future: history.future.slice(0, -1) },
  };
}
