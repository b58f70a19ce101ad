import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { Session } from "./store/session.ts";
import type { AppState } from "./store/state.ts";

const SessionContext = createContext<Session | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("Components need a SessionProvider around them.");
  return session;
}

/** A part of the state; the component renders again when that part is another value. */
export function useApp<Part>(select: (state: AppState) => Part): Part {
  return useStore(useSession().store, select);
}
