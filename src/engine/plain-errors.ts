/**
 * The same object, whose methods reject with what `toPlain` makes of an error: plain data, because an instance would lose its
 * class on the way out of a worker.
 */
export function withPlainErrors<T extends object>(target: T, toPlain: (error: unknown) => unknown): T {
  return new Proxy(target, {
    get(object, name) {
      const method = Reflect.get(object, name);
      if (typeof method !== "function") return method;
      return async (...args: unknown[]) => {
        try {
          return await method.apply(object, args);
        } catch (error) {
          throw toPlain(error);
        }
      };
    },
  });
}
