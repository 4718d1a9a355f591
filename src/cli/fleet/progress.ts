import { writeStatus } from "../../krm/stdio.ts";
import { isTerminal } from "../terminal/colors.ts";

/** The shortest time between two updates, in milliseconds. */
const interval = 100;

/** One line on the terminal, on standard error, that shows which package is processed. Without a terminal, nothing. */
export class Progress {
  readonly #total: number;
  readonly #isShown: boolean;
  #last = 0;
  #isThere = false;

  constructor(total: number, quiet: boolean) {
    this.#total = total;
    this.#isShown = !quiet && process.env["TERM"] !== "dumb" && isTerminal(2);
  }

  show(done: number, directory: string): void {
    if (!this.#isShown || Date.now() - this.#last < interval) return;
    this.#last = Date.now();
    this.#isThere = true;
    writeStatus(`${done}/${this.#total} ${directory}`.slice(0, (process.stderr.columns ?? 80) - 1));
  }

  /** Removes the line, before anything else is printed. */
  clear(): void {
    if (this.#isThere) writeStatus("");
    this.#isThere = false;
  }
}
