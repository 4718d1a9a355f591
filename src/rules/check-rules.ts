import type { Finding } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";
import { judge } from "./accept.ts";
import { rules } from "./all.ts";
import { type Facts, readFacts, type Subject } from "./facts.ts";
import type { Reading } from "./rule.ts";

/** Checks every rule. */
export function checkRules(subject: Subject): Finding[] {
  const facts = readFacts(subject);
  const found = rules.flatMap((rule) => rule.check(facts).map((violation) => ({ rule, violation })));
  const { installConfig, items, live, identity, today } = facts;
  const read = new Set<Reading>(["package"]);
  if (live.length > 0) read.add("live");
  if (installConfig !== undefined) read.add("install-config");
  const config = identity === undefined ? undefined : { identity, today, named: namedObjects(facts) };
  return judge(found, items, rules, read, config);
}

// What an acceptance of the ClusterIdentity can name, wherever it was read.
function namedObjects({ items, live, installConfig, filedSecrets }: Facts): readonly Resource[] {
  const filed = filedSecrets.map(({ resource }) => resource);
  return [...new Set([...items, ...filed, ...live, ...(installConfig === undefined ? [] : [installConfig])])];
}
