import { expect, it } from "vitest";
import { functions } from "../../../functions/registry.ts";
import { commands } from "../../../src/cli/commands.ts";
import { topics } from "../../../src/cli/topics.ts";
import { phrases, words } from "../../../tools/words.mjs";
import { answerOf } from "../../helpers/in-process.ts";

const names = new Set([...commands, ...functions].map(({ name }) => name));
const commandLines = [
  ["--help"],
  ...topics.map(({ name }) => ["help", name]),
  ...[...names].map((name) => [name, "--help"]),
];

// The help is the first text that users read, so this test has no list of exceptions.
it.each(commandLines.map((args) => ({ args, title: args.join(" ") })))(
  "ccf $title contains no word that this project does not write",
  async ({ args }) => {
    const { status, stdout } = await answerOf(args);
    expect(status).toBe(0);
    // The help is wrapped, so a phrase may be split between two lines.
    const text = stdout.replace(/\s+/g, " ");
    expect(text).not.toContain("is no ");
    for (const { pattern, instead } of [...words, ...phrases])
      expect(pattern.exec(text)?.[0], `write ${instead}`).toBeUndefined();
  },
);
