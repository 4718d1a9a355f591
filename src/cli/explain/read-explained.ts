import type { Inspector } from "../../clouds/inspector.ts";
import { reachIn } from "../../clouds/permission-questions.ts";
import type { Resource } from "../../core/resource.ts";
import { ofForm, secretTexts } from "../../core/secret-texts.ts";
import { type RenderedDirectory, readRenderedDirectory } from "../files/rendered-directory.ts";
import { FindingsError } from "../terminal/errors.ts";
import type { Explained } from "./explained.ts";

/**
 * Reads the identities of a rendered package or an export, and the directory itself.
 *
 * @param apart packages inside it that the command explains by themselves
 * @throws FindingsError if the Secret or the ID of an identity is unknown; an unreadable part of an identity is shown as such.
 */
export function readExplained(
  directory: string,
  apart: readonly string[] = [],
): {
  readonly explained: Explained;
  readonly rendered: RenderedDirectory;
} {
  const rendered = readRenderedDirectory(directory, apart);
  const { inspector, cluster, items } = rendered;
  const { identities, findings } = cluster;
  if (identities.some(({ key, id }) => key === undefined || id === undefined)) throw new FindingsError(findings);
  const explained: Explained = {
    identities,
    noun: inspector.identityNoun,
    boundaries: inspector.features.boundaries,
    account: cluster.account ?? "",
    reach: new Map(reachIn({ inspector, cluster, items }).map((reach) => [reach.secret, reach])),
    assigned: assignedIn(items, inspector),
  };
  return { explained, rendered };
}

// The Secrets name what the cloud has assigned.
function assignedIn(items: readonly Resource[], { features, settingForms }: Inspector): Explained["assigned"] {
  if (features.assignedIds === undefined) return undefined;
  const { settingKey: key, noun } = features.assignedIds;
  const ids = new Map<string, string>();
  for (const item of items) {
    const id = item.kind === "Secret" ? ofForm(settingForms, key, secretTexts(item.value()).get(key)) : undefined;
    if (id !== undefined) ids.set(`${item.namespace}/${item.name}`, id);
  }
  return { noun, ids };
}
