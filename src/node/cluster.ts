/** What `import … from "crinkle/cluster"` gives in Node. */
import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { roomIdOf } from "../cluster/room-key.ts";
import { openRtc } from "../cluster/transport/rtc/open.ts";
import { fetchSignalling } from "../cluster/transport/rtc/options.ts";
import { hostAddress, hostMember, openRtcTransport } from "../cluster/transport/rtc/rtc-transport.ts";
import { openTcpTransport } from "../cluster/transport/tcp/tcp-transport.ts";
import type { Transport } from "../cluster/transport/transport.ts";
import type * as api from "../embed/cluster.ts";
import { type Premises, roomInterface, type Ways } from "../embed/program-room.ts";

export { anySource, anyTag } from "../cluster/communicator/communicator.ts";
export * as reductions from "../cluster/communicator/operators/elements.ts";
export { CrinkleError } from "../core/errors.ts";

/** Milliseconds that a goodbye may take. */
const goodbyeMs = 2000;

/** A process, which reaches others over TCP, and tabs over WebRTC. */
const premises: Premises = {
  device: `Node ${process.versions.node} on ${hostname()}`,
  async ways({ key, memberId, at, listen, onSuspect }): Promise<Ways> {
    const tcp = await openTcpTransport({ key, ...listen });
    const transports: Transport[] = [tcp];
    const ways = {
      transports,
      tcp: tcp.address.split(",")[0],
      drained: () => Promise.race([tcp.drained(), setTimeout(goodbyeMs, undefined, { ref: false })]),
    };
    if (!at || !("page" in at)) return { ...ways, hostTransports: [], host: { tcp: at?.tcp ?? "" } };
    try {
      const { installRtc } = await import("./rtc/install-rtc.ts");
      await installRtc();
      const room = await roomIdOf(key);
      const rtc = { room, signalling: await fetchSignalling(at.page), open: openRtc, onSuspect };
      transports.push(await openRtcTransport({ ...rtc, memberId }));
      const hostTransports = [() => openRtcTransport({ ...rtc, memberId: hostMember })];
      return { ...ways, hostTransports, host: { rtc: hostAddress(room) } };
    } catch (error) {
      tcp.close();
      throw error;
    }
  },
};

export const { openRoom, joinRoom }: Pick<typeof api, "openRoom" | "joinRoom"> = roomInterface(premises);
