import { expose } from "comlink";
import type { EngineApi } from "./api.ts";
import { Engine, toPlain } from "./engine.ts";

const engine = new Engine();

/** Errors leave the worker as their parts: a class would lose its fields on the way. */
const plainErrors = new Proxy(engine, {
  get(target, name) {
    const method = Reflect.get(target, name);
    if (typeof method !== "function") return method;
    return async (...args: unknown[]) => {
      try {
        return await method.apply(target, args);
      } catch (error) {
        throw toPlain(error);
      }
    };
  },
}) satisfies EngineApi;

expose(plainErrors);
