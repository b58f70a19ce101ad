import { type ReactNode, useEffect, useState } from "react";
import { useApp, useSession } from "../session-context.tsx";
import { loadCode } from "../store/load-code.ts";
import { loadFailedStyles } from "./failed-styles.ts";

/** A part of the page whose code is loaded when it is first needed. */
export interface LazyPart<Module> {
  /** The name with which an error's sentence begins: "The help". */
  readonly name: string;
  readonly load: () => Promise<Module>;
  loaded: Module | undefined;
}

export function lazyPart<Module>(name: string, load: () => Promise<Module>): LazyPart<Module> {
  return { name, load, loaded: undefined };
}

interface Props<Module> {
  readonly part: LazyPart<Module>;
  /** Each new value other than undefined starts or retries loading. */
  readonly wish: string | object | undefined;
  /** Called when the user dismisses the error of a part that could not be loaded. */
  readonly onGiveUp?: () => void;
  readonly children: (module: Module) => ReactNode;
}

/** Shows a part once its code is loaded. If loading fails, an alert says so and offers to try again. */
export function LazyBoundary<Module>({ part, wish, onGiveUp, children }: Props<Module>): ReactNode {
  const session = useSession();
  const [attempt, setAttempt] = useState(0);
  const [again] = useState(() => () => setAttempt((count) => count + 1));
  const [, setLoaded] = useState(part.loaded);
  const isAlerted = useApp(({ alert }) => alert?.again === again);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each wish and each attempt loads
  useEffect(() => {
    if (part.loaded || wish === undefined) return;
    let isGone = false;
    const load = async (): Promise<Module> => {
      await loadFailedStyles();
      return loadCode(part.load);
    };
    load().then(
      (module) => {
        part.loaded = module;
        if (isGone) return;
        setLoaded(module);
        if (session.store.getState().alert?.again === again) session.dismissAlert();
      },
      () => {
        if (!isGone) session.notLoaded(part.name, again);
      },
    );
    return () => {
      isGone = true;
    };
  }, [part, wish, attempt, session, again]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of the alert counts
  useEffect(() => {
    if (!isAlerted) return;
    return () => {
      if (!part.loaded) onGiveUp?.();
    };
  }, [isAlerted]);
  return part.loaded ? children(part.loaded) : null;
}
