import { WebSocket } from "ws";
import { CrinkleError } from "../../core/errors.ts";

/**
 * A socket to a signalling server, whose faults end it and no more: PeerJS listens to none. Nothing is believed of such a
 * server, so its certificate is not looked at: it may be one that it signed itself (`crinkle serve --lan`), and who is at
 * a connection's other end has to prove it by the room's key.
 */
class QuietSocket extends WebSocket {
  constructor(url: string) {
    super(url, { rejectUnauthorized: false });
    this.on("error", () => {});
  }
}

let installed: Promise<void> | undefined;

/**
 * Gives this process RTCPeerConnection, by node-datachannel, and what else PeerJS expects of a browser; to be called
 * before `openRtc`. Rejects with Refused where the package is not installed or does not run here.
 */
export function installRtc(): Promise<void> {
  installed ??= install();
  return installed;
}

async function install(): Promise<void> {
  const polyfill = await import("node-datachannel/polyfill").catch((cause: unknown) => {
    throw new CrinkleError({
      tag: "Refused",
      problem: `WebRTC is not to be had in this Node: ${String(cause)}`,
      remedy: "Install the package node-datachannel, or join over TCP.",
      cause,
    });
  });
  const { RTCPeerConnection, RTCSessionDescription, RTCIceCandidate } = polyfill;

  /**
   * Holds candidates of both sides back until the other's description is known: browsers keep those that come, and
   * libdatachannel, which connects within its setRemoteDescription where it can, would look for the certificate's
   * fingerprint before it has noted it. Candidates that are wrong are left out.
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
