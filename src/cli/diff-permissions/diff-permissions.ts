import { hasError } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { sortFindings } from "../../krm/results.ts";
import { defaultRelease } from "../../requests/release-filter.ts";
import type { PermissionsReport } from "../../upgrade/described-diff.ts";
import type { ClusterRules } from "../../upgrade/identities.ts";
import { reportMarkdown, reportText } from "../../upgrade/report-text.ts";
import type { FlagsOf } from "../definition.ts";
import { bytesOf, objectsOf } from "../files/one-file.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { write, writeChanges, writeFindings, writeJson } from "../terminal/output.ts";
import { anyCluster, compareSides } from "./compare-sides.ts";
import { definitionsIn, readFeatureGates, readSide, rulesAmong } from "./comparison-side.ts";
import type { diffPermissionsCommand as definition } from "./definition.ts";
import { diffFleets } from "./diff-fleets.ts";

type Values = FlagsOf<typeof definition>;

/** `ccf diff-permissions OLD NEW`: exit 0 nothing broadened, 2 broadened, 1 could not compare. */
export function diffPermissions(values: Values, old: string, now: string): number | Promise<number> {
  if (values.recursive) return diffFleets(values, old, now);
  const rules = rulesOf(values);
  const manifests = values["feature-gate-manifests"];
  const gates = manifests === undefined ? [] : readFeatureGates(manifests);
  const definitionsOf = definitionsIn(values["role-definitions"]);
  const { report, findings } = compareSides(readSide(old), readSide(now, gates), rules, definitionsOf);
  if (hasError(findings)) throw new FindingsError(findings);
  writeFindings(sortFindings(findings));
  print[values.output](report);
  return report.verdict === "broadened" || report.verdict === "both" ? 2 : 0;
}

const print: Readonly<Record<Values["output"], (report: PermissionsReport) => void>> = {
  text: (report) => writeChanges(reportText(report)),
  markdown: (report) => write(1, reportMarkdown(report)),
  json: (report) => writeJson(report as unknown as ValueMap),
};

const clusterFlags = ["feature-set", "feature-gates", "capabilities", "profile"] as const;

// Flags and a ClusterIdentity both describe the cluster and could contradict each other.
function rulesOf({ identity, ...flags }: Values): ClusterRules | undefined {
  const given = clusterFlags.flatMap((name) => (flags[name] === undefined ? [] : [name]));
  if (identity === undefined) return given.length === 0 ? undefined : { ...anyCluster, release: releaseOf(flags) };
  if (given.length > 0) throw new UsageError(`--identity and --${given[0]} cannot be used together; use one of them`);
  const name = `--identity ${quote(identity)}`;
  const rules = rulesAmong(objectsOf(identity, bytesOf(name, identity), "file").items);
  if (rules === undefined) throw new UsageError(`${name} contains no ClusterIdentity`);
  return rules;
}

function releaseOf(flags: Omit<Values, "identity">): ClusterRules["release"] {
  const { capabilities, "feature-set": featureSet = defaultRelease.featureSet } = flags;
  return {
    ...defaultRelease,
    profile: flags.profile ?? defaultRelease.profile,
    featureSet,
    featureGates: words(flags["feature-gates"]),
    ...(capabilities === undefined ? {} : { capabilities: words(capabilities) }),
  };
}

function words(list = ""): string[] {
  return list.split(/[,+\s]+/).filter((word) => word !== "");
}
