import type * as PeerJs from "peerjs";

/**
 * Loads PeerJS, which looks for RTCPeerConnection and WebSocket while it is loaded: where they are not the platform's,
 * they are to be provided before.
 */
export async function loadPeerJs(): Promise<typeof PeerJs> {
  const loaded: Partial<typeof PeerJs> & { readonly default: unknown } = await import("peerjs");
  // Node takes it for a CommonJS module.
  return (loaded.Peer ? loaded : loaded.default) as typeof PeerJs;
}

/**
 * A connection whose own channel nobody reads: PeerJS would take apart what another peer packed, and a few bytes can
 * make it take gigabytes.
 */
export function muteConnection({ BufferedConnection }: typeof PeerJs) {
  return class extends BufferedConnection {
    readonly serialization = "default";
    override _initializeDataChannel(): void {}
    protected override _handleDataMessage(): void {}
    protected override _send(): void {}
  };
}
