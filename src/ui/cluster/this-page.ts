import type { PagePlace } from "../store/cluster.ts";

/** The page in this window, as other ranks know it. */
export const thisPage = (): PagePlace => ({
  address: location.href.replace(/#.*$/, ""),
  device: describeBrowser(navigator),
  forgetInvitation() {
    if (isInvitation(location.hash)) history.replaceState(null, "", location.pathname + location.search);
  },
});

/**
 * Listens for the invitation by which the page was opened, and for those entered into the address bar later. `opens`: the
 * room is yet to be opened, by this page.
 */
export function listenForInvitations(heard: (link: string, opens: boolean) => void): void {
  const look = () => {
    const { hash, href } = location;
    if (isInvitation(hash)) heard(...invitationIn(href));
  };
  addEventListener("hashchange", look);
  look();
}

/** The invitation in a link, and whether the link asks the page to host its room, as `formatHostLink` makes it. */
export function invitationIn(link: string): readonly [invitation: string, opens: boolean] {
  const [address, fragment = ""] = link.split("#");
  const parameters = new URLSearchParams(fragment);
  return parameters.has("host") ? [`${address}#room=${parameters.get("room")}`, true] : [link, false];
}

const isInvitation = (hash: string): boolean => new URLSearchParams(hash.slice(1)).has("room");

/** The first match wins, because many browsers name others, too. */
const browsers = [
  ["Edge", /Edg(?:A|iOS)?\/(\d+)/],
  ["Firefox", /(?:Firefox|FxiOS)\/(\d+)/],
  ["Chrome", /(?:Chrome|CriOS)\/(\d+)/],
  ["Safari", /Version\/(\d+).*Safari/],
] as const;

const systems = [
  ["Android", /Android/],
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Windows", /Windows/],
  ["macOS", /Macintosh/],
  ["ChromeOS", /CrOS/],
  ["Linux", /Linux/],
] as const;

/** For example "Chrome 156 on Linux", derived from the user agent. */
export function describeBrowser({ userAgent }: Pick<Navigator, "userAgent">): string {
  const name = browsers.flatMap(([name, pattern]) => {
    const version = pattern.exec(userAgent)?.[1];
    return version ? [`${name} ${version}`] : [];
  })[0];
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return [name ?? "A browser", ...(system ? [`on ${system}`] : [])].join(" ");
}
