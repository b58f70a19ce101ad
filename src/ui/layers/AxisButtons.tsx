import { SegmentedControl } from "@mantine/core";

interface Props {
  readonly label: string;
  /** 0, 1 or 2; undefined where it is none of them. */
  readonly value: number | undefined;
  readonly onChange: (axis: number) => void;
}

/** Chooses one of x, y and z. */
export function AxisButtons({ label, value, onChange }: Props) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={label}
      value={value === undefined ? "" : String(value)}
      onChange={(axis) => onChange(Number(axis))}
      data={["x", "y", "z"].map((name, axis) => ({ value: String(axis), label: name }))}
    />
  );
}
