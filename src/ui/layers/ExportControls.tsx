import { Button, NativeSelect } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Icon } from "../controls/icons.tsx";
import { Toggle } from "../controls/Toggle.tsx";
import { useApp, useSession } from "../session-context.tsx";
import type { FieldFormat, MeshFormat } from "../store/exports.ts";
import { findChoice } from "../store/field-choice.ts";
import { histogramField, selectedLayer } from "../store/layers/state.ts";
import { allFields } from "../store/select.ts";
import styles from "./ExportControls.module.css";

interface MeshChoice {
  readonly value: string;
  readonly label: string;
  readonly format: MeshFormat;
  readonly withFields?: boolean;
}

const meshChoices: readonly MeshChoice[] = [
  { value: "stl", label: "STL", format: "stl" },
  { value: "ply", label: "PLY, with colour", format: "ply" },
  { value: "obj", label: "OBJ", format: "obj" },
  { value: "glb", label: "glTF binary", format: "glb" },
  { value: "vtp", label: "VTP", format: "vtp" },
  { value: "vtp-fields", label: "VTP, all fields", format: "vtp", withFields: true },
];

/** Exports the picture, the mesh or a field. */
export function ExportControls() {
  const { exports, store } = useSession();
  const draws = useApp(({ device, data }) => device.summary?.kind === "gpu" && data.dataSet !== undefined);
  const layer = useApp(({ layers }) => selectedLayer(layers));
  const layerCount = useApp(({ layers }) => layers.list.length);
  const dataSet = useApp(({ data }) => data.dataSet);
  const isPointSet = dataSet?.points !== undefined;
  const derived = useApp(({ data }) => data.derived);
  const names = dataSet || derived.length ? allFields(store.getState()).map(({ name }) => name) : [];
  const [scale, setScale] = useState("1");
  const [part, setPart] = useState("layer");
  const [mesh, setMesh] = useState(meshChoices[0]);
  const [reverseFacets, setReverseFacets] = useState(false);
  const [fieldFormat, setFieldFormat] = useState<FieldFormat>("vtk");
  const [chosen, setChosen] = useState<string>();
  const shown = layer && (histogramField(layer) ?? layer.colorBy);
  const ofLayer = shown === undefined ? undefined : findChoice(allFields(store.getState()), shown)?.source;
  const field = chosen !== undefined && names.includes(chosen) ? chosen : (ofLayer ?? names.at(-1));
  const vtkFormat = isPointSet ? ".vtp" : dataSet?.grid?.kind === "rectilinear" ? ".vtr" : ".vti";
  const fieldFormats: { readonly value: FieldFormat; readonly label: string }[] = [
    { value: "vtk", label: vtkFormat },
    { value: "npy", label: ".npy" },
    ...(isPointSet ? [{ value: "csv" as const, label: ".csv" }] : []),
  ];
  const format = fieldFormat === "csv" && !isPointSet ? "vtk" : fieldFormat;
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
        disabled={layerCount === 0 || isPointSet}
        onClick={() =>
          void exports.exportMesh(mesh.format, part === "layer" ? layer?.id : undefined, {
            withFields: mesh.withFields,
            reverseFacets,
          })
        }
      >
        {layerCount > 1 && (
          <NativeSelect
            size="xs"
            aria-label="What to export"
            value={part}
            onChange={({ currentTarget }) => setPart(currentTarget.value)}
            data={[
              { value: "layer", label: "Layer" },
              { value: "scene", label: "All" },
            ]}
          />
        )}
        <NativeSelect
          size="xs"
          aria-label="Mesh format"
          value={mesh.value}
          onChange={({ currentTarget: { value } }) =>
            setMesh(meshChoices.find((choice) => choice.value === value) ?? meshChoices[0])
          }
          data={meshChoices.map(({ value, label }) => ({ value, label }))}
        />
        <Toggle
          label="Reverse facets"
          title="Isosurfaces face higher values then, thresholds inwards"
          checked={reverseFacets}
          onChange={setReverseFacets}
        />
      </ExportButton>
      <ExportButton
        name="Export field"
        disabled={field === undefined}
        onClick={() => field !== undefined && void exports.exportField(field, format)}
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
          value={format}
          onChange={({ currentTarget: { value } }) =>
            setFieldFormat(fieldFormats.find((format) => format.value === value)?.value ?? "vtk")
          }
          data={fieldFormats}
        />
      </ExportButton>
    </div>
  );
}

interface ExportButtonProps {
  readonly name: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
  /** The menus beside the button, and switches below these. */
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
