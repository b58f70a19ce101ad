import { CrinkleError } from "../../core/errors.ts";
import type { Clock } from "../clock.ts";
import type { Contact, Way } from "./way.ts";

/** Milliseconds after which a host whose door is still another's tries again. */
const retryMs = 1000;

/** What strangers come in by, while it is to be open: the place where a room's host is looked for. */
export class Door {
  readonly #open: () => Promise<Way>;
  readonly #clock: Clock;
  readonly #meet: (contact: Contact) => void;
  #isOpen = false;
  #way: Way | undefined;
  /** Tells attempts of before a close from those after. */
  #attempt = 0;
  #stopTimer = () => {};

  constructor(open: () => Promise<Way>, clock: Clock, meet: (contact: Contact) => void) {
    this.#open = open;
    this.#clock = clock;
    this.#meet = meet;
  }

  keep(isOpen: boolean): void {
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    const attempt = ++this.#attempt;
    if (isOpen) {
      void this.#try(attempt);
      return;
    }
    this.#stopTimer();
    this.#way?.close();
    this.#way = undefined;
  }

  async #try(attempt: number): Promise<void> {
    try {
      const way = await this.#open();
      if (attempt !== this.#attempt) {
        way.close();
        return;
      }
      this.#way = way;
      way.listen(this.#meet);
    } catch (error) {
      if (!(error instanceof CrinkleError)) throw error;
      if (attempt !== this.#attempt) return;
      // Who hosted before may hold it until it is noticed to be gone.
      this.#stopTimer = this.#clock.after(retryMs, () => void this.#try(attempt));
    }
  }
}
