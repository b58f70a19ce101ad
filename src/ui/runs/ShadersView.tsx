import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { formatMilliseconds } from "../../core/format.ts";
import { CopyButton } from "../controls/CopyButton.tsx";
import shared from "./Inspector.module.css";
import type { NamedRun } from "./inspection.ts";
import styles from "./ShadersView.module.css";

/** The generated WGSL of each kernel that has run. */
export function ShadersView({ runs }: { runs: readonly NamedRun[] }) {
  const [name, setName] = useState<string>();
  const [index, setIndex] = useState(0);
  const chosen = runs.find((run) => run.name === name) ?? runs[0];
  const kernel = chosen?.run.kernelReports[index] ?? chosen?.run.kernelReports[0];
  if (!chosen || !kernel) {
    return (
      <p className={shared.note}>
        Compute the expression, run it or compare strategies: the generated shaders appear here.
      </p>
    );
  }
  const { kernelReports } = chosen.run;
  return (
    <>
      <div className={shared.controls}>
        <NativeSelect
          label="Run"
          size="xs"
          data={runs.map((run) => run.name)}
          value={chosen.name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            setIndex(0);
          }}
        />
        <NativeSelect
          label="Kernel"
          size="xs"
          className={styles.kernel}
          data={kernelReports.map(({ label, ms }, i) => ({
            value: String(i),
            label: `${i + 1} of ${kernelReports.length}: ${label}${ms === undefined ? "" : `, ${formatMilliseconds(ms)}`}`,
          }))}
          value={String(kernelReports.indexOf(kernel))}
          onChange={({ currentTarget }) => setIndex(Number(currentTarget.value))}
        />
        <CopyButton label="Copy shader" text={kernel.wgsl} />
      </div>
      <Code text={kernel.wgsl} />
    </>
  );
}

function Code({ text }: { text: string }) {
  const lines = text.trimEnd().split("\n");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
    <section className={styles.code} aria-label="WGSL" tabIndex={0}>
      <pre className={styles.numbers} aria-hidden="true">
        {lines.map((_, i) => i + 1).join("\n")}
      </pre>
      <pre className={styles.lines}>{lines.join("\n")}</pre>
    </section>
  );
}
