import type { RankTimes } from "../../core/rank-trace.ts";
import { sumCosts } from "../../core/run-cost.ts";
import type { ViewReports } from "../../engine/saved-view/view-ranks.ts";

/**
 * What each rank did in several jobs, one after the other, with its block in the last one. Jobs that more ranks took part in than in
 * the last one are left out: ranks had other numbers then.
 */
export function sumOfReports(jobs: readonly ViewReports[]): ViewReports {
  const last = jobs.at(-1) ?? [];
  const same = jobs.filter((ranks) => ranks.length === last.length);
  return last.map((report, rank) => {
    const own = same.map((ranks) => ranks[rank]);
    const sum = (of: (report: ViewReports[number]) => number) =>
      own.reduce((total, each) => total + of(each), 0);
    const time = (of: keyof RankTimes) => sum(({ ms }) => ms[of]);
    return {
      ...report,
      ...sumCosts(own),
      triangles: sum(({ triangles = 0 }) => triangles),
      bytesRead: sum(({ bytesRead }) => bytesRead),
      sent: sum(({ sent }) => sent),
      received: sum(({ received }) => received),
      messages: sum(({ messages }) => messages),
      ms: {
        read: time("read"),
        compute: time("compute"),
        pack: time("pack"),
        send: time("send"),
        wait: time("wait"),
      },
    };
  });
}
