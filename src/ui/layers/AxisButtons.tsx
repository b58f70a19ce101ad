import { Segments } from "../controls/Segments.tsx";

interface Props {
  readonly label: string;
  /** 0, 1 or 2; undefined for a direction along none of the axes. */
  readonly value: number | undefined;
  readonly onChange: (axis: number) => void;
}

const axes = ["x", "y", "z"] as const;

/** Chooses one of x, y and z. */
export function AxisButtons({ label, value, onChange }: Props) {
  return (
    <Segments
      label={label}
      value={value === undefined ? undefined : axes[value]}
      options={axes.map((axis) => ({ value: axis, label: axis }))}
      onChange={(axis) => onChange(axes.indexOf(axis))}
    />
  );
}
