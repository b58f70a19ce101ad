import type { DriverCommand, DriverEvent } from "./driver-protocol.ts";
import { relay } from "./relay.ts";
import { RtcChannel } from "./rtc-channel.ts";
import { RtcDriver } from "./rtc-driver.ts";

type Begun = Extract<DriverEvent, { kind: "begun" }>;

/** The part of a worker's port that is used, which tests can replace. */
export type ProxyPort = Pick<MessagePort, "postMessage" | "onmessage" | "close">;

/**
 * Makes connections for a worker at the other end of the port (rtc-proxy-client.ts), for any number of
 * endpoints. Their channels are transferred to the worker where the browser supports it (Chromium 130,
 * Firefox 144, Safari 15); elsewhere frames go through the page. Returns a function that ends them all.
 */
export function startRtcProxyHost(
  port: MessagePort,
  ofEndpoint: (port: MessagePort) => ProxyPort = (own) => own,
): () => void {
  const ends: (() => void)[] = [];
  port.onmessage = ({ ports: [own] }) => {
    if (own) ends.push(serveEndpoint(ofEndpoint(own)));
  };
  return () => {
    port.close();
    for (const end of ends.splice(0)) end();
  };
}

function serveEndpoint(port: ProxyPort): () => void {
  /** The channels that could not be transferred, by connection. */
  const stayed = new Map<number, RtcChannel>();
  const driver = new RtcDriver((event) => {
    if (event.kind === "failed") stayed.get(event.connection)?.fail(event.problem);
    if (event.kind === "begun") begun(event);
    else if (event.kind !== "connected") port.postMessage(event);
    else {
      const opened = stayed.get(event.connection)?.opened ?? Promise.resolve();
      void opened.then(() => port.postMessage(event));
    }
  });
  const begun = (event: Begun) => {
    if (!("control" in event)) return;
    const { control, bulk, ...rest } = event;
    try {
      // Channels can be transferred; the DOM types do not include that yet.
      port.postMessage(event, [control, bulk] as unknown as Transferable[]);
    } catch {
      const { port1, port2 } = new MessageChannel();
      const channel = new RtcChannel({ control, bulk }, () => {
        stayed.delete(event.connection);
        driver.execute({ kind: "end", connection: event.connection });
      });
      stayed.set(event.connection, channel);
      relay(channel, port1);
      port.postMessage({ ...rest, port: port2 } satisfies DriverEvent, [port2]);
    }
  };
  port.onmessage = ({ data }: MessageEvent<DriverCommand>) => {
    // A relay ends its connection itself, after the last frame.
    if (data.kind !== "end" || !stayed.has(data.connection)) driver.execute(data);
  };
  return () => {
    port.close();
    driver.end();
  };
}
