import type { Finding } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";
import { judge } from "./accept.ts";
import { type Facts, readFacts, type Subject } from "./facts.ts";
import type { Reading, Rule } from "./rule.ts";

/** Checks a subject against rules: {@link rules}, and those of the cluster's cloud. */
export function checkRules(subject: Subject, rules: readonly Rule[]): Finding[] {
  const facts = readFacts(subject);
  const isOn = ({ isOptional, code }: Rule) => !isOptional || facts.identity?.optionalRules.includes(code) === true;
  const found = rules.filter(isOn).flatMap((rule) => rule.check(facts).map((violation) => ({ rule, violation })));
  const { installConfig, items, live, identity, today, rendered } = facts;
  const read = new Set<Reading>(["package"]);
  if (live.length > 0) read.add("live");
  if (installConfig !== undefined) read.add("install-config");
  const keys = new Map(rendered.flatMap(({ resource, key }) => (resource && key ? [[resource, key] as const] : [])));
  const config = identity === undefined ? undefined : { identity, today, keys, named: namedObjects(facts) };
  return judge(found, items, rules, read, config);
}

// The objects that an acceptance in the ClusterIdentity can name, from all sources.
function namedObjects({ items, live, installConfig, filedSecrets }: Facts): readonly Resource[] {
  const filed = filedSecrets.map(({ resource }) => resource);
  return [...new Set([...items, ...filed, ...live, ...(installConfig === undefined ? [] : [installConfig])])];
}
