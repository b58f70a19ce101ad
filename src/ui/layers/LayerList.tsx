import { type DragEvent, type KeyboardEvent, useState } from "react";
import { formatCount } from "../../core/format.ts";
import type { Layer } from "../../core/layers.ts";
import { IconButton } from "../controls/IconButton.tsx";
import { Icon } from "../controls/icons.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { kindOf, kindTitles, titleOf } from "../store/layers/titles.ts";
import styles from "./LayerList.module.css";
import { layerIcons } from "./layer-icons.ts";

const dragType = "application/x-crinkle-layer";

/** The layers, the uppermost first. */
export function LayerList() {
  const layers = useApp(({ layers }) => layers.list);
  const selected = useApp(({ layers }) => layers.selected);
  if (layers.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Layers">
      {layers.toReversed().map((layer) => (
        <LayerItem
          key={layer.id}
          layer={layer}
          isSelected={layer.id === selected}
          place={layers.indexOf(layer)}
          count={layers.length}
        />
      ))}
    </ul>
  );
}

interface Props {
  readonly layer: Layer;
  readonly isSelected: boolean;
  /** From below. */
  readonly place: number;
  readonly count: number;
}

function LayerItem({ layer, isSelected, place, count }: Props) {
  const { layers } = useSession();
  const facts = useApp((state) => state.layers.facts[layer.id]);
  const [isOver, setOver] = useState(false);
  const { id, isVisible } = layer;
  const title = titleOf(layer);
  const kind = kindOf(layer);
  const triangles = facts?.counts?.triangles;
  const toggle = (): void =>
    void layers.change(id, { name: isVisible ? `hide ${title}` : `show ${title}` }, (former) => ({
      ...former,
      isVisible: !isVisible,
    }));
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (event.altKey && step) layers.move(id, place + step);
    else if (event.key === "Delete") layers.remove(id);
    else return;
    event.preventDefault();
  };
  const isOurs = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes(dragType);
  const drop = (event: DragEvent): void => {
    setOver(false);
    if (!isOurs(event)) return;
    event.preventDefault();
    layers.move(event.dataTransfer.getData(dragType), place);
  };
  return (
    <li
      className={styles.item}
      data-selected={isSelected || undefined}
      data-hidden={!isVisible || undefined}
      data-over={isOver || undefined}
      draggable
      onDragStart={({ dataTransfer }) => {
        dataTransfer.setData(dragType, id);
        dataTransfer.effectAllowed = "move";
      }}
      onDragOver={(event) => {
        if (!isOurs(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconButton
        label={isVisible ? `Hide ${title}` : `Show layer ${title}`}
        icon={isVisible ? "eye" : "eyeOff"}
        size={26}
        onClick={toggle}
      />
      <button
        type="button"
        className={styles.title}
        aria-current={isSelected || undefined}
        aria-describedby="layer-keys"
        title={`${kindTitles[kind]}: ${title}`}
        onClick={() => layers.select(id)}
        onKeyDown={key}
      >
        <Icon name={layerIcons[kind]} size={16} />
        <span className={styles.word}>
          <span className="visually-hidden">{kindTitles[kind]}: </span>
          {title}
        </span>
      </button>
      <span className={styles.count}>
        {facts?.isPending ? "…" : triangles !== undefined && kind !== "points" && formatCount(triangles)}
      </span>
      {isSelected && count > 1 && (
        <>
          <IconButton
            label={`Move ${title} up`}
            icon="up"
            size={24}
            disabled={place === count - 1}
            onClick={() => layers.move(id, place + 1)}
          />
          <IconButton
            label={`Move ${title} down`}
            icon="down"
            size={24}
            disabled={place === 0}
            onClick={() => layers.move(id, place - 1)}
          />
        </>
      )}
      <IconButton label={`Remove layer ${title}`} icon="trash" size={26} onClick={() => layers.remove(id)} />
    </li>
  );
}
