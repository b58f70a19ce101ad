import { expose } from "comlink";
import type { EngineApi } from "./api.ts";
import { Engine } from "./engine.ts";
import { withPlainErrors } from "./plain-errors.ts";

expose(withPlainErrors(new Engine()) satisfies EngineApi);
