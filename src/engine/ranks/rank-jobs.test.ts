import { expect, it } from "vitest";
import { rankJobs } from "./rank-jobs.ts";

it.each(rankJobs)("loads the job “$name” by its name", async ({ name, load }) => {
  expect((await load()).name).toBe(name);
});
