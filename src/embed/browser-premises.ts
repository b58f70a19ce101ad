import { roomIdOf } from "../cluster/room-key.ts";
import { openRtc } from "../cluster/transport/rtc/open.ts";
import { fetchSignalling } from "../cluster/transport/rtc/options.ts";
import { hostAddress, hostMember, openRtcTransport } from "../cluster/transport/rtc/rtc-transport.ts";
import type { Premises } from "./program-room.ts";
import { badArgument } from "./refusal.ts";

/** A page's main thread, which reaches others over WebRTC. */
export const browserPremises: Premises = {
  device: "browser",
  async ways({ key, memberId, at, onSuspect }) {
    if (!at || !("page" in at)) {
      throw badArgument(
        "A browser reaches no room without a page whose server introduces its members.",
        "Give openRoom the address that crinkle serve prints, as page.",
      );
    }
    const room = await roomIdOf(key);
    const rtc = { room, signalling: await fetchSignalling(at.page), open: openRtc, onSuspect };
    return {
      transports: [await openRtcTransport({ ...rtc, memberId })],
      hostTransports: [() => openRtcTransport({ ...rtc, memberId: hostMember })],
      host: { rtc: hostAddress(room) },
      tcp: undefined,
      drained: async () => {},
    };
  },
};
