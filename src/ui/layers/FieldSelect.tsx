import { NativeSelect } from "@mantine/core";
import { useMemo } from "react";
import { useApp } from "../session-context.tsx";
import { fieldOptions } from "./field-options.ts";

interface Props {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (field: string) => void;
  /** Label of the choice of no field, if there is one. */
  readonly none?: string | undefined;
  readonly onNone?: () => void;
  /** Further choices besides the fields. */
  readonly extra?: readonly { readonly value: string; readonly label: string }[];
}

/** A menu of all scalars that the fields provide. */
export function FieldSelect({ label, value, onChange, none, onNone, extra = noExtra }: Props) {
  const stored = useApp(({ data }) => data.dataSet?.fields);
  const derived = useApp(({ data }) => data.derived);
  const isExtra = extra.some((option) => option.value === value);
  const current = isExtra ? undefined : value;
  const fields = useMemo(() => fieldOptions(stored ?? [], derived, current), [stored, derived, current]);
  return (
    <NativeSelect
      size="xs"
      label={label}
      disabled={fields.length === 0 && extra.length === 0}
      value={value ?? ""}
      onChange={({ currentTarget }) =>
        currentTarget.value === "" ? onNone?.() : onChange(currentTarget.value)
      }
      data={[...(none === undefined ? [] : [{ value: "", label: none }]), ...extra, ...fields]}
    />
  );
}

const noExtra: NonNullable<Props["extra"]> = [];
