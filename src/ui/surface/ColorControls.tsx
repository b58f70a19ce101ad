import { NativeSelect, Switch } from "@mantine/core";
import { NumberField } from "../controls/NumberField.tsx";
import { useApp, useSession } from "../session-context.tsx";
import styles from "./ColorControls.module.css";
import { ColorMapMenu } from "./ColorMapMenu.tsx";

const rangeMeanings = {
  automatic: "All finite values of the colour field",
  surface: "The colour field’s values on the surface, without the outermost 1 % at either end",
  set: "Two numbers of your choice",
};

/** How the colour field's numbers become colours. */
export function ColorControls() {
  const { view } = useSession();
  const { reversed, range, nanColor } = useApp(({ colors }) => colors);
  const statistics = useApp(({ surface }) => surface.colorStatistics);
  const bar = useApp(({ scalarBar }) => scalarBar);
  const isSet = range !== undefined && range !== "surface";
  const shown = bar ? ([bar.min, bar.max] as const) : ([statistics?.min ?? 0, statistics?.max ?? 1] as const);
  const [low, high] = isSet ? range : shown;
  return (
    <div className={styles.controls}>
      <ColorMapMenu />
      <div className={styles.row}>
        <Switch
          size="xs"
          label="Reversed"
          checked={reversed}
          onChange={({ currentTarget }) => view.setColors({ reversed: currentTarget.checked })}
        />
        <label className={styles.nan}>
          NaN colour
          <input
            type="color"
            value={nanColor}
            onChange={({ currentTarget }) => view.setColors({ nanColor: currentTarget.value })}
          />
        </label>
      </div>
      <div className={styles.range}>
        <NativeSelect
          size="xs"
          label="Colour range"
          value={isSet ? "set" : (range ?? "automatic")}
          title={rangeMeanings[isSet ? "set" : (range ?? "automatic")]}
          onChange={({ currentTarget: { value } }) =>
            view.setColors({ range: value === "set" ? shown : value === "surface" ? value : undefined })
          }
          data={[
            { value: "automatic", label: "Automatic" },
            { value: "surface", label: "Surface" },
            { value: "set", label: "Set" },
          ]}
        />
        <NumberField
          label="From"
          value={low}
          range={statistics}
          disabled={!isSet}
          onCommit={(value) => view.setColors({ range: ordered(value, high) })}
        />
        <NumberField
          label="To"
          value={high}
          range={statistics}
          disabled={!isSet}
          onCommit={(value) => view.setColors({ range: ordered(low, value) })}
        />
      </div>
    </div>
  );
}

function ordered(a: number, b: number): [number, number] {
  return a <= b ? [a, b] : [b, a];
}
