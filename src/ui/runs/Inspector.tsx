import "@mantine/core/styles/Tabs.css";
import { Modal, Tabs } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useApp } from "../session-context.tsx";
import { isOnRanks } from "../store/view-source.ts";
import { CompareView } from "./CompareView.tsx";
import styles from "./Inspector.module.css";
import { runsOf } from "./inspection.ts";
import { NetworkView } from "./NetworkView.tsx";
import { RunView } from "./RunView.tsx";
import { ShadersView } from "./ShadersView.tsx";
import { useInspection } from "./use-inspection.ts";
import { WorkBar } from "./WorkBar.tsx";

/**
 * Shows how the editor's text runs on the open data: the cost of a run by each strategy, its network and its kernels.
 */
export default function Inspector({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const actions = useInspection();
  const { known } = actions;
  const { text, dataSet } = known.subject;
  const last = useApp(({ expressions }) => expressions.computed);
  const computed = last?.text === text && last.dataSet === dataSet ? last.run : undefined;
  const isNarrow = useMediaQuery("(max-width: 800px)", undefined, { getInitialValueInEffect: false });
  const hasGpu = useApp(({ device }) => device.summary?.kind === "gpu");
  const isTheirs = useApp(({ data }) => isOnRanks(data.source));
  const isReady = text.trim() !== "" && dataSet !== undefined;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="How it runs"
      size={1080}
      fullScreen={isNarrow}
      closeButtonProps={{ "aria-label": "Close" }}
      classNames={{ title: styles.title, body: styles.body, content: styles.content, header: styles.header }}
    >
      {isReady ? (
        <>
          <p className={styles.text}>
            <span className="visually-hidden">Expression: </span>
            {text.trim()}
          </p>
          {isTheirs ? (
            <div className={styles.whole}>
              <OnRanks name={dataSet.name} />
              <NetworkView actions={actions} canMeasure={false} />
            </div>
          ) : (
            <Tabs
              defaultValue="run"
              keepMounted={false}
              classNames={{ root: styles.tabs, tab: styles.tab, panel: styles.panel }}
            >
              <Tabs.List>
                <Tabs.Tab value="run">Run</Tabs.Tab>
                <Tabs.Tab value="strategies">Strategies</Tabs.Tab>
                <Tabs.Tab value="network">Network</Tabs.Tab>
                <Tabs.Tab value="shaders">Shaders</Tabs.Tab>
              </Tabs.List>
              <WorkBar known={known} />
              <Tabs.Panel value="run">
                {hasGpu ? <RunView actions={actions} computed={computed} /> : <NoGpu />}
              </Tabs.Panel>
              <Tabs.Panel value="strategies">
                {hasGpu ? <CompareView actions={actions} /> : <NoGpu />}
              </Tabs.Panel>
              <Tabs.Panel value="network">
                <NetworkView actions={actions} canMeasure={hasGpu} />
              </Tabs.Panel>
              <Tabs.Panel value="shaders">
                {hasGpu ? <ShadersView runs={runsOf(computed, known)} /> : <NoGpu />}
              </Tabs.Panel>
            </Tabs>
          )}
        </>
      ) : (
        <p className={styles.note}>
          {dataSet ? "Type an expression first." : "Open a data set and type an expression first."}
        </p>
      )}
    </Modal>
  );
}

function OnRanks({ name }: { name: string }) {
  return (
    <p className={styles.note}>
      The values of “{name}” are on the ranks that read them, which compute expressions themselves, each in
      its part of the grid. Strategies, their costs and their shaders are for data that this page holds. The
      Cluster panel shows what each rank did; this is what they compute:
    </p>
  );
}

function NoGpu() {
  return (
    <p className={styles.note}>
      Strategies and shaders are for GPUs only. Without a GPU, the expression is computed on the CPU in chunks
      that fit its cache; all cores share them when there is enough work.
    </p>
  );
}
