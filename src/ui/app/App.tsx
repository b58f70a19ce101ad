import { MantineProvider, useComputedColorScheme } from "@mantine/core";
import { useEffect } from "react";
import { RawLayout } from "../data/RawLayout.tsx";
import { SessionProvider, useSession } from "../session-context.tsx";
import { Stage } from "../stage/Stage.tsx";
import type { Session } from "../store/session.ts";
import { colorSchemeManager, theme } from "../theme.ts";
import styles from "./App.module.css";
import { DropZone } from "./DropZone.tsx";
import { Header } from "./Header.tsx";
import { HistoryKeys } from "./HistoryKeys.tsx";
import { SidePanel } from "./SidePanel.tsx";
import { StatusLine } from "./StatusLine.tsx";

export function App({ session, canvas }: { session: Session; canvas: HTMLCanvasElement }) {
  return (
    <MantineProvider theme={theme} colorSchemeManager={colorSchemeManager} defaultColorScheme="auto">
      <SessionProvider value={session}>
        <EngineTheme />
        <HistoryKeys />
        <div className={styles.layout}>
          <Header />
          <main className={styles.main}>
            <Stage canvas={canvas} />
            <StatusLine />
          </main>
          <SidePanel />
        </div>
        <DropZone />
        <RawLayout />
      </SessionProvider>
    </MantineProvider>
  );
}

/** Passes the page's theme to the engine's viewer. */
function EngineTheme() {
  const { view } = useSession();
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  useEffect(() => view.setTheme(scheme), [view, scheme]);
  return null;
}
