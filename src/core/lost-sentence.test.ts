import { expect, test } from "vitest";
import { lostBetweenJobs, lostSentence } from "./lost-sentence.ts";

test("ranks that are lost are named, with what becomes of their parts", () => {
  expect(lostSentence(["Ada"])).toBe("Ada was lost; the others computed its part, too.");
  expect(lostSentence(["Ada", "Bo"])).toBe("Ada and Bo were lost; the others computed their parts, too.");
  expect(lostBetweenJobs(["Ada"], 2)).toBe("Ada was lost; the 2 ranks that are left compute its part, too.");
  expect(lostBetweenJobs(["Ada", "Bo"], 3)).toBe(
    "Ada and Bo were lost; the 3 ranks that are left compute their parts, too.",
  );
  expect(lostBetweenJobs(["Ada"], 1)).toBe("Ada was lost; this page computes alone until others join.");
});
