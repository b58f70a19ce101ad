import { Menu } from "@mantine/core";
import { useRef, useState } from "react";
import { IconButton } from "../controls/IconButton.tsx";
import { Icon } from "../controls/icons.tsx";
import { useApp, useSession } from "../session-context.tsx";

/** Saves the view as a file or copies it as a link, and opens saved views. */
export function ViewMenu() {
  const { views, announce } = useSession();
  const source = useApp(({ data }) => data.source?.kind);
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    const link = await views.link();
    if (link === undefined) return;
    await navigator.clipboard.writeText(link);
    setCopied(true);
    announce("Copied a link to this view");
  };
  return (
    <>
      <Menu
        position="bottom-end"
        width={264}
        withInitialFocusPlaceholder={false}
        onClose={() => setCopied(false)}
      >
        <Menu.Target>
          <IconButton label="View: save, open, link" icon="save" />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Icon name="save" />}
            disabled={source === undefined}
            onClick={() => void views.save()}
          >
            Save view
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="open" />} onClick={() => input.current?.click()}>
            Open view…
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name={isCopied ? "check" : "link"} />}
            disabled={source === undefined || source === "file"}
            closeMenuOnClick={false}
            onClick={() => void copy()}
          >
            {isCopied ? "Link copied" : "Copy link"}
          </Menu.Item>
          {source === "file" && (
            <Menu.Label c="var(--ink-soft)">
              A link cannot contain your file: save the view, and send both.
            </Menu.Label>
          )}
        </Menu.Dropdown>
      </Menu>
      <input
        ref={input}
        type="file"
        accept=".json"
        aria-label="Open view"
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = "";
          if (file) void views.openFile(file);
        }}
      />
    </>
  );
}
