import { TextInput } from "@mantine/core";
import { readLimit } from "./memory-limit.ts";

interface Props {
  readonly text: string;
  readonly disabled?: boolean;
  readonly onText: (text: string) => void;
  /** Called when Enter is pressed. */
  readonly onEnter?: () => void;
}

/** Input for the memory that a run may hold on the GPU, in MiB. */
export function MemoryLimitField({ text, disabled, onText, onEnter }: Props) {
  return (
    <TextInput
      label="Memory limit, MiB"
      size="xs"
      w={140}
      inputMode="decimal"
      autoComplete="off"
      placeholder="none"
      value={text}
      error={readLimit(text).kind === "unreadable"}
      disabled={disabled}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === "Enter") onEnter?.();
      }}
    />
  );
}
