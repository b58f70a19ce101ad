import { expect, it } from "vitest";
import { memberOf } from "../testing/fake-ranks.ts";
import { linkGraph, linkTable } from "./link-graph.ts";

const own = memberOf("own", { rank: 0, isSelf: true, isHost: true, path: "" });
const tab = memberOf("tab", { rank: 1, path: "port" });
const far = memberOf("far", { rank: 2, path: "rtc", browser: "other" });
const node = memberOf("node", { rank: 3, path: "rtc", browser: undefined, hasTcp: true });
const node2 = memberOf("node2", { rank: 4, path: "rtc", browser: undefined, hasTcp: true });

it("links every two ranks once, by their path", () => {
  const { nodes, edges } = linkGraph(
    [own, tab, far, node, node2, memberOf("new", { rank: undefined })],
    undefined,
  );
  expect(nodes.map(({ id }) => id)).toEqual(["own", "tab", "far", "node", "node2"]);
  expect(edges.map(({ from, to, path }) => `${from.rank}${to.rank} ${path}`)).toEqual([
    "01 port",
    "02 rtc",
    "03 rtc",
    "04 rtc",
    "12 rtc",
    "13 rtc",
    "14 rtc",
    "23 rtc",
    "24 rtc",
    "34 tcp",
  ]);
  expect(nodes[0].y).toBeLessThan(Math.min(...nodes.slice(1).map(({ y }) => y)));
});

it("keeps measurements with the members that they were made between, whatever their ranks are now", () => {
  const result = {
    links: [
      { a: 0, b: 2, roundTripUs: 345.6, megabytesPerSecond: 35.25 },
      { a: 1, b: 2, roundTripUs: 190, megabytesPerSecond: 512 },
    ],
    allreduceMs: 1,
  };
  const measured = { ids: ["gone", "own", "tab"], result };
  const graph = linkGraph([own, tab, far], measured);
  expect(linkTable(graph)).toBe(
    [
      "| from | to | path | MB/s | round trip µs |",
      "| ---: | ---: | --- | ---: | ---: |",
      "| 0 | 1 | same browser | 512 | 190 |",
      "| 0 | 2 | WebRTC |  |  |",
      "| 1 | 2 | WebRTC |  |  |",
      "",
    ].join("\n"),
  );
});
