import { expect, it } from "vitest";
import { chartCsv } from "./chart-data.ts";

it("writes a row for each point, with errors where a line has them", () => {
  const text = chartCsv({
    title: "Energy",
    xName: "temperature",
    yName: "energy",
    lines: [
      { name: "16 × 16", x: [1, 2], y: [-2, -1.75], errors: [0.001, Number.NaN] },
      { name: 'a "large", one', x: [1], y: [-2] },
    ],
  });
  expect(text).toBe(
    'line,temperature,energy,error of energy\n16 × 16,1,-2,0.001\n16 × 16,2,-1.75,\n"a ""large"", one",1,-2,\n',
  );
});

it("leaves the column of errors out where no line has any", () => {
  expect(chartCsv({ title: "m", xName: "sweep", yName: "m", lines: [{ name: "m", x: [1], y: [0.5] }] })).toBe(
    "line,sweep,m\nm,1,0.5\n",
  );
});
