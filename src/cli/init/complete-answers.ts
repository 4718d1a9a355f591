import { UsageError } from "../terminal/errors.ts";
import { write } from "../terminal/output.ts";
import { canAsk, NoAnswer, openPrompt, type Prompt } from "../terminal/prompt.ts";
import type { Answers } from "./init-answers.ts";

/**
 * The answers, with those that are missing from a user at a terminal. Without a terminal nothing is asked, because a script
 * must not hang.
 *
 * @param missing the flags without an answer.
 * @returns NoAnswer if the user did not answer every question.
 * @throws UsageError that names the missing flags if there is no terminal.
 */
export async function completeAnswers(
  given: Answers,
  missing: readonly string[],
  ask: (prompt: Prompt) => Promise<Answers>,
): Promise<Answers | NoAnswer> {
  if (missing.length === 0) return given;
  if (!canAsk()) {
    const names = missing.map((flag) => `--${flag}`).join(", ");
    throw new UsageError(`${names} ${missing.length === 1 ? "is" : "are"} required`);
  }
  const prompt = openPrompt();
  try {
    return await ask(prompt);
  } catch (error) {
    if (error instanceof NoAnswer) return error;
    throw error;
  } finally {
    prompt.close();
  }
}

/** Says that nothing was written, because the user gave no answer, and returns the exit code. */
export function stopped({ interrupted }: NoAnswer): number {
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
