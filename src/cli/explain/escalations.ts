import type { Inspector } from "../../clouds/inspector.ts";
import { inspectors, rulesFor } from "../../clouds/inspectors.ts";
import type { Escalation } from "../../page/page.ts";
import type { RenderedIdentity } from "../../permissions/identity.ts";
import type { OwnCluster } from "../../permissions/terms.ts";
import { defaultRelease } from "../../requests/release-filter.ts";
import { readFacts } from "../../rules/facts.ts";

/**
 * The ways in which a rendered identity can get more permissions than its own, as the rules of its cloud know them. They are judged
 * by its files alone, so that an accepted way, and a way that its request asks for, is found, too.
 *
 * @param own what distinguishes its cluster from others.
 */
export function escalationsOf(identity: RenderedIdentity, cloud: Inspector, own: OwnCluster): Escalation[] {
  const facts = readFacts({
    items: [],
    live: [],
    installConfig: undefined,
    identity: undefined,
    release: defaultRelease,
    cloud,
    clouds: inspectors,
    rendered: [identity],
    documentIssuer: undefined,
    requests: [],
    own,
    rendering: [],
    today: undefined,
  });
  return rulesFor(cloud).flatMap(({ code, escalates, check }) =>
    escalates === true
      ? check(facts).map(({ message, isUndecided }) => ({
          ...{ code, message: withoutField(message) },
          ...(isUndecided === true ? { isUndecided } : {}),
        }))
      : [],
  );
}

// A message begins with the field that contains the permissions. Here they are right above.
function withoutField(message: string): string {
  return message.replace(/^"data\.[^"]*" /, "");
}
