import type { Communicator } from "../../cluster/communicator/communicator.ts";

/**
 * A communicator that asks before each call whether its rank is alive: a dead rank's calls never end. So it is with those
 * made of it.
 */
export function mortal(communicator: Communicator, isAlive: (call: string) => boolean): Communicator {
  return new Proxy(communicator, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...given: readonly unknown[]) => {
        if (!isAlive(String(name))) return new Promise(() => {});
        const result: unknown = member.apply(target, given);
        if (name !== "dup" && name !== "shrink") return result;
        return (result as Promise<Communicator>).then((made) => mortal(made, isAlive));
      };
    },
  });
}
