import { CrinkleError, describeError, isCancelled, type PlainError } from "../core/errors.ts";

/**
 * The same object, whose methods, and those of its members, reject with plain data, because an error would lose its class on the way out of a
 * worker.
 */
export function withPlainErrors<T extends object>(target: T): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member === "object" && member !== null) return withPlainErrors(member);
      if (typeof member !== "function") return member;
      return async (...args: unknown[]) => {
        try {
          return await member.apply(object, args);
        } catch (error) {
          throw toPlain(error);
        }
      };
    },
  });
}

/** Converts any thrown value to the parts that cross to the page. */
export function toPlain(error: unknown): PlainError {
  if (error instanceof CrinkleError) return error.toPlain();
  if (isCancelled(error)) return { tag: "Cancelled", problem: "The job was cancelled.", remedy: "" };
  return {
    tag: "Internal",
    problem: `Something unexpected went wrong: ${describeError(error)}.`,
    remedy: "Please report it, with what you did.",
  };
}
