import { CloseButton } from "@mantine/core";
import { formatNumber } from "../../core/format.ts";
import type { Bounds } from "../../core/grid.ts";
import type { NearPoint } from "../../engine/api.ts";
import { titleOf } from "../../engine/layers/titles.ts";
import { CopyButton } from "../controls/CopyButton.tsx";
import { FactList } from "../controls/FactList.tsx";
import { useBounds } from "../layers/use-bounds.ts";
import { useApp, useSession } from "../session-context.tsx";
import { findLayer } from "../store/layers/state.ts";
import styles from "./PickedCard.module.css";
import { describePosition, describeValue, pickFacts, pickText } from "./probe-text.ts";

/** Shows what was clicked: the triangle's cell and the values there, or the nearest points. */
export default function PickedCard() {
  const { probe } = useSession();
  const picked = useApp(({ probe }) => probe.picked);
  const layer = useApp((state) => picked && findLayer(state.layers, picked.layer));
  const bounds = useBounds();
  if (!picked) return null;
  const title = layer ? titleOf(layer) : picked.layer;
  return (
    <section className={styles.card} aria-label="Picked">
      <header className={styles.head}>
        <h2 className={styles.title}>Picked</h2>
        <CopyButton label="Copy" text={pickText(picked, title)} />
        <CloseButton size="sm" aria-label="Close the picked values" onClick={probe.dismissPick} />
      </header>
      <div className={styles.body}>
        <FactList facts={pickFacts(picked, title, bounds)} />
        {picked.nearest && <NearestTable points={picked.nearest} bounds={bounds} />}
      </div>
    </section>
  );
}

function NearestTable({ points, bounds }: { points: readonly NearPoint[]; bounds: Bounds }) {
  const columns = points[0]?.values.map(({ name }) => name) ?? [];
  return (
    <table className={styles.table}>
      <caption>Nearest points</caption>
      <thead>
        <tr>
          {["Point", "Distance", "Position", ...columns].map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <tr key={point.index}>
            <th scope="row">{point.index}</th>
            <td>{formatNumber(point.distance)}</td>
            <td>{describePosition(point.position, bounds)}</td>
            {point.values.map((value) => (
              <td key={value.name}>{describeValue(value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
