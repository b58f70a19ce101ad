import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Icon } from "../controls/icons.tsx";
import styles from "./Section.module.css";

interface Props {
  readonly id: string;
  readonly title: string;
  /** Buttons beside the heading. Using them unfolds the section, where their effect shows. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A section of the side panel that folds under its heading. */
export function Section({ id, title, actions, children }: Props) {
  const [isOpen, { open, toggle }] = useDisclosure(true);
  const body = `${id}-body`;
  return (
    <section id={id} className={styles.section} aria-labelledby={`${id}-title`}>
      <div className={styles.head}>
        <h2 id={`${id}-title`} className={styles.title}>
          <button
            type="button"
            className={styles.fold}
            aria-expanded={isOpen}
            aria-controls={body}
            onClick={toggle}
          >
            {title}
            <Icon name="chevron" size={16} />
          </button>
        </h2>
        {actions && (
          // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: it handles clicks of its buttons
          <div className={styles.actions} onClick={open}>
            {actions}
          </div>
        )}
      </div>
      <div id={body} className={styles.body} hidden={!isOpen}>
        {children}
      </div>
    </section>
  );
}
