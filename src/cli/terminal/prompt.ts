import type { Readable, Writable } from "node:stream";
import { safeLine } from "../../core/text.ts";

/** Why an answer does not come: the input ended (Ctrl-D), or the person interrupted the command (Ctrl-C). */
export class NoAnswer extends Error {
  readonly interrupted: boolean;

  constructor(interrupted: boolean) {
    super("no answer");
    this.interrupted = interrupted;
  }
}

/** Asks questions, one after another, on one terminal. */
export interface Prompt {
  /**
   * The answer, without white space around it; the default where it is empty.
   * @throws NoAnswer
   */
  ask(question: string, fallback: string | undefined): Promise<string>;
  say(lines: readonly string[]): void;
  close(): void;
}

/** Says whether a person is there who could answer. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks on standard error, so that standard output holds results alone. */
export function openPrompt(input: Readable = process.stdin, output: Writable = process.stderr): Prompt {
  const { createInterface } = process.getBuiltinModule("node:readline");
  const terminal = createInterface({ input, output, terminal: output === process.stderr });
  // Lines may come before their question does, where several are pasted at once.
  const lines: string[] = [];
  let end: NoAnswer | undefined;
  let wake = (): void => undefined;
  const stop = (interrupted: boolean): void => {
    end ??= new NoAnswer(interrupted);
    wake();
  };
  terminal.on("line", (line) => {
    lines.push(line);
    wake();
  });
  terminal.on("SIGINT", () => stop(true));
  terminal.on("close", () => stop(false));
  const next = async (): Promise<string> => {
    for (;;) {
      if (end?.interrupted === true) throw end;
      const line = lines.shift();
      if (line !== undefined) return line.trim();
      if (end !== undefined) throw end;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    async ask(question, fallback) {
      for (;;) {
        terminal.setPrompt(safeLine(`${question}${fallback === undefined ? "" : ` [${fallback}]`}: `));
        if (lines.length === 0 && end === undefined) terminal.prompt();
        const answer = (await next()) || fallback;
        if (answer !== undefined) return answer;
      }
    },
    say: (said) => void output.write(said.map((line) => `${safeLine(line)}\n`).join("")),
    close: () => terminal.close(),
  };
}
