import { fileURLToPath } from "node:url";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { Run, RunOptions } from "../programs.ts";

/** The program as one script, which build.ts writes. */
export const residentProgram = fileURLToPath(new URL("../../../node_modules/.cache/resident/ccf.cjs", import.meta.url));

/** Who may go on: the thread, or the tests. */
const [threads, tests] = [0, 1];

/**
 * A program that stays in a thread of the tests' process. What is not the same as in a process is everything that a process has for
 * itself: its number, its descriptors, signals, flags of Node, and variables of modules, which the program does not keep anything
 * of a run in. `npm run test:all` runs the same tests with processes.
 */
export class Resident {
  readonly #called: string;
  readonly #turn = new Int32Array(new SharedArrayBuffer(4));
  #port: MessagePort | undefined;

  /** @param called the path that the program finds as its own. */
  constructor(called: string) {
    this.#called = called;
  }

  /** Runs the program to its end, while this thread waits. */
  run(args: readonly string[], { cwd, env, input = "" }: RunOptions): Run {
    const port = this.#started();
    const before = process.cwd();
    if (cwd !== undefined) process.chdir(cwd);
    try {
      port.postMessage({ args, env, stdin: input });
      Atomics.store(this.#turn, 0, threads);
      Atomics.notify(this.#turn, 0);
      Atomics.wait(this.#turn, 0, threads);
      return receiveMessageOnPort(port)?.message as Run;
    } finally {
      if (cwd !== undefined) process.chdir(before);
    }
  }

  #started(): MessagePort {
    if (this.#port !== undefined) return this.#port;
    const { port1, port2 } = new MessageChannel();
    Atomics.store(this.#turn, 0, tests);
    const thread = new Worker(fileURLToPath(new URL("thread.cjs", import.meta.url)), {
      workerData: { file: residentProgram, called: this.#called, port: port2, turn: this.#turn },
      transferList: [port2],
      env: {},
    });
    thread.unref();
    port1.unref();
    this.#port = port1;
    return port1;
  }
}
