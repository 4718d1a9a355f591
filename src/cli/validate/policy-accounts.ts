import { readRendered } from "../../clouds/inspectors.ts";
import { bundlesAmong } from "../../clouds/rendered.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { compareText, quote, quoteWhole } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import type { Item } from "../../krm/item.ts";
import type { PolicyDocuments } from "../../permissions/policy-documents.ts";
import { partition } from "../../rules/rule.ts";

/**
 * Reports documents that are for other accounts, while the package names policies of its own account that none of them contains: the
 * user passed the wrong file. With several packages, the files may be for several accounts.
 */
export function accountFindings(items: readonly Item[], documents: PolicyDocuments): Finding[] {
  const { inspector, cluster } = readRendered(bundlesAmong(partition(items).own)) ?? {};
  const accountOf = inspector?.features.policyAccount;
  if (cluster === undefined || accountOf === undefined) return [];
  const accounts = new Set([...documents.keys()].flatMap((name) => accountOf(name) ?? []));
  if (accounts.size === 0) return [];
  const named = cluster.identities.flatMap(({ managedPolicies, boundary }) => [...managedPolicies, boundary ?? ""]);
  const missing = named.filter((name) => accountOf(name) !== undefined && !documents.has(name));
  const [first] = missing.filter((name) => !accounts.has(accountOf(name) ?? "")).sort(compareText);
  if (first === undefined) return [];
  const others = listed([...accounts].sort(compareText).map(quote), maxAccounts);
  const message = `The files of --policy-documents are for the account ${others}, not for that of ${quoteWhole(first)}; write the file in the account of the cluster.`;
  return [finding("error", "policy-documents-account", message)];
}

/** The most accounts in a message. */
const maxAccounts = 5;
