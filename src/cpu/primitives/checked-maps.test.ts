import { it } from "vitest";
import { expectCheckedMaps } from "../../core/primitives/testing/checked-maps.ts";
import { createCpuPrimitives } from "./cpu-primitives.ts";

it("names the first index that is out of range, in checked mode", async () => {
  await expectCheckedMaps(createCpuPrimitives());
});
