import type { Inspector } from "../../clouds/inspector.ts";
import { reachIn } from "../../clouds/permission-questions.ts";
import type { Resource } from "../../core/resource.ts";
import { secretTexts } from "../../core/secret-texts.ts";
import type { FlagsOf } from "../definition.ts";
import { readRenderedDirectory } from "../files/rendered-directory.ts";
import { FindingsError } from "../terminal/errors.ts";
import { write, writeJson } from "../terminal/output.ts";
import type { explainCommand as definition } from "./definition.ts";
import { explainJson, explainMarkdown, explainText } from "./explain-output.ts";
import type { Explained } from "./explained.ts";

/** `ccf explain [DIR]`: exits 0 if the identities are shown, 1 if there are none that can be. */
export function explain({ output }: FlagsOf<typeof definition>, directory = "."): number {
  const { inspector, cluster, items } = readRenderedDirectory(directory);
  const { identities, findings } = cluster;
  // An unreadable part of an identity is shown as such, but its Secret and its ID must be known.
  if (identities.some(({ key, id }) => key === undefined || id === undefined)) throw new FindingsError(findings);
  const explained: Explained = {
    identities,
    noun: inspector.identityNoun,
    hasBoundaries: inspector.hasBoundaries === true,
    account: cluster.account ?? "",
    reach: new Map(reachIn({ inspector, cluster, items }).map((reach) => [reach.secret, reach])),
    assigned: assignedIn(items, inspector),
  };
  if (output === "json") writeJson(explainJson(explained));
  else write(1, output === "text" ? explainText(explained) : explainMarkdown(explained));
  return 0;
}

// The Secrets name what the cloud has assigned.
function assignedIn(items: readonly Resource[], { secretKeys }: Inspector): Explained["assigned"] {
  if (secretKeys === undefined) return undefined;
  const { key, noun } = secretKeys.assigned;
  const ids = new Map<string, string>();
  for (const item of items) {
    const id = item.kind === "Secret" ? secretTexts(item.value()).get(key) : undefined;
    if (id !== undefined) ids.set(`${item.namespace}/${item.name}`, id);
  }
  return { noun, ids };
}
