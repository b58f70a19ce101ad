import { Button } from "@mantine/core";
import { useState } from "react";
import { Icon } from "./icons.tsx";

/** Copies a text, and says so until the text changes. It is disabled while the text is empty. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const [copied, setCopied] = useState("");
  const isCopied = text !== "" && copied === text;
  return (
    <Button
      size="xs"
      variant="default"
      disabled={text === ""}
      leftSection={<Icon name={isCopied ? "check" : "copy"} size={14} />}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(text))}
    >
      {isCopied ? "Copied" : label}
    </Button>
  );
}
