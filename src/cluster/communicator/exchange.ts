/**
 * What a collective's algorithm sees of its communicator: byte messages between the ranks that take part in
 * this call. Slots (below 2³²) number the messages of a pair within the call; both sides count alike, so
 * messages that arrive early or over another path find their place. All promises reject when the
 * communicator is revoked. If an algorithm rejects, its communicator must be revoked, because other ranks
 * may still wait.
 */
export interface Exchange {
  readonly rank: number;
  readonly size: number;
  /**
   * Declares, before the first message, a 32-bit hash of what all ranks of this call must agree on.
   * Messages carry it: a receive from a rank with a different one rejects with `signatureMismatch`
   * (collectives/call-signature.ts).
   */
  setSignature(signature: number): void;
  /** Resolves when `bytes` may be changed again. */
  send(to: number, slot: number, bytes: Uint8Array): Promise<void>;
  /**
   * The bytes sent to this rank in that slot; they belong to the receiver and start at a multiple of 8 in
   * their buffer.
   */
  receive(from: number, slot: number): Promise<Uint8Array>;
  /**
   * Like `receive`, but into the caller's memory, which saves a copy where the path allows it. Rejects with
   * Truncated if the length differs.
   */
  receiveInto(from: number, slot: number, into: Uint8Array): Promise<void>;
}
