import { useDocumentTitle, useFullscreenDocument } from "@mantine/hooks";
import { BenchButton } from "../bench/BenchButton.tsx";
import { ShareButton } from "../cluster/ShareButton.tsx";
import { IconButton } from "../controls/IconButton.tsx";
import { LayoutsButton } from "../layouts/LayoutsButton.tsx";
import { PaletteButton } from "../palette/PaletteButton.tsx";
import { useApp } from "../session-context.tsx";
import { SimulateButton } from "../simulate/SimulateButton.tsx";
import { ViewMenu } from "../views/ViewMenu.tsx";
import styles from "./Header.module.css";
import { HelpButton } from "./HelpButton.tsx";
import { Logo } from "./Logo.tsx";
import { OpenButton } from "./OpenButton.tsx";
import { SampleMenu } from "./SampleMenu.tsx";
import { ThemeButton } from "./ThemeButton.tsx";

export function Header() {
  const name = useApp(({ data }) => data.dataSet?.name);
  const { toggle, fullscreen } = useFullscreenDocument();
  useDocumentTitle(name ? `${name} – Crinkle` : "Crinkle");
  return (
    <header className={styles.header}>
      <Logo />
      <h1 className={styles.word}>Crinkle</h1>
      <p className={styles.name} title={name}>
        {name}
      </p>
      <SampleMenu />
      <SimulateButton />
      <OpenButton />
      <ShareButton />
      <div className={styles.tools}>
        <span className={styles.wide}>
          <PaletteButton />
        </span>
        <ViewMenu />
        <ThemeButton />
        {document.fullscreenEnabled && (
          <span className={styles.wide}>
            <IconButton
              label={fullscreen ? "Leave full screen" : "Full screen"}
              icon="expand"
              onClick={() => void toggle()}
            />
          </span>
        )}
        <LayoutsButton />
        <BenchButton />
        <HelpButton />
      </div>
    </header>
  );
}
