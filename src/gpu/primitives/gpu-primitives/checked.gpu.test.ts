import { it } from "vitest";
import { expectCheckedMaps } from "../../../core/primitives/testing/checked-maps.ts";
import { testGpu } from "../../testing/context.ts";
import { createGpuPrimitives } from "./gpu-primitives.ts";

const strategy = { subgroups: true, scan: "chained" } as const;

it("names the first index that is out of range, in checked mode, in chunks too", async () => {
  for (const maxBindingBytes of [undefined, 2048]) {
    const primitives = await createGpuPrimitives(await testGpu(), { strategy, maxBindingBytes });
    await expectCheckedMaps(primitives);
    primitives.dispose();
  }
});
