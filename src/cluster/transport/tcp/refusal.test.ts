import * as net from "node:net";
import * as tls from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { CrinkleError } from "../../../core/errors.ts";
import { type DialOptions, dialTcp } from "./dial.ts";
import { type ListenOptions, listenTcp, type TcpListener } from "./listen.ts";
import { cipherSuite, identity, presharedKey } from "./secure.ts";
import { selfSigned } from "./testing/certificate.ts";

const key = Uint8Array.from({ length: 16 }, (_, i) => i * 7 + 1);
const otherKey = key.map((byte) => byte ^ 1);
const host = "127.0.0.1";

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
};

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function listen(options: Partial<ListenOptions> = {}) {
  const errors: CrinkleError[] = [];
  const frames: Uint8Array[] = [];
  const onChannel: ListenOptions["onChannel"] = (channel) => {
    channel.start({ frame: (bytes) => frames.push(bytes), lost: () => {} });
    ends.push(() => channel.close());
  };
  const onRefused = (error: CrinkleError) => errors.push(error);
  const listener = await listenTcp({ key, onChannel, onRefused, ...options });
  ends.push(() => listener.close());
  return { listener, errors, frames };
}

/** A socket that collects what it receives, and whether it was closed. */
function connectTo({ port }: { readonly port: number }, bytes?: Uint8Array) {
  const socket = net.connect(port, host);
  ends.push(() => socket.destroy());
  const state = { socket, isClosed: false };
  socket.on("error", () => {});
  socket.on("data", () => {});
  socket.on("close", () => {
    state.isClosed = true;
  });
  if (bytes) socket.write(bytes);
  return state;
}

const serve = async (server: net.Server) => {
  ends.push(() => server.close());
  server.on("connection", (socket: net.Socket) => ends.push(() => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return { host, port: (server.address() as net.AddressInfo).port };
};

describe("a listener refuses, before it reads a frame,", () => {
  const expectRefused = async (use: (listener: TcpListener) => void, options?: Partial<ListenOptions>) => {
    const { listener, errors, frames } = await listen(options);
    use(listener);
    await until(() => errors.length > 0);
    expect(errors[0]).toBeInstanceOf(CrinkleError);
    expect(errors[0].tag).toBe("Refused");
    expect(frames).toEqual([]);
  };

  const secureTo = (port: number, options: tls.ConnectionOptions) => {
    const socket = tls.connect({ ...cipherSuite, host, port, rejectUnauthorized: false, ...options });
    socket.on("error", () => {});
    socket.write(new Uint8Array(100));
    ends.push(() => socket.destroy());
  };

  it("a peer without a key", () => expectRefused(({ port }) => secureTo(port, {})));

  it("a wrong key", async () => {
    await expectRefused(({ port }) => {
      dialTcp({ key: otherKey, host, port }).catch(() => {});
    });
  });

  it("the room's own key where the derived one is expected", () =>
    expectRefused(({ port }) => secureTo(port, { pskCallback: () => ({ psk: key, identity }) })));

  it("the right key under another name", () =>
    expectRefused(({ port }) =>
      secureTo(port, { pskCallback: () => ({ psk: presharedKey(key), identity: "x" }) }),
    ));

  it("an older protocol", () =>
    expectRefused(({ port }) =>
      secureTo(port, {
        minVersion: "TLSv1.2",
        maxVersion: "TLSv1.2",
        ciphers: "DHE-PSK-AES128-GCM-SHA256",
        pskCallback: () => ({ psk: presharedKey(key), identity }),
      }),
    ));

  it.each([
    ["zeros", new Uint8Array(1000)],
    ["a page's request", new TextEncoder().encode("GET / HTTP/1.1\r\nHost: x\r\n\r\n")],
    ["a frame", Uint8Array.of(16, 0, 0, 0, 3, ...new Uint8Array(15))],
    ["a record without end", Uint8Array.of(22, 3, 1, 0xff, 0xff, ...new Uint8Array(70_000))],
  ])("%s", (_, bytes) => expectRefused((listener) => connectTo(listener, bytes)));

  it("a handshake that stalls", async () => {
    const halfAHello = Uint8Array.of(22, 3, 1, 1, 0, 1, 0, 0, 252, 3, 3);
    for (const bytes of [halfAHello, undefined]) {
      const { listener, errors } = await listen({ handshakeMs: 30 });
      const stalled = connectTo(listener, bytes);
      await until(() => stalled.isClosed && errors.length > 0);
      expect(errors.map(({ tag }) => tag)).toEqual(["Refused"]);
    }
  });

  it("a handshake that goes on forever", async () => {
    const { listener, errors } = await listen({ handshakeMs: 50 });
    const dripping = connectTo(listener, Uint8Array.of(22, 3, 1, 1, 0, 1, 0, 0, 252, 3, 3));
    const drip = setInterval(() => dripping.socket.write(Uint8Array.of(0)), 5);
    await until(() => dripping.isClosed && errors.length > 0);
    clearInterval(drip);
    expect(errors.map(({ tag }) => tag)).toEqual(["Refused"]);
  });

  it("a replayed handshake", async () => {
    const { listener, errors, frames } = await listen();
    const recorded: Uint8Array[] = [];
    const proxy = net.createServer((socket) => {
      const { socket: onward } = connectTo(listener);
      socket.on("data", (bytes) => recorded.push(bytes));
      socket.pipe(onward).pipe(socket);
    });
    const channel = await dialTcp({ key, ...(await serve(proxy)) });
    channel.post(new Uint8Array(16), new Uint8Array(8));
    await until(() => frames.length === 1);
    channel.close();
    expect(errors).toEqual([]);
    connectTo(listener, Buffer.concat(recorded));
    await until(() => errors.length > 0);
    expect(errors[0].tag).toBe("Refused");
    expect(frames.length).toBe(1);
  });

  it("more half-open connections than allowed, until one of them is done", async () => {
    let accepted = 0;
    const onChannel = () => {
      accepted++;
    };
    const { listener, errors } = await listen({ maxHalfOpen: 2, onChannel });
    const first = connectTo(listener);
    connectTo(listener);
    const third = connectTo(listener);
    await until(() => third.isClosed);
    expect(errors.map(({ tag }) => tag)).toEqual(["Refused"]);
    await expect(dialTcp({ key, host, port: listener.port })).rejects.toMatchObject({ tag: "Refused" });
    first.socket.destroy();
    await until(() => errors.length === 3);
    for (let k = 0; k < 4; k++) {
      const channel = await dialTcp({ key, host, port: listener.port });
      ends.push(() => channel.close());
      await until(() => accepted === k + 1);
    }
  });

  it("a peer that has not proved the key when it closes", async () => {
    const { listener } = await listen();
    const waiting = connectTo(listener);
    await until(() => waiting.socket.readyState === "open");
    await new Promise((resolve) => setTimeout(resolve, 5));
    listener.close();
    await until(() => waiting.isClosed);
    await expect(dialTcp({ key, host, port: listener.port })).rejects.toMatchObject({ tag: "Refused" });
  });
});

describe("a dialler refuses", () => {
  const expectRefused = (options: Pick<DialOptions, "port"> & Partial<DialOptions>) =>
    expect(dialTcp({ key, host, ...options })).rejects.toMatchObject({ tag: "Refused" });

  it("a listener with a wrong key", async () => {
    const { listener } = await listen({ key: otherKey });
    await expectRefused(listener);
  });

  it("a server that presents a certificate and no key", async () => {
    const { cert, key: privateKey } = selfSigned();
    const greeting = (socket: tls.TLSSocket) => {
      socket.on("error", () => {});
      socket.write(new Uint8Array(100));
    };
    const server = tls.createServer({ ...cipherSuite, cert, key: privateKey }, greeting);
    const { port } = await serve(server);
    await expectRefused({ port });
  });

  it("a peer that answers with something else, not at all, or closes", async () => {
    const answers: ((socket: net.Socket) => void)[] = [
      (socket) => socket.write("SSH-2.0-x\r\n"),
      () => {},
      (socket) => socket.end(),
      (socket) => socket.resetAndDestroy(),
    ];
    for (const answer of answers) {
      const { port } = await serve(net.createServer(answer));
      await expectRefused({ port, handshakeMs: 50 });
    }
  });

  it("keys of another length", async () => {
    await expect(dialTcp({ key: key.subarray(1), host, port: 1 })).rejects.toThrow("16 bytes, not 15");
    await expect(listenTcp({ key: new Uint8Array(0), onChannel: () => {} })).rejects.toThrow(
      "16 bytes, not 0",
    );
  });
});
