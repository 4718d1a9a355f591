import { explanations as functions } from "../../functions/findings.ts";
import { cloudFindings, cloudRemarks } from "../clouds/all-findings.ts";
import { inspectors, rulesFor } from "../clouds/inspectors.ts";
import type { Explanation, FindingCode, Severity } from "../core/finding.ts";
import { explanations as core } from "../core/findings.ts";
import { compareText } from "../core/text.ts";
import { explanations as identity } from "../identity/findings.ts";
import { explanations as krm } from "../krm/findings.ts";
import { explanations as oidc } from "../oidc/findings.ts";
import { explanations as openshift } from "../openshift/findings.ts";
import { explanations as releaseImages } from "../release-image/findings.ts";
import { explanations as requests } from "../requests/findings.ts";
import { explanations as rules } from "../rules/findings.ts";
import { explanations as workloads } from "../workloads/findings.ts";
import { explanations as yaml } from "../yaml/findings.ts";
import { explanations as cloud } from "./cloud/findings.ts";
import { explanations as exports } from "./export/findings.ts";
import { explanations as files } from "./files/findings.ts";
import {
  createKeyPair,
  diff,
  extractRelease,
  fleet,
  keys,
  nextRelease,
  render,
  report,
  set,
  setIdentities,
  updateRequests,
  upgradeableTo,
  verifyToken,
} from "./findings.ts";
import { explanations as imports } from "./import/findings.ts";
import { explanations as packages } from "./package/findings.ts";
import { explanations as terminal } from "./terminal/findings.ts";
import { version } from "./terminal/version.ts";
import { explanations as validate } from "./validate/findings.ts";

/** The findings of all modules: the sections of docs/reference/findings.md, by their headings. */
export const findingGroups = {
  "Objects of a package": { ...core, ...krm, ...yaml },
  ClusterIdentity: identity,
  "Signing keys": oidc,
  CredentialsRequests: requests,
  WorkloadIdentities: workloads,
  "Authentication and Subscriptions": openshift,
  ...cloudFindings,
  "Generated credentials and permissions": functions,
  "Accepted violations of rules, and the policy of a company": rules,
  "Release images": releaseImages,
  "Files that a command reads and writes": { ...files, ...packages },
  "Command lines, and the system": terminal,
  "Several packages in one run": fleet,
  "Upgrades to another release": nextRelease,
  "ccf apply, status, and destroy": cloud,
  "ccf add-key and remove-key": keys,
  "ccf create-key-pair": createKeyPair,
  "ccf diff": diff,
  "ccf export": exports,
  "ccf extract-release": extractRelease,
  "ccf import": imports,
  "ccf render": render,
  "ccf report": report,
  "ccf set": set,
  "ccf set-identities": setIdentities,
  "ccf update-requests": updateRequests,
  "ccf upgradeable-to": upgradeableTo,
  "ccf validate": validate,
  "ccf verify-token": verifyToken,
} as const satisfies Readonly<Record<string, Readonly<Record<string, Explanation>>>>;

/** What each code means, with what single clouds add. */
export const explanations: Readonly<Record<FindingCode, Explanation>> = Object.fromEntries(
  Object.values<Readonly<Record<string, Explanation>>>(findingGroups)
    .flatMap((group) => Object.entries(group))
    .map(([code, explanation]) => [code, withRemarks(code as FindingCode, explanation)]),
) as Record<FindingCode, Explanation>;

function withRemarks(code: FindingCode, { severity, cause, cure }: Explanation): Explanation {
  const remarks = cloudRemarks.flatMap((one) => one[code] ?? []);
  const all = (text: string, more: readonly (string | undefined)[]) =>
    [text, ...more.filter((one) => one !== undefined)].join(" ");
  return {
    severity,
    cause: all(
      cause,
      remarks.map((one) => one.cause),
    ),
    cure: all(
      cure,
      remarks.map((one) => one.cure),
    ),
  };
}

/** The home page of the project. */
export const home = "https://github.com/cloud-credential-functions/cloud-credential-functions";

/** What a code means, for people. */
export interface ExplainedCode {
  readonly code: string;
  readonly severity: Severity;
  /** One sentence, if the cause is longer. */
  readonly summary: string;
  readonly cause: string;
  readonly cure: string;
  /** The address of the same text in the reference of this version. */
  readonly page: string;
}

/** The rules of `ccf validate`, sorted by code. */
export const explainedRules: readonly ExplainedCode[] = rulesFor(...inspectors).map(
  ({ code, severity, summary, why, cure }) => ({
    ...{ code, severity, summary, cause: why, cure },
    page: pageOf("validation-rules", code),
  }),
);

const rulesByCode = new Map(explainedRules.map((rule) => [rule.code, rule]));

/** Every code that a finding can have, sorted. */
export const codes: readonly string[] = [...rulesByCode.keys(), ...Object.keys(explanations)].sort(compareText);

/** Explains the code of a finding or a rule; undefined if the code does not exist. */
export function explained(code: string): ExplainedCode | undefined {
  if (rulesByCode.has(code)) return rulesByCode.get(code);
  if (!Object.hasOwn(explanations, code)) return undefined;
  const { severity, cause, cure } = explanations[code as FindingCode];
  return { code, severity, summary: cause, cause, cure, page: pageOf("findings", code) };
}

function pageOf(name: string, code: string): string {
  return `${home}/blob/v${version}/docs/reference/${name}.md#${code}`;
}
