import { Button, NativeSelect, Popover, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type SubmitEvent, useId, useState } from "react";
import type { SampleName } from "../../engine/api.ts";
import { Icon } from "../controls/icons.tsx";
import { useSession } from "../session-context.tsx";
import styles from "./SampleMenu.module.css";

interface Sample {
  readonly name: SampleName;
  readonly title: string;
  readonly about: string;
  /** Samples generated on request, at any size. */
  readonly isGenerated: boolean;
}

const samples: readonly Sample[] = [
  {
    name: "taylor-green",
    title: "Taylor–Green vortex",
    about: "Velocity and pressure of a simulated turbulent flow, 64³.",
    isGenerated: false,
  },
  {
    name: "tangle",
    title: "Tangle",
    about: "A quartic surface with holes, a classic isosurface test.",
    isGenerated: true,
  },
  {
    name: "hydrogen",
    title: "Hydrogen orbital",
    about: "An electron's wave function around a proton.",
    isGenerated: true,
  },
];

const sizes = [32, 64, 96, 128, 192, 256, 384, 512];

export function SampleMenu() {
  const [opened, { toggle, close }] = useDisclosure(false);
  return (
    <Popover
      opened={opened}
      onChange={close}
      position="bottom-end"
      width={320}
      trapFocus
      returnFocus
      withinPortal={false}
    >
      <Popover.Target>
        <Button variant="default" size="xs" h={32} px={10} onClick={toggle} aria-label="Samples">
          <Icon name="samples" />
          <span className={styles.word}>Samples</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Samples" p={6} className={styles.menu}>
        {samples.map((sample) => (
          <SampleRow key={sample.name} sample={sample} onChosen={close} />
        ))}
        <AddressRow onChosen={close} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Opens any file on the web whose server lets pages read it. */
function AddressRow({ onChosen }: { onChosen: () => void }) {
  const { data } = useSession();
  const [url, setUrl] = useState("");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onChosen();
    void data.open({ kind: "url", url: url.trim() });
  };
  return (
    <form className={styles.address} onSubmit={submit}>
      <TextInput
        size="xs"
        type="url"
        label="A file on the web"
        placeholder="https://…"
        required
        withAsterisk={false}
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <Button type="submit" size="xs" variant="default">
        Open
      </Button>
    </form>
  );
}

function SampleRow({ sample, onChosen }: { sample: Sample; onChosen: () => void }) {
  const { data } = useSession();
  const [size, setSize] = useState(64);
  const about = useId();
  const open = (): void => {
    onChosen();
    void data.open({ kind: "sample", sample: sample.name, ...(sample.isGenerated ? { size } : {}) });
  };
  return (
    <div className={styles.row}>
      <button type="button" className={styles.sample} onClick={open} aria-describedby={about}>
        {sample.title}
      </button>
      <p id={about} className={styles.about}>
        {sample.about}
      </p>
      {sample.isGenerated && (
        <NativeSelect
          className={styles.size}
          size="xs"
          aria-label={`Points per direction of ${sample.title}`}
          value={size}
          onChange={({ currentTarget }) => setSize(Number(currentTarget.value))}
          data={sizes.map((n) => ({ value: String(n), label: `${n}³` }))}
        />
      )}
    </div>
  );
}
