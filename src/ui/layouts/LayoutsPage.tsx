import { Button, TextInput } from "@mantine/core";
import { useDeferredValue, useMemo, useState } from "react";
import { FullPage } from "../controls/FullPage.tsx";
import { Segments } from "../controls/Segments.tsx";
import { Comparison } from "./Comparison.tsx";
import type { CubeColors } from "./colors.ts";
import { resultOf, sourceOf, summaryOf } from "./examine.ts";
import { examples, type Kind, kinds } from "./examples.ts";
import styles from "./LayoutsPage.module.css";

const cubeColors: readonly { readonly value: CubeColors; readonly label: string }[] = [
  { value: "checkerboard", label: "Checkerboard" },
  { value: "place", label: "By place" },
];

const field = { input: styles.text, description: styles.soft, error: styles.problem };

/** Tries layout transforms on a picture, a cube or a row, with the formula of each. */
export default function LayoutsPage({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [shape, setShape] = useState(examples.picture.shape);
  const [transform, setTransform] = useState(examples.picture.transforms[0]);
  const [colors, setColors] = useState<CubeColors>("checkerboard");
  const source = useMemo(() => sourceOf(shape), [shape]);
  const array = source.problem === undefined ? source.value : undefined;
  // Typing does not wait for what it shows.
  const seen = useDeferredValue(useMemo(() => ({ array, shape, transform }), [array, shape, transform]));
  const result = useMemo(() => seen.array && resultOf(seen.array, seen.transform), [seen]);
  const made = result?.problem === undefined ? result?.value : undefined;
  const show = (kind: Kind): void => {
    setShape(examples[kind].shape);
    setTransform(examples[kind].transforms[0]);
  };
  return (
    <FullPage title="Layouts" opened={opened} onClose={onClose}>
      <p className={styles.intro}>
        How flips, shifts, crinkles and other transforms put the elements of an array into another order. Each
        element keeps its colour.
      </p>
      <div className={styles.controls}>
        <Segments label="Show" value={array?.kind} options={kinds} onChange={show} />
        {array?.kind === "cube" && (
          <Segments label="Colours" value={colors} options={cubeColors} onChange={setColors} />
        )}
      </div>
      <div className={styles.fields}>
        <TextInput
          label="Shape"
          description="Lengths, that of x last"
          size="xs"
          value={shape}
          error={source.problem}
          spellCheck={false}
          classNames={field}
          onChange={({ currentTarget }) => setShape(currentTarget.value)}
        />
        <TextInput
          label="Transform"
          description="One or several, from left to right, separated by |"
          size="xs"
          value={transform}
          error={result?.problem}
          spellCheck={false}
          classNames={field}
          onChange={({ currentTarget }) => setTransform(currentTarget.value)}
        />
      </div>
      {array && (
        <fieldset className={styles.presets} aria-label="Examples">
          {examples[array.kind].transforms.map((text) => (
            <Button
              key={text}
              size="compact-xs"
              variant="default"
              className={styles.preset}
              aria-pressed={text === transform}
              onClick={() => setTransform(text)}
            >
              {text}
            </Button>
          ))}
        </fieldset>
      )}
      {seen.array && made && (
        <div className={styles.meaning}>
          <dl className={styles.formulas}>
            <dt>Formula</dt>
            <dd>{made.formula}</dd>
            {made.lengths.length + seen.array.lengths.length > 2 && (
              <>
                <dt>As one row</dt>
                <dd>{made.indexFormula}</dd>
              </>
            )}
          </dl>
          <p className={`${styles.summary} ${styles.soft}`} role="status">
            {summaryOf(
              made,
              seen.array.lengths.reduce((count, length) => count * length, 1),
            )}
          </p>
        </div>
      )}
      {seen.array && <Comparison source={seen.array} shape={seen.shape} result={made} cubeColors={colors} />}
    </FullPage>
  );
}
