import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { safeLine } from "../../core/text.ts";
import { write } from "./output.ts";

/** The user gave no answer: the input ended (Ctrl-D), or the user interrupted the command (Ctrl-C). */
export class NoAnswer extends Error {
  readonly interrupted: boolean;

  constructor(interrupted: boolean) {
    super("no answer");
    this.interrupted = interrupted;
  }
}

/** Asks questions, one at a time, on one terminal. */
export interface Prompt {
  /**
   * Returns the answer without surrounding white space, or the default if it is empty. The question shows the default unless
   * that is empty, too.
   * @throws NoAnswer
   */
  ask(question: string, fallback: string | undefined): Promise<string>;
  say(lines: readonly string[]): void;
  close(): void;
}

/** Whether a user can answer: standard input and standard error are terminals. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks on standard error, so that standard output contains only results. */
export function openPrompt(input: Readable = process.stdin, output: Writable = process.stderr): Prompt {
  const terminal = createInterface({ input, output, terminal: output === process.stderr });
  // If the user pastes several lines, answers arrive before their questions.
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
        terminal.setPrompt(safeLine(`${question}${fallback ? ` [${fallback}]` : ""}: `));
        if (lines.length === 0 && end === undefined) terminal.prompt();
        const answer = (await next()) || fallback;
        if (answer !== undefined) return answer;
      }
    },
    say: (text) => void output.write(text.map((line) => `${safeLine(line)}\n`).join("")),
    close: () => terminal.close(),
  };
}

/**
 * Asks one question before something is done.
 *
 * @param otherwise the message if the answer does not confirm it, or if there is none.
 */
export async function confirm(
  question: string,
  isYes: (answer: string) => boolean,
  otherwise: string,
): Promise<boolean> {
  const prompt = openPrompt();
  try {
    if (isYes(await prompt.ask(question, ""))) return true;
    write(2, [otherwise]);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    write(2, ["", otherwise]);
  } finally {
    prompt.close();
  }
  return false;
}

/** Says that nothing was written, because the user gave no answer, and returns the exit code. */
export function endWithoutAnswer({ interrupted }: NoAnswer): number {
  write(2, [
    "",
    interrupted
      ? "Interrupted. Nothing was written."
      : "error: the input ended before the last answer. Nothing was written.",
  ]);
  // A shell stops a script only if the signal itself terminated the program, not if the program exits with the same code.
  if (interrupted) process.kill(process.pid, "SIGINT");
  return interrupted ? 130 : 1;
}
