import { noJob } from "../../core/job.ts";
import { openOnRanks, type RunOnRanks } from "../../engine/saved-view/view-ranks.ts";
import type { Terminal } from "../command-line/command.ts";
import { openGpuSession } from "../device.ts";
import { pathSource } from "../path-source.ts";
import { warning } from "../ranked-calls.ts";
import { ofFirstRank } from "../ranks.ts";
import { openViewSession, showsPoints, viewSource } from "../view-data.ts";
import { sumOfReports } from "./sum-of-reports.ts";
import { reportLoss, warningsTo, withJobRanks } from "./with-ranks.ts";
import { installFonts, type ViewToWrite, writeView } from "./write-view.ts";

interface RankedViewToWrite extends ViewToWrite {
  /** The path that takes the place of the view's data. */
  readonly data: string | undefined;
  /** What `--ranks` says. */
  readonly ranks: string | undefined;
}

/**
 * Draws a view by ranks, each its part of the data, and composites their pictures on rank 0, which draws points alone. Resolves to what is printed there, and
 * to undefined on the others. Throws NoWebGPU where rank 0 has no GPU, and Usage.
 */
export async function renderOnRanks(
  { view, data, ranks: given, options, write }: RankedViewToWrite,
  terminal: Terminal,
): Promise<object | undefined> {
  const source = showsPoints(view) ? undefined : await viewSource(view.source, data);
  const file = source?.kind === "path" ? source.path : undefined;
  const address = source?.kind === "url" ? source.url : undefined;
  return withJobRanks({ device: "any", file, address, given, usual: 1 }, terminal, async (ranks) => {
    if (ranks.rank > 0) {
      await ranks.serve();
      return undefined;
    }
    if (file !== undefined) await pathSource(file).close();
    const { count, library } = ranks;
    if (!source) {
      terminal.err(`Points are drawn by one rank: ${count - 1} of ${count} have nothing to do.`);
      await installFonts(terminal);
      const open = () => openGpuSession(terminal, () => ranks.device());
      const session = await openViewSession(view.source, data, terminal, open);
      return writeView(session, { view, options, write }, terminal);
    }
    terminal.err(`${count} ranks draw${library === undefined ? "" : ` over ${library}`}.`);
    await installFonts(terminal);
    const session = await openGpuSession(terminal, () => ranks.device());
    const warn = warning(warningsTo(terminal));
    const run: RunOnRanks = async (job, request, context) => {
      const restarted = (lost: readonly string[]) => reportLoss(lost.length, terminal);
      return ofFirstRank(await ranks.run(job, request, { ...context, restarted, warn }));
    };
    const byRanks = await openOnRanks(session, source, run, noJob);
    const drawn = await writeView(
      session,
      { view, options: { ...options, ranks: byRanks }, write },
      terminal,
    );
    return { ...drawn, ranks: sumOfReports(byRanks.reports) };
  });
}
