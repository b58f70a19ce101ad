import styles from "./Toggle.module.css";

interface Props {
  readonly label: string;
  readonly title?: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A switch with its label. */
export function Toggle({ label, title, checked, onChange }: Props) {
  return (
    <label className={styles.toggle} title={title}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className={styles.input}
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
