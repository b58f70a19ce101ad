import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RtcConnection, RtcEndpoint, RtcOptions } from "../../cluster/transport/rtc/endpoint.ts";
import { openRtc } from "../../cluster/transport/rtc/open.ts";
import { addressOf, signallingPath } from "../../cluster/transport/rtc/protocol.ts";
import { linkSuite } from "../../cluster/transport/testing/link-suite.ts";
import { type StaticServer, serve } from "../serve.ts";
import { signalling } from "../signalling/signalling.ts";
import { provideRtc } from "./provide.ts";

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
};

const startServer = (port = 0) =>
  serve({ root: "/none", host: "127.0.0.1", port, isPortFixed: true, signalling: signalling() });

let server: StaticServer;
const endpoints: RtcEndpoint[] = [];
let members = 0;

beforeAll(async () => {
  await provideRtc();
  server = await startServer();
});
afterAll(async () => {
  for (const endpoint of endpoints) endpoint.close();
  await server.close();
});

async function open(options: Partial<RtcOptions> = {}): Promise<RtcEndpoint> {
  const endpoint = await openRtc({
    address: addressOf("room", `m${members++}`),
    signalling: { server: `http://127.0.0.1:${server.port}${signallingPath}` },
    incoming: () => {},
    ...options,
  });
  endpoints.push(endpoint);
  return endpoint;
}

let dialler: RtcEndpoint;
let listener: RtcEndpoint;
let incoming: RtcConnection[];

beforeAll(async () => {
  incoming = [];
  dialler = await open();
  listener = await open({ incoming: (connection) => incoming.push(connection) });
});

async function connect() {
  const dialled = await dialler.dial(listener.address);
  await until(() => incoming.length > 0);
  const [taken] = incoming.splice(0);
  return { dialled, taken };
}

linkSuite(
  "rtc between Node processes' ends",
  async () => {
    const { dialled, taken } = await connect();
    return { a: dialled.channel, b: taken.channel, until, end: () => {} };
  },
  2 ** 24,
);

describe("rtc", () => {
  it("tells both ends the same certificates and who is there", async () => {
    const { dialled, taken } = await connect();
    expect(dialled.binding.own).toEqual(taken.binding.other);
    expect(dialled.binding.other).toEqual(taken.binding.own);
    expect(dialled.binding.own).not.toEqual(dialled.binding.other);
    expect(dialled.binding.own.length).toBe(32);
    expect([dialled.address, taken.address]).toEqual([listener.address, dialler.address]);
    dialled.channel.close();
  });
});
