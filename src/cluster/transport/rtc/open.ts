import { Endpoint, type RtcEndpoint, type RtcOptions } from "./endpoint.ts";
import { RtcDriver } from "./rtc-driver.ts";

/**
 * Opens an address for WebRTC connections, on a thread that has RTCPeerConnection (workers do not: see
 * rtc-proxy-client.ts). Rejects with Refused if the signalling server is unreachable and is not to be
 * retried, or if the address is taken; with BadArgument if the options are invalid.
 */
export function openRtc(options: RtcOptions): Promise<RtcEndpoint> {
  const driver = new RtcDriver((event) => endpoint.handle(event));
  const endpoint = new Endpoint(options, (command) => driver.execute(command));
  return endpoint.open();
}
