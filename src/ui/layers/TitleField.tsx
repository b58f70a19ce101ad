import { useRef } from "react";
import { Icon } from "../controls/icons.tsx";
import { kindTitles, type LayerKind, maxTitleCharacters } from "../store/layers/titles.ts";
import styles from "./LayerItem.module.css";
import { layerIcons } from "./layer-icons.ts";

interface Props {
  readonly kind: LayerKind;
  readonly title: string;
  /** What the layer is called where it has no title. */
  readonly automatic: string;
  /** Hears the text of Enter or of leaving the field, and undefined of Escape; and whether it was a key. */
  readonly onEnd: (text: string | undefined, isByKey: boolean) => void;
}

/** A layer's title while it is written. */
export function TitleField({ kind, title, automatic, onEnd }: Props) {
  /** Leaving the page's tree would end it a second time. */
  const isOver = useRef(false);
  const end = (text: string | undefined, isByKey: boolean): void => {
    if (isOver.current) return;
    isOver.current = true;
    onEnd(text, isByKey);
  };
  return (
    <span className={styles.naming}>
      <Icon name={layerIcons[kind]} size={16} />
      <input
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to write here
        autoFocus
        className={styles.field}
        aria-label={`Title of ${kindTitles[kind]}: ${title}`}
        defaultValue={title}
        placeholder={automatic}
        maxLength={maxTitleCharacters}
        autoComplete="off"
        spellCheck={false}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={({ currentTarget }) => end(currentTarget.value, false)}
        onKeyDown={({ key, currentTarget, nativeEvent }) => {
          if (nativeEvent.isComposing) return;
          if (key === "Enter") end(currentTarget.value, true);
          else if (key === "Escape") end(undefined, true);
        }}
      />
    </span>
  );
}
