import { WebSocket } from "ws";
import { CrinkleError } from "../../core/errors.ts";

/**
 * A socket to a signalling server. Errors only end the socket, because PeerJS does not listen for them. The
 * server need not be trusted, so its certificate is not checked: it may be self-signed (`crinkle serve
 * --lan`), and the peer at the other end of a connection must prove the room's key.
 */
class QuietSocket extends WebSocket {
  constructor(url: string) {
    super(url, { rejectUnauthorized: false });
    this.on("error", () => {});
  }
}

let installed: Promise<void> | undefined;

/**
 * Provides RTCPeerConnection (from node-datachannel) and whatever else PeerJS expects of a browser; must be
 * called before `openRtc`. Rejects with Refused if the package is not installed or does not run here.
 */
export function installRtc(): Promise<void> {
  installed ??= install();
  return installed;
}

async function install(): Promise<void> {
  const polyfill = await import("node-datachannel/polyfill").catch((cause: unknown) => {
    throw new CrinkleError({
      tag: "Refused",
      problem: `WebRTC is not available in this Node: ${String(cause)}`,
      remedy: "Install the package node-datachannel, or join over TCP.",
      cause,
    });
  });
  const { RTCPeerConnection, RTCSessionDescription, RTCIceCandidate } = polyfill;

  /**
   * Holds back candidates of both sides until the other side's description is known. Browsers queue them
   * themselves; libdatachannel, which may connect within setRemoteDescription, would look for the
   * certificate's fingerprint before it is stored. Ignores invalid candidates.
   */
  class PatientConnection extends RTCPeerConnection {
    #theirs: RTCIceCandidateInit[] | undefined = [];
    #ours: Event[] | undefined = [];

    override async setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void> {
      await super.setRemoteDescription(description);
      const [ours, theirs] = [this.#ours ?? [], this.#theirs ?? []];
      this.#ours = this.#theirs = undefined;
      for (const event of ours) super.dispatchEvent(event);
      for (const candidate of theirs) await this.addIceCandidate(candidate);
    }

    override async addIceCandidate(candidate?: RTCIceCandidateInit): Promise<void> {
      if (this.#theirs && candidate) this.#theirs.push(candidate);
      else await super.addIceCandidate(candidate).catch(() => {});
    }

    override dispatchEvent(event: Event): boolean {
      if (!this.#ours || event.type !== "icecandidate") return super.dispatchEvent(event);
      this.#ours.push(event);
      return true;
    }
  }
  Object.assign(globalThis, {
    WebSocket: QuietSocket,
    RTCPeerConnection: PatientConnection,
    RTCSessionDescription,
    RTCIceCandidate,
  });
}
