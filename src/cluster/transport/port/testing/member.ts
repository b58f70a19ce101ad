// A worker that joins a room and sends each member a message, or takes a port and echoes what comes through
// it.
import { FramedLink } from "../../framed-link.ts";
import { defaultLimits, type Link } from "../../link.ts";
import { PortChannel } from "../port-channel.ts";
import { rendezvous } from "../rendezvous.ts";

export type ToMember =
  | { readonly kind: "meet"; readonly room: string; readonly id: string; readonly broker: MessagePort }
  | { readonly kind: "echo"; readonly port: MessagePort };

export type FromMember =
  | { readonly kind: "heard"; readonly id: string; readonly body: Uint8Array }
  | { readonly kind: "gone"; readonly id: string };

declare const self: DedicatedWorkerGlobalScope;

const tell = (message: FromMember) => self.postMessage(message);
const head = new Uint8Array(0);

function linkOver(port: MessagePort, heard: (body: Uint8Array, link: Link) => void): Link {
  const link = new FramedLink(new PortChannel(port), defaultLimits, () => performance.now());
  link.start({ message: ({ body }) => heard(body, link), ended: () => {} });
  return link;
}

self.onmessage = ({ data }: MessageEvent<ToMember>) => {
  if (data.kind === "echo") {
    linkOver(data.port, (body, link) => void link.send({ stream: 1, head, body }));
    return;
  }
  void rendezvous({
    room: data.room,
    id: data.id,
    broker: () => data.broker,
    onPeer: (id, port) => {
      const link = linkOver(port, (body) => tell({ kind: "heard", id, body }));
      void link.send({ stream: 1, head, body: new TextEncoder().encode(`from ${data.id}`) });
    },
    onGone: (id) => tell({ kind: "gone", id }),
    onBrokerLost: () => {},
  });
};
