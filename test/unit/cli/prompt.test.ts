import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { openPrompt } from "../../../src/cli/terminal/prompt.ts";

it.each([
  ["a default", "us-east-2", "Region [us-east-2]: "],
  ["an empty default, which the question may name itself", "", "Region: "],
  ["no default", undefined, "Region: "],
])("a question with %s is shown once, with its default", async (_, fallback, shown) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const prompt = openPrompt(input, output);
  const answer = prompt.ask("Region", fallback);
  input.write("\nmine\n");
  expect(await answer).toBe(fallback ?? "mine");
  expect(String(output.read()).startsWith(shown)).toBe(true);
  prompt.close();
});
