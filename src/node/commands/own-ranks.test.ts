import { expect, it } from "vitest";
import { ownRanks } from "./own-ranks.ts";

it("starts the ranks that are asked for, or the usual number", () => {
  expect(ownRanks(undefined, 2, {})).toBe(2);
  expect(ownRanks("3", 2, {})).toBe(3);
});

it("is one rank where a launcher has started it alone, and leaves several to MPI", () => {
  expect(ownRanks(undefined, 2, { OMPI_COMM_WORLD_SIZE: "1" })).toBe(1);
  expect(ownRanks(undefined, 2, { SLURM_STEP_NUM_TASKS: "1" })).toBe(1);
  expect(ownRanks("4", 2, { SLURM_STEP_NUM_TASKS: "1" })).toBe(4);
  expect(ownRanks(undefined, 2, { PMI_SIZE: "4" })).toBeUndefined();
  expect(() => ownRanks("4", 2, { PMI_SIZE: "4" })).toThrow(/MPI has started the ranks/);
});
