import { Endpoint, type RtcEndpoint, type RtcOptions } from "./endpoint.ts";

/** As `openRtc`, in a worker: `port` leads to a page that lends its connections (lend.ts). */
export function borrowRtc(port: MessagePort, options: RtcOptions): Promise<RtcEndpoint> {
  const endpoint = new Endpoint(options, (order) => port.postMessage(order));
  port.onmessage = ({ data }) => endpoint.hear(data);
  return endpoint.open();
}
