import type { ClusterMember } from "../../engine/cluster/api.ts";

const words: Readonly<Record<string, string>> = { port: "same browser", rtc: "WebRTC", tcp: "TCP" };

/** A path in words. */
export const pathLabels = (path: string): string => words[path] ?? path;

/** How two members are linked: as this page's rank knows, or else by the fastest path that both have. */
export function pathBetween(a: ClusterMember, b: ClusterMember): string {
  if (a.isSelf || b.isSelf) return a.isSelf ? b.path : a.path;
  if (a.browser !== undefined && a.browser === b.browser) return "port";
  return a.hasTcp && b.hasTcp ? "tcp" : "rtc";
}
