// The shared worker that introduces the tabs of one browser to each other.
import { RendezvousServer } from "./rendezvous-server.ts";

declare const self: SharedWorkerGlobalScope;

const lock = `crinkle/broker/${crypto.randomUUID()}`;
const server = new RendezvousServer(navigator.locks, lock);
const held = new Promise<void>((resolve) => {
  void navigator.locks.request(lock, () => {
    resolve();
    return new Promise(() => {});
  });
});
self.onconnect = async ({ ports }) => {
  await held;
  server.connect(ports[0]);
};
