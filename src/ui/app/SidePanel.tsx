import type { ComponentType } from "react";
import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";
import { DataPanel } from "../data/DataPanel.tsx";
import { ExpressionsPanel } from "../expressions/ExpressionsPanel.tsx";
import { LayersActions } from "../layers/LayersActions.tsx";
import { LayersPanel } from "../layers/LayersPanel.tsx";
import { useApp } from "../session-context.tsx";
import { StatusPanel } from "../status/StatusPanel.tsx";
import { Section } from "./Section.tsx";
import { SectionNav } from "./SectionNav.tsx";
import styles from "./SidePanel.module.css";

interface PanelSection {
  readonly id: string;
  readonly title: string;
  readonly Panel: ComponentType;
  readonly Actions?: ComponentType;
}

const allSections: readonly PanelSection[] = [
  { id: "data", title: "Data", Panel: DataPanel },
  { id: "expressions", title: "Expressions", Panel: ExpressionsPanel },
  { id: "layers", title: "Layers", Panel: LayersPanel, Actions: LayersActions },
  { id: "status", title: "Status", Panel: StatusPanel },
];

const simulation = lazyPart("The panel of the simulation", () => import("../simulate/SimulationPanel.tsx"));

function Simulation() {
  return (
    <LazyBoundary part={simulation} wish="shown">
      {({ default: SimulationPanel }) => <SimulationPanel />}
    </LazyBoundary>
  );
}

const withSimulation: readonly PanelSection[] = [
  { id: "simulation", title: "Simulation", Panel: Simulation },
  ...allSections,
];

export function SidePanel() {
  const isLattice = useApp(({ lattice }) => lattice !== undefined);
  const sections = isLattice ? withSimulation : allSections;
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
