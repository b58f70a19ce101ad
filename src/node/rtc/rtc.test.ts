import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FramedLink } from "../../cluster/transport/framed-link.ts";
import { defaultLimits } from "../../cluster/transport/link.ts";
import type { RtcConnection, RtcEndpoint, RtcOptions } from "../../cluster/transport/rtc/endpoint.ts";
import { openRtc } from "../../cluster/transport/rtc/open.ts";
import { pageSignalling } from "../../cluster/transport/rtc/options.ts";
import { addressOf, signallingPath } from "../../cluster/transport/rtc/protocol.ts";
import { openPair, type Pair, testConnection, until } from "../../cluster/transport/rtc/testing/pair.ts";
import { linkSuite } from "../../cluster/transport/testing/link-suite.ts";
import { certificateFor } from "../lan/certificate.ts";
import { type StaticServer, serve } from "../serve.ts";
import { signalling } from "../signalling/signalling.ts";
import { filesIn } from "../static/files.ts";
import { installRtc } from "./install-rtc.ts";
import { TamperingServer } from "./testing/tampering-server.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const startServer = (port = 0) =>
  serve({ page: filesIn("/none"), host: "127.0.0.1", port, isPortFixed: true, signalling: signalling() });

let server: StaticServer;
const endpoints: RtcEndpoint[] = [];
let members = 0;

beforeAll(async () => {
  await installRtc();
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
    onConnection: () => {},
    ...options,
  });
  endpoints.push(endpoint);
  return endpoint;
}

let pair: Pair;
let dialler: RtcEndpoint;
let listener: RtcEndpoint;
let incoming: RtcConnection[];

beforeAll(async () => {
  pair = await openPair(open);
  ({ dialler, listener, incoming } = pair);
});

linkSuite(
  "rtc between Node endpoints",
  async () => {
    const { dialled, taken } = await pair.connect();
    return { a: dialled.channel, b: taken.channel, until, end: () => {} };
  },
  2 ** 24,
);

describe("rtc", () => {
  testConnection(() => pair);

  it("reveals in the binding that somebody sits in between", async () => {
    // The dialler trusts this server, which gives it somebody else's address; that one dials the real
    // listener in turn.
    const liar = await startServer();
    const theirs = { signalling: { server: `http://127.0.0.1:${liar.port}${signallingPath}` } };
    const heard: RtcConnection[] = [];
    const { address } = listener;
    const between = await open({ ...theirs, address, onConnection: (connection) => heard.push(connection) });
    const dialled = await (await open(theirs)).dial(address);
    const passedOn = await dialler.dial(address);
    await until(() => heard.length > 0 && incoming.length > 0);
    const [taken] = incoming.splice(0);
    expect(dialled.address).toBe(address);
    expect(dialled.binding.other).not.toEqual(taken.binding.own);
    expect(dialled.binding.own).not.toEqual(taken.binding.other);
    for (const { channel } of [dialled, passedOn]) channel.close();
    between.close();
    await liar.close();
  });

  it("makes no connection if the server changes a fingerprint", async () => {
    const liar = await TamperingServer.start();
    const signalling = { server: liar.url };
    const heard: RtcConnection[] = [];
    const taker = await open({ signalling, onConnection: (connection) => heard.push(connection) });
    const caller = await open({ signalling });
    for (const changed of ["OFFER", "ANSWER"]) {
      liar.change = ({ type, payload }) => {
        const { sdp } = payload ?? {};
        if (type !== changed || !sdp) return;
        sdp.sdp = sdp.sdp.replace(
          /(a=fingerprint:sha-256 )(..)/i,
          (_, lead, byte) => `${lead}${byte === "00" ? "01" : "00"}`,
        );
      };
      await expect(caller.dial(taker.address)).rejects.toMatchObject({ tag: "Refused" });
    }
    expect(heard).toEqual([]);
    liar.change = () => {};
    (await caller.dial(taker.address)).channel.close();
    liar.close();
  });

  it("survives unexpected messages from a server", async () => {
    const liar = await TamperingServer.start();
    const signalling = { server: liar.url };
    const taker = await open({ signalling });
    const caller = await open({ signalling });
    const { channel } = await caller.dial(taker.address);
    const lost: string[] = [];
    channel.start({ frame: () => {}, lost: (problem) => lost.push(problem) });
    const offer = liar.passed.find(({ type }) => type === "OFFER");
    const description = { type: "offer", sdp: "v=0\r\nnonsense" };
    const messages: unknown[] = [
      "text",
      null,
      { type: "OFFER" },
      { type: "OFFER", src: "room-x", payload: null },
      { type: "OFFER", src: "room-x", payload: { connectionId: "c", type: "media", sdp: description } },
      { type: "OFFER", src: "room-x", payload: { connectionId: "d", type: "data", sdp: description } },
      { type: "CANDIDATE", src: "room-x", payload: { connectionId: "d", candidate: { candidate: "x" } } },
      { ...offer, src: caller.address },
      { type: "ANSWER", src: caller.address, payload: { ...offer?.payload, sdp: description } },
      { type: "LEAVE", src: caller.address },
      { type: "LEAVE", src: taker.address },
      { type: "EXPIRE", src: caller.address },
    ];
    for (const { address } of [caller, taker]) {
      for (const message of messages) liar.tell(address, JSON.stringify(message));
      liar.tell(address, "{");
    }
    (await caller.dial(taker.address)).channel.close();
    expect(lost).toEqual([]);
    channel.close();
    liar.close();
  });

  it("limits the offers that it answers at a time", async () => {
    const liar = await TamperingServer.start();
    const signalling = { server: liar.url };
    const taken: RtcConnection[] = [];
    const taker = await open({ signalling, connectMs: 2_500, onConnection: (one) => taken.push(one) });
    const caller = await open({ signalling });
    const { channel } = await caller.dial(taker.address);
    // Until it has the connection, the taker still counts the offer.
    await until(() => taken.length === 1);
    channel.close();
    const offer = liar.passed.find(({ type }) => type === "OFFER");
    const answers = () => liar.passed.filter(({ type }) => type === "ANSWER").length;
    const flood = () => {
      for (let k = 0; k < 50; k++) {
        const payload = { ...offer?.payload, connectionId: `c${k}` };
        liar.tell(taker.address, JSON.stringify({ ...offer, src: "room-nobody", payload }));
      }
    };
    flood();
    await until(() => answers() >= 33);
    await pause(2_600);
    expect(answers()).toBe(33);
    flood();
    await until(() => answers() >= 65);
    liar.close();
  });

  it("says why nobody is reached: no server, a taken address, no such peer", async () => {
    const nowhere = { server: "http://127.0.0.1:9/peer" };
    await expect(open({ signalling: nowhere })).rejects.toMatchObject({
      tag: "Refused",
      problem: expect.stringContaining("http://127.0.0.1:9/peer could not be reached"),
    });
    await expect(open({ address: listener.address })).rejects.toMatchObject({
      tag: "Refused",
      problem: expect.stringContaining("is taken"),
    });
    await expect(open({ signalling: { server: "nonsense" } })).rejects.toMatchObject({ tag: "BadArgument" });
    await expect(dialler.dial(addressOf("room", "nobody"))).rejects.toMatchObject({
      tag: "Refused",
      problem: "Connecting to room-nobody failed. There is no peer room-nobody.",
    });
  });

  it("keeps trying a server that is not there yet if asked to", async () => {
    const states: boolean[] = [];
    const own = await startServer();
    const signalling = { server: `http://127.0.0.1:${own.port}${signallingPath}` };
    await own.close();
    const onReachable = (isReachable: boolean) => states.push(isReachable);
    const caller = await open({ signalling, retriesSignalling: true, onReachable });
    await until(() => states.length === 1);
    await expect(caller.dial(listener.address)).rejects.toMatchObject({ tag: "Refused" });
    const back = await startServer(own.port);
    const taker = await open({ signalling });
    await until(() => states.length === 2);
    expect(states).toEqual([false, true]);
    (await caller.dial(taker.address)).channel.close();
    const taken = { address: listener.address, isPatient: true };
    await expect(open(taken)).rejects.toMatchObject({ problem: expect.stringContaining("is taken") });
    caller.close();
    taker.close();
    await back.close();
  });

  it("works without the server, and uses it again when it is back", async () => {
    const states: boolean[] = [];
    let own = await startServer();
    const { port } = own;
    const signalling = { server: `http://127.0.0.1:${port}${signallingPath}` };
    const heard: RtcConnection[] = [];
    const taker = await open({ signalling, onConnection: (connection) => heard.push(connection) });
    const caller = await open({ signalling, onReachable: (isReachable) => states.push(isReachable) });
    const first = await caller.dial(taker.address);
    await until(() => heard.length === 1);
    await own.close();
    await until(() => states.length === 2);
    await expect(caller.dial(taker.address)).rejects.toMatchObject({ tag: "Refused" });
    const links = [first.channel, heard[0].channel].map(
      (channel) => new FramedLink(channel, defaultLimits, () => performance.now()),
    );
    const messages: Uint8Array[] = [];
    links[0].start({ message: () => {}, ended: () => {} });
    links[1].start({ message: ({ body }) => messages.push(body), ended: () => {} });
    const say = async () => {
      const count = messages.length;
      await links[0].send({ stream: 1, head: new Uint8Array(0), body: Uint8Array.of(count) });
      await until(() => messages.length > count);
    };
    await say();
    own = await startServer(port);
    await until(() => states.length === 3);
    expect(states).toEqual([true, false, true]);
    let again: RtcConnection | undefined;
    while (!again) again = await caller.dial(taker.address).catch(() => undefined);
    expect(again.address).toBe(taker.address);
    await say();
    again.channel.close();
    links[0].close("done");
    taker.close();
    caller.close();
    await own.close();
  });

  it("accepts a server's self-signed certificate", async () => {
    const tls = await certificateFor(["127.0.0.1"], "/dev/null/nowhere");
    const options = { page: filesIn("/none"), host: "127.0.0.1", port: 0, isPortFixed: true };
    const secure = await serve({ ...options, tls, signalling: signalling() });
    const { server } = pageSignalling(secure.url);
    const taker = await open({ signalling: { server } });
    const caller = await open({ signalling: { server } });
    (await caller.dial(taker.address)).channel.close();
    await secure.close();
  });

  it("reports a peer that the server lost, and keeps the connection", async () => {
    const suspects: string[] = [];
    const watcher = await open({ onSuspect: (address) => suspects.push(address) });
    const leaver = await open();
    const { channel } = await leaver.dial(listener.address);
    await until(() => incoming.length > 0);
    const [taken] = incoming.splice(0);
    const frames: Uint8Array[] = [];
    taken.channel.start({ frame: (bytes) => frames.push(bytes), lost: () => {} });
    leaver.close();
    await until(() => suspects.length > 0);
    expect(suspects).toEqual([leaver.address]);
    channel.post(Uint8Array.of(1, 1), new Uint8Array(5));
    await until(() => frames.length > 0);
    await expect(leaver.dial(watcher.address)).rejects.toMatchObject({ tag: "Refused" });
    channel.close();
  });

  it("sends everything posted before a close, then reports the close", async () => {
    const { dialled, taken } = await pair.connect();
    const lengths: number[] = [];
    const lost: string[] = [];
    taken.channel.start({
      frame: ({ length }) => lengths.push(length),
      lost: (problem) => lost.push(problem),
    });
    for (let k = 0; k < 40; k++) dialled.channel.post(Uint8Array.of(1, k % 2), new Uint8Array(200_000 + k));
    dialled.channel.close();
    await until(() => lost.length > 0);
    expect(lengths.toSorted()).toEqual(Array.from({ length: 40 }, (_, k) => 200_002 + k));
    expect(lost).toEqual(["The other side closed the connection."]);
  });
});
