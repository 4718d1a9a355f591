import { parseArgs } from "node:util";
import { readRenderedDirectory } from "../files/rendered-directory.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { write, writeJson } from "../terminal/output.ts";
import { explainJson, explainMarkdown, explainText } from "./explain-output.ts";

/** `ccf explain [DIR]`: exit 0 said, 1 there is nothing that could be. */
export function explain(args: readonly string[]): number {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { output: { type: "string", short: "o", default: "text" } },
  });
  const [directory = ".", ...more] = positionals;
  if (more.length > 0) throw new UsageError(`one package is explained, and there are ${positionals.length}`);
  const { output } = values;
  if (output !== "text" && output !== "markdown" && output !== "json")
    throw new UsageError(`-o must be "text", "markdown" or "json"`);
  const { identities, findings } = readRenderedDirectory(directory).cluster;
  // What cannot be read of an identity is shown as that; whose it is must be known.
  if (identities.some(({ key, id }) => key === undefined || id === undefined)) throw new FindingsError(findings);
  if (output === "json") writeJson(explainJson(identities));
  else write(1, output === "text" ? explainText(identities) : explainMarkdown(identities));
  return 0;
}
