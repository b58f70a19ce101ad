import { Button, NativeSelect } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Icon } from "../controls/icons.tsx";
import { useApp, useSession } from "../session-context.tsx";
import type { FieldFormat, MeshFormat } from "../store/exports.ts";
import { allFields } from "../store/select.ts";
import styles from "./ExportControls.module.css";

/** What can be taken home: the picture, the mesh, a field. */
export function ExportControls() {
  const { exports, store } = useSession();
  const draws = useApp(({ device, data }) => device.summary?.kind === "gpu" && data.dataSet !== undefined);
  const hasSurface = useApp(({ surface }) => surface.settings !== undefined);
  const dataSet = useApp(({ data }) => data.dataSet);
  const derived = useApp(({ data }) => data.derived);
  const names = dataSet || derived.length ? allFields(store.getState()).map(({ name }) => name) : [];
  const [scale, setScale] = useState("1");
  const [meshFormat, setMeshFormat] = useState<MeshFormat>("stl");
  const [fieldFormat, setFieldFormat] = useState<FieldFormat>("vtk");
  const [chosen, setChosen] = useState<string>();
  const field = chosen !== undefined && names.includes(chosen) ? chosen : names.at(-1);
  const gridFormat = dataSet?.grid.kind === "rectilinear" ? ".vtr" : ".vti";
  return (
    <div className={styles.list}>
      <ExportButton
        name="Save picture"
        disabled={!draws}
        onClick={() => void exports.savePicture(Number(scale))}
      >
        <NativeSelect
          size="xs"
          aria-label="Picture size"
          value={scale}
          onChange={({ currentTarget }) => setScale(currentTarget.value)}
          data={[1, 2, 3, 4].map((n) => ({ value: String(n), label: `PNG, ${n}×` }))}
        />
      </ExportButton>
      <ExportButton
        name="Export mesh"
        disabled={!hasSurface}
        onClick={() => void exports.exportMesh(meshFormat)}
      >
        <NativeSelect
          size="xs"
          aria-label="Mesh format"
          value={meshFormat}
          onChange={({ currentTarget }) => setMeshFormat(currentTarget.value === "ply" ? "ply" : "stl")}
          data={[
            { value: "stl", label: "STL" },
            { value: "ply", label: "PLY, with colour" },
          ]}
        />
      </ExportButton>
      <ExportButton
        name="Export field"
        disabled={field === undefined}
        onClick={() => field !== undefined && void exports.exportField(field, fieldFormat)}
      >
        <NativeSelect
          size="xs"
          aria-label="Field to export"
          value={field ?? ""}
          disabled={field === undefined}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={names}
        />
        <NativeSelect
          size="xs"
          aria-label="Field format"
          value={fieldFormat}
          onChange={({ currentTarget }) => setFieldFormat(currentTarget.value === "npy" ? "npy" : "vtk")}
          data={[
            { value: "vtk", label: gridFormat },
            { value: "npy", label: ".npy" },
          ]}
        />
      </ExportButton>
    </div>
  );
}

interface ExportButtonProps {
  readonly name: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
  /** The choices beside the button. */
  readonly children: ReactNode;
}

function ExportButton({ name, disabled, onClick, children }: ExportButtonProps) {
  return (
    <div className={styles.row}>
      <Button
        size="xs"
        variant="default"
        justify="flex-start"
        leftSection={<Icon name="download" size={14} />}
        disabled={disabled}
        onClick={onClick}
      >
        {name}
      </Button>
      <div className={styles.choices}>{children}</div>
    </div>
  );
}
