import { useApp, useSession } from "../session-context.tsx";
import { selectedLayer } from "../store/layers/state.ts";
import { ExportControls } from "./ExportControls.tsx";
import { FieldSelect } from "./FieldSelect.tsx";
import { LayerControls } from "./LayerControls.tsx";
import { LayerList } from "./LayerList.tsx";

export function LayersPanel() {
  const layer = useApp(({ layers }) => selectedLayer(layers));
  return (
    <>
      <p id="layer-keys" className="visually-hidden">
        F2 renames the layer; Alt with an arrow key moves it up or down; Delete removes it.
      </p>
      <LayerList />
      {layer ? <LayerControls layer={layer} /> : <FirstSurface />}
      <ExportControls />
    </>
  );
}

/** Shown while no layer is selected: a menu of fields to start with. */
function FirstSurface() {
  const { layers } = useSession();
  const isGrid = useApp(({ data }) => data.dataSet?.grid !== undefined);
  const draws = useApp(({ device }) => device.summary?.kind === "gpu");
  if (!isGrid || !draws) return null;
  return (
    <FieldSelect
      label="Surface field"
      value={undefined}
      none="None"
      onChange={(field) => void layers.showField(field)}
    />
  );
}
