/** A value that is there, or the promise of one: what is there already is not waited for. */
export type Eventual<T> = T | Promise<T>;

/** All of them; at once where no promise is among them. */
export function together<const T extends readonly unknown[]>(
  values: T,
): Eventual<{ readonly [K in keyof T]: Awaited<T[K]> }>;
export function together(values: readonly unknown[]): Eventual<readonly unknown[]> {
  for (const value of values) if (value instanceof Promise) return Promise.all(values);
  return values;
}

/** What `f` makes of it; at once where it is there. */
export const mapEventual = <T, R>(value: Eventual<T>, f: (value: T) => R): Eventual<R> =>
  value instanceof Promise ? value.then(f) : f(value);
