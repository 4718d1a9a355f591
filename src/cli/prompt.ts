/** Says whether somebody is there who could answer. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks on standard error, so that standard output holds results alone; asks again until there is an answer. */
export async function ask(question: string, fallback: string | undefined): Promise<string> {
  const { createInterface } = process.getBuiltinModule("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    for (;;) {
      const hint = fallback === undefined ? "" : ` [${fallback}]`;
      const answer = (await terminal.question(`${question}${hint}: `)).trim() || fallback;
      if (answer !== undefined && answer !== "") return answer;
    }
  } finally {
    terminal.close();
  }
}
