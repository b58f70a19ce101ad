import { Button, Loader, Modal, NativeSelect, TextInput } from "@mantine/core";
import { type SubmitEvent, useEffect, useState } from "react";
import type { LatticeModelSummary } from "../../engine/api.ts";
import { useSession } from "../session-context.tsx";
import { toPlainError } from "../store/plain-error.ts";
import { capitalized, formFor, type LatticeForm, readForm, withSize } from "./lattice-form.ts";
import styles from "./SimulateDialog.module.css";

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Chooses a model, a size, a seed and parameters, and opens the lattice. */
export default function SimulateDialog({ opened, onClose }: Props) {
  const { lattice } = useSession();
  const [models, setModels] = useState<readonly LatticeModelSummary[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (!opened || models) return;
    lattice.models().then(setModels, (error: unknown) => setProblem(toPlainError(error).problem));
  }, [opened, models, lattice]);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Simulate"
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
      classNames={{ title: styles.title }}
    >
      {models ? (
        <ModelForm models={models} onClose={onClose} />
      ) : (
        <p className={styles.verdict} data-bad={problem !== undefined || undefined}>
          {problem ?? <Loader size="sm" aria-label="The models are loading" />}
        </p>
      )}
    </Modal>
  );
}

function ModelForm({ models, onClose }: { models: readonly LatticeModelSummary[]; onClose: () => void }) {
  const { lattice } = useSession();
  const [form, setForm] = useState<LatticeForm>(() => formFor(models[0]));
  const change = (part: Partial<LatticeForm>) => setForm((former) => ({ ...former, ...part }));
  const model = models.find(({ name }) => name === form.model) ?? models[0];
  const reading = readForm(model, form);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!("request" in reading)) return;
    onClose();
    void lattice.open(reading.request);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <fieldset className={styles.models}>
        <legend className={styles.legend}>Model</legend>
        {models.map(({ name, title, summary }) => (
          <label key={name} className={styles.model}>
            <input
              type="radio"
              name="model"
              value={name}
              className={styles.radio}
              checked={name === model.name}
              onChange={() => {
                const chosen = models.find((other) => other.name === name) ?? model;
                setForm((former) => formFor(chosen, former));
              }}
            />
            <span className={styles.name}>
              {title} <code className={styles.code}>{name}</code>
            </span>
            <span className={styles.summary}>{summary}</span>
          </label>
        ))}
      </fieldset>
      <div className={styles.fields}>
        <TextInput
          size="xs"
          label="Size"
          description="Lengths of 1 to 10 axes"
          value={form.size}
          onChange={({ currentTarget: { value } }) => setForm((former) => withSize(model, former, value))}
        />
        <TextInput
          size="xs"
          label="Seed"
          description="The same seed repeats a run"
          inputMode="numeric"
          value={form.seed}
          onChange={({ currentTarget }) => change({ seed: currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          label="Start"
          description="The first state"
          data={model.starts.map((start) => ({ value: start, label: capitalized(start) }))}
          value={form.start}
          onChange={({ currentTarget }) => change({ start: currentTarget.value })}
        />
        {model.parameters.map(({ name, label, meaning }) => (
          <TextInput
            key={name}
            size="xs"
            label={label}
            description={
              <>
                {meaning} <code className={styles.code}>{name}</code>
              </>
            }
            inputMode="decimal"
            value={form.parameters[name] ?? ""}
            onChange={({ currentTarget }) =>
              change({ parameters: { ...form.parameters, [name]: currentTarget.value } })
            }
          />
        ))}
      </div>
      {"problem" in reading && (
        <p className={styles.verdict} data-bad aria-live="polite">
          {reading.problem}
        </p>
      )}
      <div className={styles.buttons}>
        <Button variant="default" size="sm" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size="sm" disabled={!("request" in reading)}>
          Run
        </Button>
      </div>
    </form>
  );
}
