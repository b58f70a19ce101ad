import { openEngineDevice } from "./device.ts";
import { sessionSuite } from "./testing/session-suite.ts";

sessionSuite("the CPU", () => openEngineDevice("cpu", undefined));
