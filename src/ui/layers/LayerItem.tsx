import { type DragEvent, type KeyboardEvent, type SyntheticEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { formatCount } from "../../core/format.ts";
import { isSurface, type Layer } from "../../core/layers.ts";
import { kindOf, kindTitles, titleOf } from "../../engine/layers/titles.ts";
import { IconButton } from "../controls/IconButton.tsx";
import { Icon } from "../controls/icons.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { counted } from "../store/cluster-sentences.ts";
import styles from "./LayerItem.module.css";
import { layerIcons } from "./layer-icons.ts";
import { TitleField } from "./TitleField.tsx";

const dragType = "application/x-crinkle-layer";

interface Props {
  readonly layer: Layer;
  readonly isSelected: boolean;
  /** Index in the list, counted from below. */
  readonly place: number;
  readonly count: number;
}

/** A layer in the list, with its title and the buttons that hide, move and remove it. */
export function LayerItem({ layer, isSelected, place, count }: Props) {
  const { layers } = useSession();
  const facts = useApp((state) => state.layers.facts[layer.id]);
  const [isOver, setOver] = useState(false);
  const [isNamed, setNamed] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { id, isVisible, shape } = layer;
  const title = titleOf(layer);
  const kind = kindOf(layer);
  const triangles = facts?.counts?.triangles;
  const toggle = (): void =>
    void layers.change(id, { name: isVisible ? `hide ${title}` : `show ${title}` }, (former) => ({
      ...former,
      isVisible: !isVisible,
    }));
  const remove = ({ currentTarget }: SyntheticEvent): void => {
    focusBeside(currentTarget);
    layers.remove(id);
  };
  const endNaming = (name: string | undefined, isByKey: boolean): void => {
    // Synchronously, because the focus returns to the title's button, which must exist.
    flushSync(() => setNamed(false));
    if (isByKey) button.current?.focus();
    if (name !== undefined) layers.rename(id, name);
  };
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (event.altKey && step) layers.move(id, place + step);
    else if (event.key === "Delete") remove(event);
    else if (event.key === "F2") setNamed(true);
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
      draggable={!isNamed}
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
        label={isVisible ? `Hide layer ${title}` : `Show layer ${title}`}
        icon={isVisible ? "eye" : "eyeOff"}
        size={26}
        onClick={toggle}
      />
      {isNamed ? (
        <TitleField
          kind={kind}
          title={title}
          automatic={titleOf({ shape, title: undefined })}
          onEnd={endNaming}
        />
      ) : (
        <button
          ref={button}
          type="button"
          className={styles.title}
          aria-current={isSelected || undefined}
          aria-describedby="layer-keys"
          title={`${kindTitles[kind]}: ${title}. Double-click it or press F2 to rename it.`}
          onClick={() => layers.select(id)}
          onDoubleClick={() => setNamed(true)}
          onKeyDown={key}
        >
          <Icon name={layerIcons[kind]} size={16} />
          <span className={styles.word}>
            <span className="visually-hidden">{kindTitles[kind]}: </span>
            {title}
          </span>
        </button>
      )}
      {!isNamed && (
        <>
          <span className={styles.count}>
            {facts?.made && !facts.isPending && (
              <span title="Made by the ranks of the room">{counted(facts.made.ranks.length, "rank")} · </span>
            )}
            {facts?.isPending ? "…" : triangles !== undefined && isSurface(shape) && formatCount(triangles)}
          </span>
          {isSelected && (
            <IconButton
              label={`Rename ${title} (F2)`}
              icon="pencil"
              size={24}
              onClick={() => setNamed(true)}
            />
          )}
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
          <IconButton label={`Remove layer ${title}`} icon="trash" size={26} onClick={remove} />
        </>
      )}
    </li>
  );
}

/**
 * Moves the focus of a removed layer to the next one in the list, else to the previous one, else to the button that
 * adds layers.
 */
function focusBeside(inRow: Element): void {
  const row = inRow.closest("li");
  const near = row?.nextElementSibling ?? row?.previousElementSibling;
  const next = near?.querySelector<HTMLElement>("button[aria-describedby]");
  (next ?? document.querySelector<HTMLElement>("[data-adds-layers]"))?.focus();
}
