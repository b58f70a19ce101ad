import { linkSuite } from "../testing/link-suite.ts";
import { dialTcp } from "./dial.ts";
import { listenTcp } from "./listen.ts";
import type { TcpChannel } from "./tcp-channel.ts";

const key = Uint8Array.from({ length: 16 }, (_, i) => i * 7 + 1);

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
};

async function connect() {
  const accepted: TcpChannel[] = [];
  const listener = await listenTcp({ key, channel: (channel) => accepted.push(channel) });
  const a = await dialTcp({ key, host: listener.host, port: listener.port });
  await until(() => accepted.length > 0);
  return { a, b: accepted[0], until, end: () => listener.close() };
}

linkSuite("tcp", connect, 2 ** 26);
