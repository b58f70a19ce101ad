import { settled } from "./memory-network.ts";

/** Cryptographic operations of proofs that have begun and not ended. They run on other threads, which a busy machine delays. */
let underWay = 0;

const { subtle } = crypto;
for (const name of ["importKey", "deriveBits", "sign", "verify"]) {
  const original = Reflect.get(subtle, name) as (...given: readonly unknown[]) => Promise<unknown>;
  const counted = async (...given: readonly unknown[]) => {
    underWay++;
    try {
      return await original.apply(subtle, [...given]);
    } finally {
      underWay--;
    }
  };
  Object.defineProperty(subtle, name, { configurable: true, value: counted });
}

/** Like `settled`, but waits for proofs, too: they take no time of a network whose `run` rests in this way. */
export async function settledWithProofs(): Promise<void> {
  do await settled();
  while (underWay > 0);
}
