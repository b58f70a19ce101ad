import { DataPanel } from "../data/DataPanel.tsx";
import { ExpressionsPanel } from "../expressions/ExpressionsPanel.tsx";
import { StatusPanel } from "../status/StatusPanel.tsx";
import { SurfacePanel } from "../surface/SurfacePanel.tsx";
import { Section } from "./Section.tsx";
import { SectionNav } from "./SectionNav.tsx";
import styles from "./SidePanel.module.css";

const sections = [
  { id: "data", title: "Data", Panel: DataPanel },
  { id: "expressions", title: "Expressions", Panel: ExpressionsPanel },
  { id: "surface", title: "Surface", Panel: SurfacePanel },
  { id: "status", title: "Status", Panel: StatusPanel },
] as const;

export function SidePanel() {
  return (
    <aside className={styles.panel} aria-label="Panels">
      <SectionNav sections={sections} />
      <div className={styles.scroll}>
        {sections.map(({ id, title, Panel }) => (
          <Section key={id} id={id} title={title}>
            <Panel />
          </Section>
        ))}
      </div>
    </aside>
  );
}
