/** Sends that go on while the algorithm does. */
export class Outbox {
  readonly #sends: Promise<void>[] = [];

  add(send: Promise<void>): void {
    // Whoever fails meanwhile does not wait for these any more.
    send.catch(() => {});
    this.#sends.push(send);
  }

  async sent(): Promise<void> {
    await Promise.all(this.#sends);
  }
}

/** Runs steps 0 … count − 1 in this order, so many of them at a time. */
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
