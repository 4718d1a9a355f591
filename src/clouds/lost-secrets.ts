import { guardedRemoval } from "../core/allowances.ts";
import type { Finding } from "../core/finding.ts";
import type { GeneratedObject, Resource } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import type { SelectedRequest } from "../requests/select.ts";
import type { ComponentIdentity } from "./cloud.ts";
import type { RenderedBefore } from "./rendered-before.ts";
import { secretForm } from "./secret.ts";

/**
 * Reports the Secrets that identities lose because the package does not contain their ID: a Secret that a running cluster
 * reads is not removed because the package no longer contains what it names.
 *
 * @param identities those whose Secrets are to stay.
 * @param isPruned what the output does not contain is deleted from the cluster, so every missing Secret may be lost.
 */
export function lostSecrets(
  identities: readonly ComponentIdentity[],
  rendered: RenderedBefore,
  identity: Identity,
  isPruned: boolean,
): Finding[] {
  return identities.flatMap(({ request: { resource, secretKey = "" }, secret }) => {
    const gone = rendered.get(secretKey)?.secret;
    if (secret() !== undefined || (gone === undefined && !isPruned)) return [];
    const where = gone?.path === undefined ? "" : `, rendered in ${quoteWhole(gone.path)},`;
    const message =
      gone !== undefined
        ? `the Secret ${quote(secretKey)}${where} would be removed, because the ID that the cloud assigned to its identity is missing from the package. Restore the ID from Git, or store it again with "ccf set-identities".`
        : `the Secret ${quote(secretKey)} is missing from the output, because the package does not contain the ID that the cloud assigned to its identity. If the output is applied, and a cluster has the Secret, it is deleted there. Add the ID, or the object that contains it, to the input.`;
    return [guardedRemoval(identity, [secretKey], "secret-lost", message, { resource })];
  });
}

/** Recognizes the Secrets of requests that a function does not generate. {@link lostSecrets} and other findings report them. */
export function missingSecrets(
  requests: readonly SelectedRequest[],
  objects: readonly GeneratedObject[],
): (item: Resource) => boolean {
  const keys = new Set(requests.map(({ secretKey }) => secretKey));
  for (const { object } of objects) {
    if (object.kind === secretForm.kind) keys.delete(`${object.metadata.namespace}/${object.metadata.name}`);
  }
  return ({ kind, namespace, name }) => kind === secretForm.kind && keys.has(`${namespace}/${name}`);
}
