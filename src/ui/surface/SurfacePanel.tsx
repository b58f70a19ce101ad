import { NativeSelect } from "@mantine/core";
import { useMemo } from "react";
import { Notes } from "../controls/Notes.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { ColorControls } from "./ColorControls.tsx";
import { ExportControls } from "./ExportControls.tsx";
import { fieldOptions } from "./field-options.ts";
import { IsovalueSlider } from "./IsovalueSlider.tsx";

const none = "";

export function SurfacePanel() {
  const { surface } = useSession();
  const stored = useApp(({ data }) => data.dataSet?.fields);
  const derived = useApp(({ data }) => data.derived);
  // Not the settings as a whole: they change with every step of the isovalue.
  const field = useApp(({ surface: { requested, settings } }) => (requested ?? settings)?.field);
  const colorBy = useApp(({ surface: { requested, settings } }) => (requested ?? settings)?.colorBy);
  const notes = useApp(({ surface }) => surface.notes);
  const fields = useMemo(() => fieldOptions(stored ?? [], derived, field), [stored, derived, field]);
  const colors = useMemo(() => fieldOptions(stored ?? [], derived, colorBy), [stored, derived, colorBy]);
  return (
    <>
      <NativeSelect
        size="xs"
        label="Surface field"
        disabled={fields.length === 0}
        value={field ?? none}
        onChange={({ currentTarget: { value } }) =>
          value === none ? surface.hide() : void surface.showField(value)
        }
        data={[{ value: none, label: "None" }, ...fields]}
      />
      <IsovalueSlider />
      <NativeSelect
        size="xs"
        label="Colour by"
        disabled={field === undefined}
        value={colorBy ?? none}
        onChange={({ currentTarget: { value } }) => void surface.colorBy(value === none ? undefined : value)}
        data={[{ value: none, label: "None" }, ...colors]}
      />
      {colorBy !== undefined && <ColorControls />}
      <Notes notes={notes} />
      <ExportControls />
    </>
  );
}
