import { Button, Menu } from "@mantine/core";
import { Icon } from "../controls/icons.tsx";
import styles from "./TextMenu.module.css";

interface Props {
  readonly name: string;
  /** Shown while the menu has no entries. */
  readonly empty: string;
  readonly entries: readonly { readonly title: string; readonly text: string }[];
  readonly onChoose: (text: string) => void;
  readonly isCode?: boolean;
  readonly onOpen?: () => void;
}

/** A menu of texts to put into the editor. */
export function TextMenu({ name, empty, entries, onChoose, isCode, onOpen }: Props) {
  return (
    <Menu position="bottom-end" width={280} withInitialFocusPlaceholder={false} onOpen={onOpen}>
      <Menu.Target>
        <Button
          size="xs"
          px={4}
          variant="subtle"
          color="gray"
          c="var(--ink)"
          rightSection={<Icon name="chevron" size={12} />}
          classNames={{ section: styles.chevron }}
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.menu}>
        {entries.length === 0 && <Menu.Item disabled>{empty}</Menu.Item>}
        {entries.map(({ title, text }) => (
          <Menu.Item key={title} onClick={() => onChoose(text)}>
            <span className={isCode ? styles.code : undefined}>{title}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
