import { Endpoint, type RtcEndpoint, type RtcOptions } from "./endpoint.ts";

/**
 * Like `openRtc`, in a worker, any number of times: `port` leads to a page that runs the proxy host
 * (rtc-proxy-host.ts).
 */
export function openProxiedRtc(port: MessagePort, options: RtcOptions): Promise<RtcEndpoint> {
  const { port1, port2 } = new MessageChannel();
  const endpoint = new Endpoint(options, (command) => port1.postMessage(command));
  port1.onmessage = ({ data }) => endpoint.handle(data);
  port.postMessage("borrow", [port2]);
  return endpoint.open();
}
