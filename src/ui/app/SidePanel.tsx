import type { ComponentType } from "react";
import { DataPanel } from "../data/DataPanel.tsx";
import { ExpressionsPanel } from "../expressions/ExpressionsPanel.tsx";
import { LayersActions } from "../layers/LayersActions.tsx";
import { LayersPanel } from "../layers/LayersPanel.tsx";
import { StatusPanel } from "../status/StatusPanel.tsx";
import { Section } from "./Section.tsx";
import { SectionNav } from "./SectionNav.tsx";
import styles from "./SidePanel.module.css";

const sections: readonly {
  readonly id: string;
  readonly title: string;
  readonly Panel: ComponentType;
  readonly Actions?: ComponentType;
}[] = [
  { id: "data", title: "Data", Panel: DataPanel },
  { id: "expressions", title: "Expressions", Panel: ExpressionsPanel },
  { id: "layers", title: "Layers", Panel: LayersPanel, Actions: LayersActions },
  { id: "status", title: "Status", Panel: StatusPanel },
];

export function SidePanel() {
  return (
    <aside className={styles.panel} aria-label="Panels">
      <SectionNav sections={sections} />
      <div className={styles.scroll}>
        {sections.map(({ id, title, Panel, Actions }) => (
          <Section key={id} id={id} title={title} actions={Actions && <Actions />}>
            <Panel />
          </Section>
        ))}
      </div>
    </aside>
  );
}
