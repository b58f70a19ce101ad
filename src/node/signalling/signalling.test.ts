import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { fetchSignalling } from "../../cluster/transport/rtc/options.ts";
import { addressOf } from "../../cluster/transport/rtc/protocol.ts";
import { type StaticServer, serve } from "../serve.ts";
import { filesIn } from "../static/files.ts";
import { type SignallingLimits, signalling } from "./signalling.ts";

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
};

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "crinkle-signalling-"));
  await writeFile(join(root, "index.html"), "<!doctype html><title>Crinkle</title>");
});
afterAll(() => rm(root, { recursive: true }));

const servers: StaticServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(limits?: Partial<SignallingLimits>, settings?: object): Promise<number> {
  const options = { page: filesIn(root), host: "127.0.0.1", port: 0, isPortFixed: true };
  const server = await serve({ ...options, signalling: signalling(limits, settings) });
  servers.push(server);
  return server.port;
}

interface Heard {
  readonly socket: WebSocket;
  readonly messages: { type: string; src?: string; payload?: unknown }[];
  closed?: number;
  status?: number;
}

/** A socket to the server, as PeerJS opens it. */
function open(port: number, path: string): Heard {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  const heard: Heard = { socket, messages: [] };
  socket.on("message", (data) => heard.messages.push(JSON.parse(String(data))));
  socket.on("close", (code) => {
    heard.closed = code;
  });
  socket.on("unexpected-response", (_, response) => {
    heard.status = response.statusCode;
  });
  socket.on("error", () => {});
  return heard;
}

async function enter(port: number, id: string, token = "t"): Promise<Heard> {
  const heard = open(port, `/peer/peerjs?key=peerjs&id=${id}&token=${token}`);
  await until(() => heard.messages.length > 0);
  expect(heard.messages.shift()?.type).toBe("OPEN");
  return heard;
}

const a = addressOf("room1", "a");
const b = addressOf("room1", "b");
const c = addressOf("room2", "c");

describe("signalling beside the page", () => {
  it("leaves requests for the page alone, and answers those below its path", async () => {
    const port = await start();
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    expect(await get("/")).toContain("<title>Crinkle</title>");
    expect(await get("/peerage")).toContain("404 There is nothing here.");
    expect(await get("/peer")).toContain("PeerJS Server");
    expect(await get("/peer/peerjs/id")).toMatch(/^[0-9a-f-]{36}$/);
    expect((await fetch(`http://127.0.0.1:${port}/peer/peerjs/peers`)).status).toBe(401);
  });

  it.each(["/", "/peer", "/peer/", "/peer/peerjsx", "/hmr", "//", "/peer/peerjs/"])(
    "refuses to upgrade %s",
    async (path) => {
      const heard = open(await start(), path);
      await until(() => heard.status !== undefined);
      expect(heard.status).toBe(404);
    },
  );

  it("informs ranks of configured servers", async () => {
    const own = await start();
    const page = `http://127.0.0.1:${own}/`;
    expect(await fetchSignalling(page)).toEqual({ server: `${page}peer`, iceServers: [] });
    const iceServers = [{ urls: ["stun:stun.example.org"] }];
    const other = await start({}, { server: "https://peers.example.org/peer", iceServers });
    expect(await fetchSignalling(`http://127.0.0.1:${other}/viewer/#x`)).toEqual({
      server: `http://127.0.0.1:${other}/peer`,
    });
    expect(await fetchSignalling(`http://127.0.0.1:${other}/`)).toEqual({
      server: "https://peers.example.org/peer",
      iceServers,
    });
    const wrong = await start({}, { iceServers: "stun:stun.example.org" });
    await expect(fetchSignalling(`http://127.0.0.1:${wrong}/`)).rejects.toMatchObject({ tag: "BadArgument" });
    await servers.splice(0, 1)[0].close();
    expect(await fetchSignalling(page)).toEqual({ server: `${page}peer` });
  });

  it("relays offers between peers under their sender's name", async () => {
    const port = await start();
    const [one, two] = [await enter(port, a), await enter(port, b)];
    one.socket.send(JSON.stringify({ type: "OFFER", src: c, dst: b, payload: { sdp: "x" } }));
    await until(() => two.messages.length > 0);
    expect(two.messages).toEqual([{ type: "OFFER", src: a, dst: b, payload: { sdp: "x" } }]);
  });

  it("informs a room, and no other, of the member that it lost", async () => {
    const port = await start();
    const [one, two, three] = [await enter(port, a), await enter(port, b), await enter(port, c)];
    const from = performance.now();
    two.socket.terminate();
    await until(() => one.messages.length > 0);
    expect(performance.now() - from).toBeLessThan(1000);
    expect(one.messages).toEqual([{ type: "GONE", src: b }]);
    expect(three.messages).toEqual([]);
    await enter(port, b);
  });

  it("reserves an id, and lets its owner return with its token", async () => {
    const port = await start();
    const [first, witness] = [await enter(port, a), await enter(port, b)];
    const thief = open(port, `/peer/peerjs?key=peerjs&id=${a}&token=other`);
    await until(() => thief.closed !== undefined);
    expect(thief.messages[0].type).toBe("ID-TAKEN");
    const again = open(port, `/peer/peerjs?key=peerjs&id=${a}&token=t`);
    await until(() => again.socket.readyState === WebSocket.OPEN);
    first.socket.close();
    await until(() => first.closed !== undefined);
    again.socket.send(JSON.stringify({ type: "CANDIDATE", dst: b, payload: {} }));
    await until(() => witness.messages.length > 0);
    expect(witness.messages.map(({ type }) => type)).toEqual(["CANDIDATE"]);
  });

  it.each<[string, number, string | Buffer]>([
    ["half a message", 1007, '{"type":'],
    ["nothing", 1007, "null"],
    ["a number", 1007, "5"],
    ["a message without a type", 1007, '{"dst":"x"}'],
    ["a message to an object", 1007, '{"type":"OFFER","dst":{}}'],
    ["bytes", 1007, Buffer.from('{"type":"OFFER"}')],
    ["a message that is too long", 1009, JSON.stringify({ type: "OFFER", payload: "x".repeat(70_000) })],
  ])("closes a socket that sends %s, and serves the others", async (_, code, data) => {
    const port = await start();
    const [one, two] = [await enter(port, a), await enter(port, b)];
    one.socket.send(data, { binary: data instanceof Buffer });
    await until(() => one.closed !== undefined);
    expect(one.closed).toBe(code);
    await until(() => two.messages.length > 0);
    expect(two.messages).toEqual([{ type: "GONE", src: a }]);
    const three = await enter(port, c);
    three.socket.send(JSON.stringify({ type: "LEAVE", dst: b }));
    await until(() => two.messages.length > 1);
  });

  it("limits sockets, messages and bytes", async () => {
    const few = { burst: 3, perSecond: 0.001 };
    const port = await start({ connections: 2, messages: few });
    const one = await enter(port, a);
    const two = await enter(port, b);
    const third = open(port, `/peer/peerjs?key=peerjs&id=${c}&token=t`);
    await until(() => third.status !== undefined);
    expect(third.status).toBe(503);
    for (let k = 0; k < 20; k++) one.socket.send(JSON.stringify({ type: "CANDIDATE", dst: b, payload: k }));
    await until(() => one.closed !== undefined && two.messages.length === 4);
    expect(one.closed).toBe(1008);
    expect(two.messages.map(({ payload }) => payload)).toEqual([0, 1, 2, undefined]);

    const other = await start({ bytes: { burst: 1000, perSecond: 0.001 } });
    const loud = await enter(other, a);
    loud.socket.send(JSON.stringify({ type: "OFFER", dst: b, payload: "x".repeat(2000) }));
    await until(() => loud.closed !== undefined);
    expect(loud.closed).toBe(1008);
  });

  it("informs a sender that its peer never came, as long as the server runs", async () => {
    const port = await start();
    const one = await enter(port, a);
    const from = performance.now();
    one.socket.send(JSON.stringify({ type: "OFFER", dst: b, payload: {} }));
    await until(() => one.messages.length > 0);
    expect(one.messages).toEqual([{ type: "EXPIRE", src: b, dst: a }]);
    expect(performance.now() - from).toBeLessThan(2500);
  });

  it("survives a client that disconnects during an upgrade", async () => {
    const port = await start();
    for (const path of ["/none", "/peer/peerjs?key=peerjs&id=x&token=t"]) {
      const headers = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Key": "garbage" };
      const outgoing = request({ host: "127.0.0.1", port, path, headers });
      outgoing.on("error", () => {});
      outgoing.end();
      await new Promise((resolve) => outgoing.on("socket", (socket) => socket.on("connect", resolve)));
      outgoing.destroy();
    }
    await enter(port, a);
  });
});
