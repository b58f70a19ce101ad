/**
 * What a collective's algorithm sees of its communicator: messages of bytes between the ranks that take part in this one
 * call. Slots number the messages of a pair within the call: both sides count alike, so that what arrives early or over
 * another path finds its place. They are below 2³². Every promise rejects when the communicator is revoked. An algorithm
 * that rejects leaves others waiting: its communicator is to be revoked then.
 */
export interface Exchange {
  readonly rank: number;
  readonly size: number;
  /**
   * Says, before the first message, what all ranks of this call must give alike, as 32 bits. Messages carry it: a receive
   * from a rank that said something else rejects with what `disagreement` makes (collectives/agreement.ts).
   */
  setSignature(signature: number): void;
  /** Resolves when `bytes` may be changed again. */
  send(to: number, slot: number, bytes: Uint8Array): Promise<void>;
  /** The bytes sent to this rank in that slot: the receiver's own, at a multiple of 8 bytes of their buffer. */
  receive(from: number, slot: number): Promise<Uint8Array>;
  /**
   * As `receive`, into memory of one's own, which spares a copy where the path allows. Rejects with Truncated where the
   * length is another.
   */
  receiveInto(from: number, slot: number, into: Uint8Array): Promise<void>;
}
