import type { Finding } from "../core/finding.ts";
import { judge } from "./accept.ts";
import { rules } from "./all.ts";
import { readFacts, type Subject } from "./facts.ts";
import type { Reading } from "./rule.ts";

/** Checks every rule. */
export function checkRules(subject: Subject): Finding[] {
  const facts = readFacts(subject);
  const found = rules.flatMap((rule) => rule.check(facts).map((violation) => ({ rule, violation })));
  const { installConfig, items, live } = facts;
  const read = new Set<Reading>(["package"]);
  if (live.length > 0) read.add("live");
  if (installConfig !== undefined) read.add("install-config");
  return judge(found, items, rules, read);
}
