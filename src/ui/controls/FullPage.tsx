import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./FullPage.module.css";

interface Props {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A page of its own over the whole window, with a sentence on top and what it is about below. */
export function FullPage({ title, opened, onClose, children }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      fullScreen
      title={title}
      closeButtonProps={{ "aria-label": "Close" }}
      classNames={{ title: styles.title, body: styles.body, header: styles.header, content: styles.content }}
    >
      {children}
    </Modal>
  );
}
