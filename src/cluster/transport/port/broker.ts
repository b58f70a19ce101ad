// The shared worker that introduces the tabs of one browser to each other.
import { Introductions } from "./introductions.ts";

declare const self: SharedWorkerGlobalScope;

const lock = `crinkle/broker/${crypto.randomUUID()}`;
const introductions = new Introductions(navigator.locks, lock);
const held = new Promise<void>((resolve) => {
  void navigator.locks.request(lock, () => {
    resolve();
    return new Promise(() => {});
  });
});
self.onconnect = async ({ ports }) => {
  await held;
  introductions.connect(ports[0]);
};
