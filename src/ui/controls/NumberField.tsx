import { TextInput, type TextInputProps } from "@mantine/core";
import { type KeyboardEvent, useEffect, useState } from "react";
import { digitsWithin, type NumberRange } from "../../core/format.ts";
import { parseNumber, writeNumber } from "./numbers.ts";

interface Props extends Omit<TextInputProps, "value" | "onChange"> {
  readonly value: number;
  /** The number's range, which decides how many digits are shown. */
  readonly range?: NumberRange;
  /** Called with finite numbers only, when the field loses focus or Enter is pressed. */
  readonly onCommit: (value: number) => void;
}

/**
 * A text field for one number. Text that is not a number is marked as invalid, on Enter too, and dropped when the field loses
 * focus.
 */
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
    if (key === "Enter" && parsed !== undefined) commit();
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
