import { useHash } from "@mantine/hooks";
import type { ComponentProps, ComponentType } from "react";
import { IconButton } from "./IconButton.tsx";
import { LazyBoundary, type LazyPart } from "./LazyBoundary.tsx";

interface Props extends Pick<ComponentProps<typeof IconButton>, "label" | "icon"> {
  readonly part: LazyPart<{
    readonly default: ComponentType<{ readonly opened: boolean; readonly onClose: () => void }>;
  }>;
  readonly hash: string;
}

/** Opens a page that has its own address and whose code is loaded when it is first opened. */
export function PageButton({ part, hash, ...button }: Props) {
  const [current, setHash] = useHash({ getInitialValueInEffect: false });
  const opened = current === hash;
  const close = (): void => setHash("");
  return (
    <>
      <IconButton {...button} onClick={() => setHash(hash)} />
      <LazyBoundary part={part} wish={opened ? "open" : undefined} onGiveUp={close}>
        {({ default: Page }) => <Page opened={opened} onClose={close} />}
      </LazyBoundary>
    </>
  );
}
