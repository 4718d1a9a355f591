import { explain as explainCluster } from "../../clouds/aws/rendered/explain.ts";
import type { FlagsOf } from "../definition.ts";
import { readRenderedDirectory } from "../files/rendered-directory.ts";
import { write, writeJson } from "../terminal/output.ts";
import type { explainCommand as definition } from "./definition.ts";
import { explainJson, explainMarkdown, explainText } from "./explain-output.ts";

/** `ccf explain [DIR]`: exit 0 said, 1 there is nothing that could be. */
export function explain({ output }: FlagsOf<typeof definition>, directory = "."): number {
  const identities = explainCluster(readRenderedDirectory(directory).cluster);
  if (output === "json") writeJson(explainJson(identities));
  else write(1, output === "text" ? explainText(identities) : explainMarkdown(identities));
  return 0;
}
