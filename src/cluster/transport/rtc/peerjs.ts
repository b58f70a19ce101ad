import type * as PeerJs from "peerjs";

/**
 * Loads PeerJS, which looks up RTCPeerConnection and WebSocket while loading: polyfills must be installed
 * before.
 */
export async function loadPeerJs(): Promise<typeof PeerJs> {
  const loaded: Partial<typeof PeerJs> & { readonly default: unknown } = await import("peerjs");
  // Node treats it as a CommonJS module.
  return (loaded.Peer ? loaded : loaded.default) as typeof PeerJs;
}

/**
 * A connection whose built-in channel nobody reads: PeerJS would unpack what a peer sends, and a few bytes
 * can make it allocate gigabytes.
 */
export function muteConnection({ BufferedConnection }: typeof PeerJs) {
  return class extends BufferedConnection {
    readonly serialization = "default";
    override _initializeDataChannel(): void {}
    protected override _handleDataMessage(): void {}
    protected override _send(): void {}
  };
}
