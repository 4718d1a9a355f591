import { setImmediate } from "node:timers/promises";

const signals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/** Notes the first signal that asks the program to end, instead of ending it at once. */
export class Stop {
  #signal: keyof typeof signals | undefined;
  readonly #note = (signal: NodeJS.Signals): void => {
    this.#signal ??= signal as keyof typeof signals;
  };

  constructor() {
    for (const signal of Object.keys(signals)) process.on(signal, this.#note);
  }

  /** Whether a signal has come. Signals arrive only while the program waits. */
  async isAsked(): Promise<boolean> {
    await setImmediate();
    return this.#signal !== undefined;
  }

  /** The exit code after a signal, as a shell sets it. */
  get code(): number {
    return 128 + (this.#signal === undefined ? 0 : signals[this.#signal]);
  }

  end(): void {
    for (const signal of Object.keys(signals)) process.off(signal, this.#note);
  }
}
