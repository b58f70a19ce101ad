import { expect, it } from "vitest";
import type { RtcConnection, RtcEndpoint, RtcOptions } from "../endpoint.ts";

export const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
};

/** Two endpoints, of which one dials the other. */
export interface Pair {
  readonly dialler: RtcEndpoint;
  readonly listener: RtcEndpoint;
  /** Connections that arrived at the listener and were not used yet. */
  readonly incoming: RtcConnection[];
  connect(): Promise<{ readonly dialled: RtcConnection; readonly taken: RtcConnection }>;
}

/** `open`: an endpoint at an address of its own. */
export async function openPair(
  open: (options: Pick<RtcOptions, "onConnection">) => Promise<RtcEndpoint>,
): Promise<Pair> {
  const incoming: RtcConnection[] = [];
  const dialler = await open({ onConnection: () => {} });
  const listener = await open({ onConnection: (connection) => incoming.push(connection) });
  return {
    dialler,
    listener,
    incoming,
    async connect() {
      const dialled = await dialler.dial(listener.address);
      await until(() => incoming.length > 0);
      const [taken] = incoming.splice(0);
      return { dialled, taken };
    },
  };
}

/** What a connection shows of itself, the same in browsers and in Node. */
export function testConnection(pair: () => Pair): void {
  it("shows both ends the same certificates, and who is there", async () => {
    const { dialler, listener, connect } = pair();
    const { dialled, taken } = await connect();
    expect(dialled.binding.own).toEqual(taken.binding.other);
    expect(dialled.binding.other).toEqual(taken.binding.own);
    expect(dialled.binding.own).not.toEqual(dialled.binding.other);
    expect(dialled.binding.own.length).toBe(32);
    expect([dialled.address, taken.address]).toEqual([listener.address, dialler.address]);
    dialled.channel.close();
  });
}
