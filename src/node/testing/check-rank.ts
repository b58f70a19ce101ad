// A process that joins the room of an invitation link as a rank and can run the check of every call, which tests start.
import { parseInvitation } from "../../cluster/room/invitation.ts";
import { check } from "../../cluster/testing/check.ts";
import { nodeEngine } from "../rank/node-engine.ts";
import { startRank } from "../rank/start-rank.ts";

const [link] = process.argv.slice(2);

await startRank(
  {
    invitation: parseInvitation(link),
    opens: false,
    name: "check",
    gpu: "none",
    launcher: undefined,
    listen: { host: "127.0.0.1" },
    signalling: undefined,
    engine: nodeEngine({ device: "cpu" }),
    jobs: [check],
    events: { onEpoch: ({ rank, names }) => console.error(`rank ${rank} of ${names.length}.`) },
    onReachable: () => {},
  },
  new AbortController().signal,
);
