import { TextInput, type TextInputProps } from "@mantine/core";
import { type KeyboardEvent, useEffect, useState } from "react";
import { digitsWithin, type NumberRange } from "../../core/format.ts";
import { parseNumber, writeNumber } from "./numbers.ts";

interface Props extends Omit<TextInputProps, "value" | "onChange"> {
  readonly value: number;
  /** What the number lies in: it is written with the digits that tell it from its neighbours there. */
  readonly range?: NumberRange;
  /** Hears finite numbers only, when the field is left or Enter is pressed. */
  readonly onCommit: (value: number) => void;
}

/** A text field for one number; what cannot be read as one is marked, and forgotten when the field is left. */
export function NumberField({ value, range, onCommit, ...field }: Props) {
  const [draft, setDraft] = useState<string>();
  const parsed = draft === undefined ? value : parseNumber(draft);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value from outside ends the draft
  useEffect(() => setDraft(undefined), [value]);
  const commit = (): void => {
    if (draft === undefined) return;
    setDraft(undefined);
    if (parsed !== undefined && parsed !== value) onCommit(parsed);
  };
  const press = ({ key }: KeyboardEvent): void => {
    if (key === "Enter") commit();
    else if (key === "Escape") setDraft(undefined);
  };
  const digits = range && digitsWithin(range, 7);
  return (
    <TextInput
      size="xs"
      inputMode="decimal"
      autoComplete="off"
      data-committed={draft === undefined || undefined}
      {...field}
      value={draft ?? writeNumber(value, digits)}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={commit}
      onKeyDown={press}
      error={parsed === undefined}
    />
  );
}
