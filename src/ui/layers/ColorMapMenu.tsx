import { Button, Menu } from "@mantine/core";
import { Fragment } from "react";
import { Icon } from "../controls/icons.tsx";
import { useApp } from "../session-context.tsx";
import styles from "./ColorMapMenu.module.css";

const kinds = [
  { kind: "sequential", title: "Sequential" },
  { kind: "diverging", title: "Diverging" },
  { kind: "cyclic", title: "Cyclic" },
] as const;

interface Props {
  readonly current: string;
  readonly reversed: boolean;
  readonly onChoose: (map: string) => void;
}

/** A menu of the colour maps with their gradients. */
export function ColorMapMenu({ current, reversed, onChoose }: Props) {
  const maps = useApp(({ colorMaps }) => colorMaps);
  const shown = maps.find(({ name }) => name === current);
  return (
    <Menu position="bottom" width="target" disabled={maps.length === 0} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          fullWidth
          justify="space-between"
          rightSection={<Icon name="chevron" size={14} />}
          aria-label={`Colour map: ${current}`}
          classNames={{ label: styles.label }}
        >
          <Gradient colors={shown?.colors ?? []} reversed={reversed} />
          {current}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.menu}>
        {kinds.map(({ kind, title }) => (
          <Fragment key={kind}>
            <Menu.Label c="var(--ink-soft)" aria-hidden="true">
              {title}
            </Menu.Label>
            {maps
              .filter((map) => map.kind === kind)
              .map(({ name, colors }) => (
                <Menu.Item
                  key={name}
                  leftSection={<Gradient colors={colors} reversed={reversed} />}
                  rightSection={name === current ? <Icon name="check" size={14} /> : undefined}
                  onClick={() => onChoose(name)}
                >
                  {name}
                </Menu.Item>
              ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Gradient({ colors, reversed }: { colors: readonly string[]; reversed: boolean }) {
  const direction = reversed ? "to left" : "to right";
  return (
    <span
      className={styles.gradient}
      style={{
        background: colors.length > 1 ? `linear-gradient(${direction}, ${colors.join(", ")})` : undefined,
      }}
    />
  );
}
