import { ActionIcon, type ActionIconProps, Tooltip } from "@mantine/core";
import type { ComponentProps } from "react";
import styles from "./IconButton.module.css";
import { Icon } from "./icons.tsx";

interface Props extends ActionIconProps, Omit<ComponentProps<"button">, keyof ActionIconProps> {
  /** The accessible name, also shown as a tooltip. */
  readonly label: string;
  readonly icon?: ComponentProps<typeof Icon>["name"];
  /** Shown in place of an icon. */
  readonly text?: string;
  readonly side?: "top" | "bottom" | "left" | "right";
}

/** An icon button named by its tooltip. It keeps the focus when it is disabled while focused. */
export function IconButton({ label, icon, text, side = "bottom", disabled, onClick, ...button }: Props) {
  return (
    <Tooltip
      label={label}
      position={side}
      openDelay={400}
      withinPortal={false}
      fz={12}
      // The tooltip would cover the menu that the button has opened.
      disabled={button["aria-expanded"] === true}
    >
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        c="var(--ink)"
        aria-label={label}
        className={styles.button}
        aria-disabled={disabled}
        data-disabled={disabled || undefined}
        onClick={disabled ? undefined : onClick}
        {...button}
      >
        {icon ? <Icon name={icon} /> : <span aria-hidden="true">{text}</span>}
      </ActionIcon>
    </Tooltip>
  );
}
