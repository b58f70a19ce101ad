import { expose } from "comlink";
import { CrinkleError, type PlainError } from "../../core/errors.ts";
import type { RankApi } from "./api.ts";
import { Rank } from "./rank.ts";

const rank = new Rank();

/** Errors leave the worker as plain data: an instance would lose its class on the way. */
const plainErrors = new Proxy(rank, {
  get(target, name) {
    const method = Reflect.get(target, name);
    if (typeof method !== "function") return method;
    return async (...args: unknown[]) => {
      try {
        return await method.apply(target, args);
      } catch (error) {
        throw error instanceof CrinkleError ? (error.toPlain() satisfies PlainError) : error;
      }
    };
  },
}) satisfies RankApi;

expose(plainErrors);
