import { Endpoint, type RtcEndpoint, type RtcOptions } from "./endpoint.ts";
import { RtcDriver } from "./rtc-driver.ts";

/**
 * Makes an address reachable, and reaches others, over WebRTC: on a thread that has RTCPeerConnection, which workers
 * have not (see borrow.ts). Rejects with Refused where the signalling server is out of reach, unless it is to be patient, or the address is taken,
 * with BadArgument where the options are none.
 */
export function openRtc(options: RtcOptions): Promise<RtcEndpoint> {
  const introducer = new RtcDriver((report) => endpoint.handle(report));
  const endpoint = new Endpoint(options, (order) => introducer.execute(order));
  return endpoint.open();
}
