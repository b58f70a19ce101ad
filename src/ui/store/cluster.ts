import { lostSentence } from "../../core/lost-sentence.ts";
import type { RankDrawing } from "../../engine/api.ts";
import type { RankStart, RankState, RoomLimits } from "../../engine/cluster/api.ts";
import type { PageRank } from "../../engine/cluster/client.ts";
import { createAddedRanks } from "./cluster-added.ts";
import { lossesAfter } from "./cluster-losses.ts";
import type { ClusterMemory } from "./cluster-memory.ts";
import { counted, describeChange } from "./cluster-sentences.ts";
import { type ClusterState, noCluster } from "./cluster-state.ts";
import type { Context } from "./context.ts";
import { toPlainError } from "./plain-error.ts";
import { createRates } from "./rates.ts";

/** How the page appears to others, and its address. */
export interface PagePlace {
  /** The page's address, which invitations lead to. */
  readonly address: string;
  /** The browser and the system, in words. */
  readonly device: string;
  /** Removes the invitation from the address bar. */
  forgetInvitation(): void;
}

/** Ranks as workers of this page; the code is loaded on first use. */
type Ranks = typeof import("../../engine/cluster/client.ts");
export type LoadRanks = () => Promise<Pick<Ranks, "startPageRank" | "makeInvitation" | "makeMemberId">>;

export interface ClusterActions {
  /** Shows the panel, and opens a room if this page is in none. */
  share(): void;
  close(): void;
  /** Asks the person whether to join the room of an invitation link, or to open it where `opens`. */
  invite(link: string, opens?: boolean): void;
  decline(): void;
  /** Joins the room of the invitation. */
  accept(name: string): void;
  /** Gives up joining. */
  cancel(): void;
  decide(id: string, admits: boolean): void;
  setApprovesAll(approves: boolean): void;
  /** Limits that are left out stay as they are. */
  setLimits(limits: Partial<RoomLimits>): void;
  /** Adds another worker of this page as a rank. */
  addRank(): void;
  remove(id: string): void;
  measure(): void;
  /** On the host: the statistics of an expression, computed by all ranks. */
  compute(text: string): void;
  /** How the ranks draw this page's layers; what is left out stays as it is. */
  draw(change: Partial<RankDrawing>): void;
  /** All ranks of this page leave. */
  leave(): void;
}

/** Milliseconds that others wait for the name of a GPU that is still being opened. */
const deviceMs = 5000;

/** Milliseconds to look for a host when coming back: another rank may have to take over first. */
const rejoinRetry = { forMs: 8000, pauseMs: 500 };

export function createClusterActions(
  { engine, store, announce, send }: Context,
  memory: ClusterMemory,
  place: PagePlace,
  load: LoadRanks,
): ClusterActions {
  let own: PageRank | undefined;
  /** Belongs to the room that the page is in or joining; events of an earlier room are ignored. */
  let active: AbortController | undefined;
  /** Ids of members that this page has removed from the room. */
  const removed = new Set<string>();
  /** How many ranks this page has started. */
  let workers = 1;
  const added = createAddedRanks(
    async (...start) => (await load()).startPageRank(...start),
    (ids) => patch({ added: ids }),
  );
  const rates = createRates();
  const state = () => store.getState().cluster;
  const patch = (change: Partial<ClusterState>) => store.setState({ cluster: { ...state(), ...change } });

  function say(sentence: string): void {
    if (!sentence) return;
    patch({ announcement: sentence });
    announce(sentence);
  }

  function fail(thrown: unknown): void {
    const error = toPlainError(thrown);
    if (error.tag !== "Cancelled") patch({ error });
    say(error.problem);
  }

  /** Handles the state of the page's own rank, once it is a member or joining. */
  function hear(now: RankState): void {
    // If it failed to join, the rejected start reports why.
    if (now.phase === "left") {
      if (own) gone(now);
      return;
    }
    const before = state().rank;
    // A room that is being opened is not being joined.
    const phase = now.phase === "joining" ? state().phase : now.phase;
    const lost = lossesAfter(state().lost, before, now, removed);
    patch({ phase, rank: now, lost, rates: rates.after(now.members, performance.now()) });
    say(describeChange(before, now));
    if (now.phase !== "member") return;
    remember(now);
  }

  let remembered = "";
  function remember({ isHost, members }: RankState): void {
    const { link } = state();
    const text = `${link} ${isHost} ${members.length > 1}`;
    if (!link || text === remembered) return;
    remembered = text;
    memory.remember({ link, wasHost: isHost, hadOthers: members.length > 1 });
  }

  /**
   * Either the host removed this page, or the others continued without it, for example while it was frozen:
   * then it rejoins them.
   */
  function gone({ problem }: RankState): void {
    const { link } = state();
    end();
    if (!link || !problem) return;
    if (problem.tag === "RankFailed") {
      say(`${problem.problem} Joining again as a new rank.`);
      void comeBack(link);
      return;
    }
    patch({ invitation: { link, isReturn: true } });
    fail(problem);
  }

  function end(): void {
    active = undefined;
    void own?.leave().catch(() => {});
    own = undefined;
    added.end();
    workers = 1;
    removed.clear();
    rates.clear();
    const { isOpen, limits, name, announcement, drawing } = state();
    store.setState({ cluster: { ...noCluster, isOpen, limits, name, announcement, drawing } });
  }

  function deviceKnown(): Promise<void> {
    const isKnown = () => store.getState().device.phase !== "starting";
    if (isKnown()) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(done, deviceMs);
      const stop = store.subscribe(() => isKnown() && done());
    });
  }

  /** The start options of a rank of this page; others see `suffix` after its name. */
  async function startOf(link: string, opens: boolean, suffix = ""): Promise<RankStart> {
    const { makeMemberId } = await load();
    await deviceKnown();
    const { name, limits, approvesAll } = state();
    const { summary } = store.getState().device;
    const about = {
      name: `${name.trim() || place.device}${suffix}`.slice(0, 80),
      device: place.device,
      gpu: summary?.kind === "gpu" ? summary.description : "no GPU",
    };
    return { link, opens, id: makeMemberId(), about, browser: memory.browser(), limits, approvesAll };
  }

  /** Resolves when joining has succeeded or failed; to false if nobody answered for `forMs`. */
  async function enter(link: string, opens: boolean, forMs = 0): Promise<boolean> {
    const abort = new AbortController();
    active = abort;
    const isActive = () => active === abort;
    patch({ link, invitation: undefined, phase: opens ? "opening" : "joining", error: undefined });
    const giveUpAt = performance.now() + forMs;
    for (;;) {
      try {
        const start = await startOf(link, opens);
        const { startPageRank } = await load();
        if (!isActive()) return true;
        const rank = await startPageRank(
          start,
          { onState: (now) => isActive() && hear(now), onCrash: (reason) => isActive() && crashed(reason) },
          { signal: AbortSignal.any([abort.signal]), connect: (port) => engine.openRank(port) },
        );
        if (!isActive()) {
          await rank.leave();
          return true;
        }
        own = rank;
        place.forgetInvitation();
        return true;
      } catch (error) {
        if (!isActive()) return true;
        const isUnreachable = toPlainError(error).tag === "Unreachable";
        if (isUnreachable && performance.now() < giveUpAt) {
          await new Promise((resolve) => setTimeout(resolve, rejoinRetry.pauseMs));
          continue;
        }
        end();
        if (isUnreachable && forMs > 0) return false;
        patch({ invitation: opens ? undefined : { link, isReturn: false } });
        fail(error);
        return true;
      }
    }
  }

  function crashed(reason: string): void {
    if (!own) return;
    end();
    fail({
      tag: "Internal",
      problem: `This page's rank stopped: ${reason}.`,
      remedy: "Join or share again.",
    });
  }

  /** Rejoins the room that the page was in before a reload; the former host reopens it if nobody is left. */
  async function comeBack(link: string): Promise<void> {
    const former = memory.former();
    const mayOpen = former?.link === link && former.wasHost;
    if (mayOpen && !former.hadOthers) await enter(link, true);
    else if (!(await enter(link, false, rejoinRetry.forMs))) {
      if (mayOpen) await enter(link, true);
      else
        fail({
          tag: "Unreachable",
          problem: "Nobody answers in this room any more.",
          remedy: "Open one of your own with Share.",
        });
    }
  }

  /** Another page may have opened the room by the same link. */
  async function joinOrOpen(link: string): Promise<void> {
    if (!(await enter(link, false, 1))) await enter(link, true);
  }

  async function add(): Promise<void> {
    const { link, rank } = state();
    if (!own || !link) return;
    patch({ isAdding: true });
    try {
      const start = { ...(await startOf(link, false, ` · ${++workers}`)), approvesAll: false };
      if (rank?.isHost) await own.preapprove(start.id);
      await added.add(start);
    } catch (error) {
      fail(error);
    } finally {
      patch({ isAdding: false });
    }
  }

  async function measure(): Promise<void> {
    if (!own) return;
    patch({ measuring: 0, error: undefined });
    try {
      const ids = (state().rank?.members ?? []).filter(({ rank }) => rank !== undefined).map(({ id }) => id);
      const result = await own.measure((measuring) => patch({ measuring }));
      patch({ measured: { ids, result } });
      say(`Measured ${counted(result.links.length, "link")}.`);
    } catch (error) {
      fail(error);
    } finally {
      patch({ measuring: undefined });
    }
  }

  async function compute(text: string): Promise<void> {
    if (!own) return;
    patch({ isComputing: true, computing: {}, error: undefined, computed: undefined, lost: [] });
    const lost: string[] = [];
    const onLost = (gone: readonly string[]) => {
      lost.push(...gone);
      patch({ computing: {} });
      say(lostSentence(gone));
    };
    try {
      const result = await own.statistics(text, onLost, (progress) =>
        patch({ computing: { ...state().computing, [progress.rank]: progress } }),
      );
      // The result says itself who was lost on the way.
      patch({ computed: { text, result, lost }, lost: state().lost.filter((name) => !lost.includes(name)) });
      say(`Computed on ${counted(result.ranks.length, "rank")}.`);
    } catch (error) {
      fail(error);
    } finally {
      patch({ isComputing: false });
    }
  }

  const former = memory.former();
  patch({
    name: memory.name(),
    limits: { ...noCluster.limits, ...memory.limits() },
    ...(former ? { invitation: { link: former.link, isReturn: true } } : {}),
  });

  return {
    share() {
      patch({ isOpen: true });
      if (state().phase !== "none" || state().invitation) return;
      patch({ phase: "opening" });
      void load().then(
        ({ makeInvitation }) => enter(makeInvitation(place.address), true),
        (error: unknown) => {
          end();
          fail(error);
        },
      );
    },
    close: () => patch({ isOpen: false }),
    invite(link, opens = false) {
      if (state().phase === "none") patch({ invitation: { link, isReturn: false, opens }, error: undefined });
      else if (state().link !== link) say("This page is already in a room. Leave it to join another.");
    },
    decline() {
      memory.remember(undefined);
      patch({ invitation: undefined, error: undefined });
    },
    accept(name) {
      const { invitation } = state();
      if (!invitation) return;
      memory.saveName(name);
      patch({ name, isOpen: true });
      const { link, isReturn, opens } = invitation;
      void (isReturn ? comeBack(link) : opens ? joinOrOpen(link) : enter(link, false));
    },
    cancel() {
      active?.abort();
      end();
      say("Joining was cancelled.");
    },
    decide: (id, admits) => own?.decide(id, admits),
    setApprovesAll(approvesAll) {
      patch({ approvesAll });
      own?.setApprovesAll(approvesAll);
    },
    setLimits(change) {
      const limits = { ...state().limits, ...change };
      patch({ limits });
      memory.saveLimits(limits);
      own?.setLimits(limits);
      added.setLimits(limits);
    },
    addRank: () => void add(),
    remove(id) {
      removed.add(id);
      own?.remove(id);
    },
    measure: () => void measure(),
    compute: (text) => void compute(text),
    draw(change) {
      const drawing = { ...state().drawing, ...change };
      patch({ drawing });
      send("layer", engine.drawByRanks(drawing));
    },
    leave() {
      memory.remember(undefined);
      remembered = "";
      end();
      patch({ isOpen: false });
      say("Left the room.");
    },
  };
}
