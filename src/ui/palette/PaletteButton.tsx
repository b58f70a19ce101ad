import { useDisclosure } from "@mantine/hooks";
import { useEffect } from "react";
import { IconButton } from "../controls/IconButton.tsx";
import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";

const palette = lazyPart("The search", () => import("./Palette.tsx"));

/** Opens the search for commands, fields and functions, as Ctrl+K does; its code is loaded then. */
export function PaletteButton() {
  const [opened, { open, close, toggle }] = useDisclosure(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key !== "k") return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [toggle]);
  return (
    <>
      <IconButton label="Find (Ctrl+K)" icon="find" onClick={open} />
      <LazyBoundary part={palette} wish={opened ? "open" : undefined} onGiveUp={close}>
        {({ default: Palette }) => <Palette opened={opened} onClose={close} />}
      </LazyBoundary>
    </>
  );
}
