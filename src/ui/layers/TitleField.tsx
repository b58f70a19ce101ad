import { useRef } from "react";
import { kindTitles, type LayerKind, maxTitleCharacters } from "../../engine/layers/titles.ts";
import { Icon } from "../controls/icons.tsx";
import styles from "./LayerItem.module.css";
import { layerIcons } from "./layer-icons.ts";

interface Props {
  readonly kind: LayerKind;
  readonly title: string;
  /** The name that the layer has without a title of its own. */
  readonly automatic: string;
  /**
   * Called with the text when Enter is pressed or the field loses focus, with undefined for Escape; and with whether a
   * key ended the edit.
   */
  readonly onEnd: (text: string | undefined, isByKey: boolean) => void;
}

/** An input for a layer's title. */
export function TitleField({ kind, title, automatic, onEnd }: Props) {
  /** Set once the edit has ended, because removing the input from the page blurs it again. */
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
