import { afterEach } from "vitest";
import { RankProcess } from "./rank-process.ts";

export interface RankProcesses {
  start(args: readonly string[], env?: Record<string, string>): RankProcess;
  /** Opens a room on this machine, and resolves to it and its link. */
  open(): Promise<{ room: RankProcess; link: string }>;
}

/** Rooms and ranks as processes, which are killed after each test of the file. */
export function rankProcesses(): RankProcesses {
  const running: RankProcess[] = [];
  const start: RankProcesses["start"] = (args, env = {}) => {
    const rank = new RankProcess(args, env);
    running.push(rank);
    return rank;
  };
  afterEach(() => {
    for (const rank of running.splice(0)) {
      rank.signal("SIGCONT");
      rank.signal("SIGKILL");
    }
  });
  return {
    start,
    async open() {
      const room = start(["room", "--listen", "127.0.0.1"]);
      await room.hears(/^tcp:.*\n/);
      return { room, link: room.out.trim() };
    },
  };
}
