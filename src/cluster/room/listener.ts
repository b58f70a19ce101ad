import { CrinkleError } from "../../core/errors.ts";
import type { Clock } from "../clock.ts";
import type { Transport, UnauthenticatedConnection } from "../transport/transport.ts";

/** Milliseconds before a host retries an address that is still taken. */
const retryMs = 1000;

/** Accepts connections at the host's address while this member is host. */
export class Listener {
  readonly #open: () => Promise<Transport>;
  readonly #clock: Clock;
  readonly #onConnection: (connection: UnauthenticatedConnection) => void;
  #isListening = false;
  #transport: Transport | undefined;
  /** Distinguishes attempts before a close from later ones. */
  #attempt = 0;
  #stopTimer = () => {};

  constructor(
    open: () => Promise<Transport>,
    clock: Clock,
    onConnection: (connection: UnauthenticatedConnection) => void,
  ) {
    this.#open = open;
    this.#clock = clock;
    this.#onConnection = onConnection;
  }

  setListening(isListening: boolean): void {
    if (isListening === this.#isListening) return;
    this.#isListening = isListening;
    const attempt = ++this.#attempt;
    if (isListening) {
      void this.#try(attempt);
      return;
    }
    this.#stopTimer();
    this.#transport?.close();
    this.#transport = undefined;
  }

  async #try(attempt: number): Promise<void> {
    try {
      const transport = await this.#open();
      if (attempt !== this.#attempt) {
        transport.close();
        return;
      }
      this.#transport = transport;
      transport.listen(this.#onConnection);
    } catch (error) {
      if (!(error instanceof CrinkleError)) throw error;
      if (attempt !== this.#attempt) return;
      // The previous host may hold the address until its failure is noticed.
      this.#stopTimer = this.#clock.after(retryMs, () => void this.#try(attempt));
    }
  }
}
