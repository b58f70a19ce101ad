import type { Link, LinkReceiver, Message, MessageHeader, Traffic } from "../../cluster/transport/link.ts";
import { CrinkleError } from "../../core/errors.ts";

/** A message whose body has not arrived yet, or is waiting for those before it. */
interface Delivery {
  readonly message: Message;
  readonly isWanted: boolean;
  isHere: boolean;
}

/** A link to one rank. It ends with the process: MPI ends the job when a rank is lost. */
export class MpiLink implements Link {
  readonly path = "mpi";
  readonly #send: (message: Message) => Promise<void>;
  readonly #traffic = { sentBytes: 0, sentMessages: 0, receivedBytes: 0, receivedMessages: 0 };
  /** By stream: messages that have not been delivered, in order. */
  readonly #queues = new Map<number, Delivery[]>();
  #receiver: LinkReceiver | undefined;
  #lastReceivedAt = performance.now();
  #closed: string | undefined;

  constructor(send: (message: Message) => Promise<void>) {
    this.#send = send;
  }

  get traffic(): Traffic {
    return this.#traffic;
  }

  get lastReceivedAt(): number {
    return this.#lastReceivedAt;
  }

  start(receiver: LinkReceiver): void {
    this.#receiver = receiver;
    for (const queue of this.#queues.values()) this.#flush(queue);
  }

  send(message: Message): Promise<void> {
    if (this.#closed !== undefined) return Promise.reject(linkClosed(this.#closed));
    this.#traffic.sentMessages++;
    this.#traffic.sentBytes += message.head.length + message.body.length;
    return this.#send(message);
  }

  /** Nothing is queued on this side: MPI has it all. */
  drop(): void {}

  close(reason: string): void {
    this.#closed ??= reason;
  }

  /** A message has arrived. */
  deliver({ stream, head }: MessageHeader, body: Uint8Array): void {
    this.#queue({ message: { stream, head, body }, isWanted: true, isHere: true });
  }

  /** A message whose body `receive` gets is on its way. */
  expect(header: MessageHeader, receive: (body: Uint8Array) => Promise<void>): void {
    const memory = this.#receiver?.allocate?.(header);
    const body = memory ?? new Uint8Array(header.bodyBytes);
    const { stream, head } = header;
    const delivery = { message: { stream, head, body }, isWanted: memory !== null, isHere: false };
    const queue = this.#queue(delivery);
    receive(body).then(() => {
      delivery.isHere = true;
      this.#flush(queue);
    });
  }

  #queue(delivery: Delivery): Delivery[] {
    const { stream } = delivery.message;
    let queue = this.#queues.get(stream);
    if (!queue) {
      queue = [];
      this.#queues.set(stream, queue);
    }
    queue.push(delivery);
    this.#flush(queue);
    return queue;
  }

  #flush(queue: Delivery[]): void {
    if (!this.#receiver) return;
    while (queue[0]?.isHere) {
      const { message, isWanted } = queue.shift() as Delivery;
      this.#lastReceivedAt = performance.now();
      this.#traffic.receivedMessages++;
      this.#traffic.receivedBytes += message.head.length + message.body.length;
      if (isWanted) this.#receiver.message(message);
    }
  }
}

const linkClosed = (reason: string) =>
  new CrinkleError({ tag: "LinkClosed", problem: `The link is closed: ${reason}` });
