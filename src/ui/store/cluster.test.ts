import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { defaultRoomLimits } from "../../cluster/room/limits.ts";
import { FakeEngine } from "../testing/fake-engine.ts";
import { FakeRanks, memberOf, stateOf } from "../testing/fake-ranks.ts";
import type { KeyValueStorage } from "./preferences.ts";
import { createSession, type Session } from "./session.ts";

let ranks: FakeRanks;
let session: Session;
let forgotten: number;
let kept: Map<string, string>;
const cluster = () => session.store.getState().cluster;
const settle = () => vi.advanceTimersByTimeAsync(0);
const last = () => ranks.started[ranks.started.length - 1];
const storage: KeyValueStorage = {
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => void kept.set(key, value),
};

/** A page after it was loaded, for the first time or again. */
async function load(): Promise<void> {
  ranks = new FakeRanks();
  session = createSession({
    engine: new FakeEngine(),
    storage,
    tabStorage: storage,
    place: { address: "http://host/", device: "Chrome 1 on Test", forgetInvitation: () => forgotten++ },
    loadRanks: ranks.load,
  });
  await session.start();
}

async function share(): Promise<void> {
  session.cluster.share();
  await settle();
  last().enter();
  await settle();
}

const other = memberOf("other", { rank: 1 });
const both = (change = {}) =>
  stateOf({ epoch: 2, members: [memberOf("rank1", { isSelf: true, isHost: true }), other], ...change });

beforeEach(async () => {
  vi.useFakeTimers();
  forgotten = 0;
  kept = new Map();
  await load();
});
afterEach(() => vi.useRealTimers());

test("sharing opens a room once, and introduces this page to the others", async () => {
  session.cluster.share();
  session.cluster.share();
  expect(cluster().isOpen).toBe(true);
  await settle();
  expect(cluster().phase).toBe("opening");
  const { start } = last();
  expect(start).toMatchObject({
    link: "http://host/#room=made",
    opens: true,
    limits: defaultRoomLimits,
  });
  expect(start.about).toEqual({ name: "Chrome 1 on Test", device: "Chrome 1 on Test", gpu: "Test GPU" });
  expect(start.browser).toMatch(/^[0-9a-f]{32}$/);
  last().enter();
  await settle();
  expect(cluster()).toMatchObject({ phase: "member", link: "http://host/#room=made" });
  expect(cluster().announcement).toBe("A room is open; this page is its only rank.");
  session.cluster.close();
  session.cluster.share();
  await settle();
  expect(ranks.started).toHaveLength(1);
  session.cluster.invite("http://host/#room=other");
  expect(cluster().invitation).toBeUndefined();
  expect(cluster().announcement).toBe("This page is already in a room. Leave it to join another.");
});

test("a join request is shown and announced, and the host's answer is sent", async () => {
  await share();
  const request = { id: "other", about: other.about };
  last().events.onState(stateOf({ requests: [request] }));
  expect(cluster().rank?.requests).toEqual([request]);
  expect(session.store.getState().status.message).toBe("Name of other asks to join.");
  session.cluster.decide("other", true);
  last().events.onState(both());
  expect(cluster().announcement).toBe("Name of other joined as rank 1. Epoch 2, 2 ranks.");
  session.cluster.remove("other");
  last().events.onState(stateOf({ epoch: 3 }));
  expect(cluster().announcement).toBe("Name of other is gone. Epoch 3, 1 rank.");
  session.cluster.setApprovesAll(true);
  session.cluster.setLimits({ ranks: 8 });
  expect(ranks.calls).toEqual([
    "rank1 decide other true",
    "rank1 remove other",
    "rank1 setApprovesAll true",
    `rank1 setLimits {"ranks":8,"joinsPerMinute":60,"messageBytes":${2 ** 31}}`,
  ]);
  await load();
  expect(cluster().limits).toEqual({ ranks: 8, joinsPerMinute: 60, messageBytes: 2 ** 31 });
  kept.set("crinkle.limits", '{"ranks":8,"joinsPerMinute":61,"messageBytes":"1","other":2}');
  await load();
  expect(cluster().limits).toEqual({ ranks: 8, joinsPerMinute: 60, messageBytes: 2 ** 31 });
});

test("an invitation is joined under the given name, waits for the host, and leaves the address bar", async () => {
  session.cluster.invite("http://host/#room=key");
  expect(cluster()).toMatchObject({ phase: "none", invitation: { isReturn: false } });
  session.cluster.accept("Ada");
  await settle();
  expect(last().start).toMatchObject({ link: "http://host/#room=key", opens: false });
  expect(last().start.about.name).toBe("Ada");
  last().events.onState(stateOf({ phase: "waiting", members: [], isHost: false, epoch: 0 }));
  expect(cluster()).toMatchObject({ phase: "waiting", announcement: "Waiting for the host." });
  expect(forgotten).toBe(0);
  const self = memberOf("rank1", { isSelf: true, rank: 1, path: "" });
  last().enter(stateOf({ isHost: false, members: [memberOf("host", { isHost: true }), self] }));
  await settle();
  expect(cluster()).toMatchObject({ phase: "member", announcement: "Joined the room as rank 1 of 2." });
  expect(forgotten).toBe(1);
});

test("a room that a job waits for is joined where another page has opened it, else opened", async () => {
  for (const isOpen of [true, false]) {
    await load();
    session.cluster.invite("http://host/#room=key", true);
    expect(cluster().invitation).toMatchObject({ link: "http://host/#room=key", opens: true });
    session.cluster.accept("Ada");
    await settle();
    expect(last().start).toMatchObject({ link: "http://host/#room=key", opens: false });
    if (!isOpen) {
      last().refuse({ tag: "Unreachable", problem: "Nobody answers in this room.", remedy: "" });
      // No time has passed: it is tried once more.
      await vi.advanceTimersByTimeAsync(500);
      last().refuse({ tag: "Unreachable", problem: "Nobody answers in this room.", remedy: "" });
      await settle();
      expect(last().start).toMatchObject({ link: "http://host/#room=key", opens: true });
    }
    last().enter();
    await settle();
    expect(cluster()).toMatchObject({ phase: "member", error: undefined });
  }
});

test("a refusal is shown, and the invitation can be tried again", async () => {
  session.cluster.invite("http://host/#room=key");
  session.cluster.accept("");
  await settle();
  last().refuse({ tag: "Refused", problem: "The host declined this rank.", remedy: "" });
  await settle();
  expect(cluster()).toMatchObject({
    phase: "none",
    invitation: { link: "http://host/#room=key" },
    error: { problem: "The host declined this rank." },
    announcement: "The host declined this rank.",
  });
  session.cluster.accept("");
  await settle();
  expect(cluster()).toMatchObject({ phase: "joining", error: undefined });
  session.cluster.cancel();
  await settle();
  expect(cluster()).toMatchObject({ phase: "none", invitation: undefined, error: undefined });
});

test("another rank of the page is announced to the host, and leaves with it", async () => {
  await share();
  session.cluster.addRank();
  await settle();
  expect(ranks.calls).toEqual(["rank1 preapprove rank2"]);
  expect(cluster().isAdding).toBe(true);
  expect(last().start).toMatchObject({ id: "rank2", opens: false, link: "http://host/#room=made" });
  expect(last().start.about.name).toBe("Chrome 1 on Test · 2");
  last().enter(both());
  await settle();
  expect(cluster()).toMatchObject({ isAdding: false, added: ["rank2"] });
  session.cluster.leave();
  expect(ranks.calls.slice(1)).toEqual(["rank1 leave", "rank2 leave"]);
  expect(cluster()).toMatchObject({
    phase: "none",
    isOpen: false,
    added: [],
    announcement: "Left the room.",
  });
  ranks.started[0].events.onState(both());
  expect(cluster().phase).toBe("none");
});

test("an added rank that is removed leaves the others alone", async () => {
  await share();
  session.cluster.addRank();
  await settle();
  last().enter(both());
  await settle();
  last().events.onState(stateOf({ phase: "left" }));
  expect(cluster()).toMatchObject({ phase: "member", added: [] });
});

test("the host's expression is computed by all ranks, and what was lost on the way is said", async () => {
  await share();
  last().events.onState(both());
  session.cluster.compute("q = q_criterion(velocity)");
  expect(cluster()).toMatchObject({ isComputing: true, computed: undefined });
  await settle();
  expect(ranks.calls).toContain("rank1 statistics q = q_criterion(velocity)");
  expect(cluster()).toMatchObject({
    isComputing: false,
    computing: { 1: { rank: 1, fraction: 0.25, step: "Computing" } },
    computed: { text: "q = q_criterion(velocity)", lost: ["Ada"], result: { results: [{ name: "q" }] } },
    announcement: "Computed on 1 rank.",
  });
});

test("ranks that are lost between jobs are named until others take their places or the ranks compute", async () => {
  await share();
  const [own, bo, cy] = [both().members[0], memberOf("bo", { rank: 2 }), memberOf("cy", { rank: 3 })];
  const hear = (...members: (typeof other)[]) => last().events.onState(both({ members: [own, ...members] }));
  hear(other, bo, cy);
  expect(cluster().lost).toEqual([]);
  hear(other);
  expect(cluster().lost).toEqual(["Name of bo", "Name of cy"]);
  hear(other, memberOf("cy2", { rank: 2, about: cy.about }));
  expect(cluster().lost).toEqual(["Name of bo"]);
  hear(other, memberOf("cy2", { rank: 2, about: cy.about }), memberOf("new", { rank: undefined }));
  expect(cluster().lost).toEqual(["Name of bo"]);
  hear(other, memberOf("cy2", { rank: 2, about: cy.about }), memberOf("new", { rank: 3 }));
  expect(cluster().lost).toEqual([]);
  session.cluster.remove("new");
  hear(other);
  expect(cluster().lost).toEqual(["Name of cy"]);
  session.cluster.compute("q");
  expect(cluster().lost).toEqual([]);
  await settle();
  hear();
  expect(cluster().lost).toEqual(["Name of other"]);
  last().events.onState(both({ isHost: false, members: [own] }));
  expect(cluster().lost).toEqual([]);
});

test("who is lost while the ranks compute is named with the result alone", async () => {
  await share();
  last().events.onState(
    both({
      members: [...both().members, memberOf("ada", { rank: 2, about: { ...other.about, name: "Ada" } })],
    }),
  );
  session.cluster.compute("q");
  last().events.onState(both());
  await settle();
  expect(cluster()).toMatchObject({ lost: [], computed: { lost: ["Ada"] } });
});

test("links are measured with progress, and rates follow from the traffic", async () => {
  await share();
  last().events.onState(both());
  await vi.advanceTimersByTimeAsync(1000);
  const busy = { ...other, sentBytes: 3000, receivedBytes: 1000 };
  last().events.onState(both({ members: [cluster().rank!.members[0], busy] }));
  expect(cluster().rates.other).toBeCloseTo(4000, 0);
  session.cluster.measure();
  expect(cluster().measuring).toBe(0.5);
  await settle();
  expect(cluster().measuring).toBeUndefined();
  expect(cluster().measured?.ids).toEqual(["rank1", "other"]);
  expect(cluster().announcement).toBe("Measured 1 link.");
});

test("a removed rank learns why, and may join again", async () => {
  await share();
  const problem = { tag: "Refused", problem: "The host removed this rank.", remedy: "" } as const;
  last().events.onState(both());
  last().events.onState(stateOf({ phase: "left", problem }));
  expect(cluster()).toMatchObject({
    phase: "none",
    error: problem,
    invitation: { link: "http://host/#room=made", isReturn: true },
  });
});

test("a page that the others continued without rejoins them", async () => {
  await share();
  const problem = { tag: "RankFailed", problem: "The others continued.", remedy: "Join again." } as const;
  last().events.onState(both());
  last().events.onState(stateOf({ phase: "left", problem }));
  expect(cluster().announcement).toBe("The others continued. Joining again as a new rank.");
  await settle();
  expect(cluster()).toMatchObject({ phase: "joining", error: undefined });
  expect(last().start).toMatchObject({ id: "rank2", link: "http://host/#room=made", opens: false });
});

test("an unreachable server is reported as being retried", async () => {
  session.cluster.invite("http://host/#room=key");
  session.cluster.accept("");
  await settle();
  last().events.onState(stateOf({ phase: "joining", members: [], isHost: false, isReachable: false }));
  expect(cluster()).toMatchObject({ phase: "joining", rank: { isReachable: false } });
  expect(cluster().announcement).toContain("for up to a minute");
  session.cluster.cancel();
  await share();
  expect(cluster().announcement).toContain("A room is open");
  last().events.onState(stateOf({ phase: "joining", members: [] }));
  expect(cluster().phase).toBe("member");
  last().events.onState(stateOf({ isReachable: false }));
  expect(cluster().announcement).toContain("retried every 15 s or sooner");
});

test("a reloaded host joins the room that others keep, and reopens it if nobody is left", async () => {
  await share();
  last().events.onState(both());
  await load();
  expect(cluster().invitation).toEqual({ link: "http://host/#room=made", isReturn: true });
  session.cluster.accept("");
  await settle();
  const nobody = { tag: "Unreachable", problem: "Nobody answers in this room.", remedy: "" };
  while (!last().start.opens) {
    last().refuse(nobody);
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(ranks.started.length).toBeGreaterThan(10);
  last().enter();
  await settle();
  await load();
  session.cluster.accept("");
  await settle();
  expect(ranks.started).toHaveLength(1);
  expect(last().start.opens).toBe(true);
});

test("a reloaded member does not reopen the room of another host", async () => {
  session.cluster.invite("http://host/#room=key");
  session.cluster.accept("");
  await settle();
  last().enter(both({ isHost: false }));
  await settle();
  await load();
  session.cluster.accept("");
  await settle();
  for (let k = 0; k < 20; k++) {
    last().refuse({ tag: "Unreachable", problem: "Nobody answers in this room.", remedy: "" });
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(ranks.started.every(({ start }) => !start.opens)).toBe(true);
  expect(cluster()).toMatchObject({ phase: "none", error: { tag: "Unreachable" } });
  session.cluster.decline();
  await load();
  expect(cluster().invitation).toBeUndefined();
});
