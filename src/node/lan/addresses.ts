import { hostname, networkInterfaces } from "node:os";

/**
 * The addresses of this machine for others on the network, IPv4 first; without link-local ones, which need a
 * zone.
 */
export function networkAddresses(interfaces = networkInterfaces()): readonly string[] {
  const list = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^(fe80:|169\.254\.)/i.test(address));
  const ofFamily = (wanted: string) =>
    list.filter(({ family }) => family === wanted).map(({ address }) => address);
  return [...new Set([...ofFamily("IPv4"), ...ofFamily("IPv6")])];
}

/** All names and addresses that a certificate for this machine must cover. */
export function certificateNames(addresses: readonly string[], host = hostname()): readonly string[] {
  const isName = /^(?!.*\.\.)[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$/i.test(host);
  return [...new Set(["localhost", ...(isName ? [host] : []), "127.0.0.1", "::1", ...addresses])];
}
