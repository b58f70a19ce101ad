/** Sends that continue while the algorithm goes on. */
export class Outbox {
  readonly #sends: Promise<void>[] = [];

  add(send: Promise<void>): void {
    // If the algorithm fails first, nobody awaits these sends.
    send.catch(() => {});
    this.#sends.push(send);
  }

  async sent(): Promise<void> {
    await Promise.all(this.#sends);
  }
}

/** Runs steps 0 … count − 1 in order, at most `most` at a time. */
export async function throttled(
  count: number,
  most: number,
  step: (k: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const run = async () => {
    while (next < count) await step(next++);
  };
  await Promise.all(Array.from({ length: Math.min(most, count) }, run));
}
