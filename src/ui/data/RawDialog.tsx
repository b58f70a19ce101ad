import { Button, Modal, NativeSelect, TextInput } from "@mantine/core";
import { type SubmitEvent, useId, useState } from "react";
import type { DType } from "../../core/dtype.ts";
import { useApp, useSession } from "../session-context.tsx";
import type { RawRequest } from "../store/state.ts";
import styles from "./RawDialog.module.css";
import { compareSizes, describeNeed, dtypeLabels, formOf, type RawForm, readForm } from "./raw-form.ts";

const byteOrders = [
  { value: "little", label: "Little-endian" },
  { value: "big", label: "Big-endian" },
];

/** Asks for the layout of a file that has no header of its own. */
export default function RawDialog() {
  const { data } = useSession();
  const request = useApp(({ raw }) => raw);
  return (
    <Modal
      opened={request !== undefined}
      onClose={data.dropRaw}
      title="How is this volume laid out?"
      closeButtonProps={{ "aria-label": "Close" }}
      classNames={{ title: styles.title }}
    >
      {request && <RawLayoutForm key={nameOf(request.of)} request={request} />}
    </Modal>
  );
}

const nameOf = (of: RawRequest["of"]): string => (typeof of === "string" ? of : of.name);

function RawLayoutForm({ request: { of, guess } }: { request: RawRequest }) {
  const { data } = useSession();
  const [form, setForm] = useState(() => formOf(guess));
  const change = (part: Partial<RawForm>) => setForm((former) => ({ ...former, ...part }));
  const reading = readForm(form);
  const verdict = "problem" in reading ? undefined : verdictOn(reading.neededBytes, of);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if ("raw" in reading && verdict?.fits) void data.openRaw(reading.raw);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <p className={styles.file}>
        <code>{nameOf(of)}</code> has no header that describes its layout. Values are stored with x varying
        fastest.
      </p>
      <TripleFields legend="Points" values={form.dims} onChange={(dims) => change({ dims })} />
      <div className={styles.pair}>
        <NativeSelect
          size="xs"
          label="Type"
          data={[...dtypeLabels]}
          value={form.dtype}
          onChange={({ currentTarget }) => change({ dtype: currentTarget.value as DType })}
        />
        <NativeSelect
          size="xs"
          label="Byte order"
          data={byteOrders}
          value={form.byteOrder}
          onChange={({ currentTarget }) =>
            change({ byteOrder: currentTarget.value === "big" ? "big" : "little" })
          }
        />
        <TextInput
          size="xs"
          label="Components"
          inputMode="numeric"
          value={form.components}
          onChange={({ currentTarget }) => change({ components: currentTarget.value })}
        />
        <TextInput
          size="xs"
          label="Header bytes to skip"
          inputMode="numeric"
          value={form.headerBytes}
          onChange={({ currentTarget }) => change({ headerBytes: currentTarget.value })}
        />
      </div>
      <TripleFields legend="Spacing" values={form.spacing} onChange={(spacing) => change({ spacing })} />
      <TripleFields legend="Origin" values={form.origin} onChange={(origin) => change({ origin })} />
      <p className={styles.verdict} data-bad={!verdict?.fits || undefined} aria-live="polite">
        {"problem" in reading ? reading.problem : verdict?.sentence}
      </p>
      <div className={styles.buttons}>
        <Button variant="default" size="sm" onClick={data.dropRaw}>
          Cancel
        </Button>
        <Button type="submit" size="sm" disabled={!verdict?.fits}>
          Open volume
        </Button>
      </div>
    </form>
  );
}

/** Ranks that read a file find out whether it is long enough. */
const verdictOn = (neededBytes: number, of: RawRequest["of"]) =>
  typeof of === "string"
    ? { fits: true, sentence: `${describeNeed(neededBytes)}.` }
    : compareSizes(neededBytes, of.size);

interface TripleProps {
  readonly legend: string;
  readonly values: RawForm["dims"];
  readonly onChange: (values: RawForm["dims"]) => void;
}

function TripleFields({ legend, values, onChange }: TripleProps) {
  const id = useId();
  const put = (at: number, text: string) => {
    const [x, y, z] = values.map((value, i) => (i === at ? text : value));
    onChange([x, y, z]);
  };
  return (
    <fieldset className={styles.triple}>
      <legend id={id}>{legend}</legend>
      {(["x", "y", "z"] as const).map((axis, i) => (
        <TextInput
          key={axis}
          size="xs"
          inputMode="decimal"
          aria-label={`${legend} along ${axis}`}
          data-autofocus={(legend === "Points" && i === 0) || undefined}
          leftSection={<span className={styles.axis}>{axis}</span>}
          value={values[i]}
          onChange={({ currentTarget }) => put(i, currentTarget.value)}
        />
      ))}
    </fieldset>
  );
}
