import type { Inspector } from "../../clouds/inspector.ts";
import { inspectors, rulesFor } from "../../clouds/inspectors.ts";
import { compareText } from "../../core/text.ts";
import type { Escalation } from "../../page/page.ts";
import { effectiveStatements, type RenderedIdentity } from "../../permissions/identity.ts";
import type { PolicyDocuments } from "../../permissions/policy-documents.ts";
import type { OwnCluster } from "../../permissions/terms.ts";
import { defaultRelease } from "../../requests/release-filter.ts";
import { type Facts, readFacts } from "../../rules/rule.ts";

/** How an identity can get more permissions than its own. */
export interface Escalations {
  readonly ways: readonly Escalation[];
  /** Why it may have more permissions than the files say, besides its managed policies: a clause for each reason, sorted. */
  readonly unknown: readonly string[];
}

/**
 * The ways in which a rendered identity can get more permissions than its own, as the rules of its cloud know them. They are judged
 * by its files alone, so that an accepted way, and a way that its request asks for, is found, too.
 *
 * @param own what distinguishes its cluster from others.
 * @param documents of policies that the package only names.
 */
export function escalationsOf(
  identity: RenderedIdentity,
  cloud: Inspector,
  own: OwnCluster,
  documents: PolicyDocuments,
): Escalations {
  const facts = factsAbout(identity, cloud, own, documents);
  const ways = rulesFor(cloud).flatMap(({ code, escalates, check }) =>
    escalates === true
      ? check(facts).map(({ message, isUndecided }) => ({
          ...{ code, message: withoutField(message) },
          ...(isUndecided === true ? { isUndecided } : {}),
        }))
      : [],
  );
  return { ways, unknown: unknownIn(identity, cloud) };
}

/** What rules see of one identity without the package that it is in; the parameters are those of {@link escalationsOf}. */
export function factsAbout(
  identity: RenderedIdentity,
  cloud: Inspector,
  own: OwnCluster,
  documents: PolicyDocuments,
): Facts {
  return readFacts({
    items: [],
    live: [],
    installConfig: undefined,
    identity: undefined,
    cluster: undefined,
    release: defaultRelease,
    held: new Set<string>(),
    workloads: new Set<string>(),
    cloud,
    clouds: inspectors,
    rendered: [identity],
    documents,
    definitions: new Map(),
    documentIssuer: undefined,
    requests: [],
    own,
    rendering: [],
    today: undefined,
  });
}

// A message begins with the field that contains the permissions. Readers see them right above.
function withoutField(message: string): string {
  return message.replace(/^"data\.[^"]*" /, "");
}

// A managed policy says by itself that its document is not there.
function unknownIn({ permissions }: RenderedIdentity, { features }: Inspector): string[] {
  const statements = effectiveStatements({ permissions, managedPolicies: [] }, features.roles?.known());
  const reasons = statements.flatMap(({ effect, undecided }) => (effect === "Allow" ? (undecided ?? []) : []));
  return [...new Set(reasons)].sort(compareText);
}
