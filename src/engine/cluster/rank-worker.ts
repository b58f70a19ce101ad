import { expose } from "comlink";
import { browserTrialStore } from "../../gpu/primitives/browser-store.ts";
import { browserWorkers } from "../../lang/expression/execute/cpu/browser-workers.ts";
import { openEngineDevice } from "../device.ts";
import { withPlainErrors } from "../plain-errors.ts";
import { readInPage } from "../ranks/page-data.ts";
import { OwnEngine } from "../ranks/rank-engine.ts";
import type { RankApi } from "./api.ts";
import { Rank } from "./rank.ts";

const engine = new OwnEngine({
  workers: browserWorkers(),
  openDevice: () => openEngineDevice("auto", globalThis.navigator?.gpu, browserTrialStore()),
  read: readInPage,
});

expose(withPlainErrors(new Rank(engine)) satisfies RankApi);
