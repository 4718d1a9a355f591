import { posix } from "node:path";
import { reachIn } from "../../clouds/permissions.ts";
import { clusterFile, issuerKeyIds, issuerUrl } from "../../clouds/rendered.ts";
import { type Finding, hasError } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { listed } from "../../core/words.ts";
import { range } from "../../page/services.ts";
import type { PolicyDocuments } from "../../permissions/policy-documents.ts";
import { clusterWith } from "../files/input-file.ts";
import { clusterIn } from "../fleet/each-package.ts";
import { labelsOfRendered } from "../fleet/labels.ts";
import type { Place } from "../fleet/select-packages.ts";
import { inputOf, packageFindings } from "../package/package-findings.ts";
import { type RenderedDirectory, readRenderedDirectory } from "../package/rendered-directory.ts";
import { isOutdated, type Results, resultFor } from "../package/status-result.ts";
import { type ComparedRelease, type Lack, lacksOf } from "../permissions/lacks.ts";
import { FindingsError, throwErrors } from "../terminal/errors.ts";
import type { Cell } from "../terminal/table.ts";

/** A rendered package or an export, with the name and the platform of its cluster. */
export interface NamedCluster extends RenderedDirectory {
  readonly named: ValueMap;
}

/**
 * Reads a package for a report.
 *
 * @throws FindingsError if an identity is unknown: the report would say less than the package contains.
 */
export function readCluster({ directory, inside }: Place): NamedCluster {
  const rendered = readRenderedDirectory(directory, inside);
  const { cluster, inspector, items } = rendered;
  if (cluster.identities.some(({ key, id }) => key === undefined || id === undefined)) throwErrors(cluster.findings);
  return { ...rendered, named: { platform: inspector.name, ...clusterIn(items) } };
}

/** What a fleet's results of a status say about a package. */
interface CloudStatus {
  /** "unknown": no result is for this state of the package; "outdated": too old to rely on, as in `ccf upgradeable-to`. */
  readonly status: "in sync" | "drift" | "outdated" | "unknown";
  /** When the cloud was compared. */
  readonly time: Date | undefined;
}

/** Finds the result for a package or an export, as its files are now. */
function cloudStatus(read: RenderedDirectory, results: Results, now: Date): CloudStatus {
  const result = resultFor(results, bundledFiles(read));
  if (result === undefined || result.verdict === "unknown") return { status: "unknown", time: undefined };
  return { status: isOutdated(result, now) ? "outdated" : result.verdict, time: result.time };
}

// The paths are those of an export.
function bundledFiles({ bundles, pkg }: RenderedDirectory): { path: string; text: string }[] {
  const bundled = new Map<string, string>();
  for (const { directory, files } of bundles) {
    const isOfCluster = pkg !== undefined && files.has(clusterFile);
    const top = isOfCluster ? posix.dirname(directory) : directory;
    for (const [name, text] of files) bundled.set(`${top}/${name}`, text);
  }
  return [...bundled].map(([path, text]) => ({ path, text }));
}

/** What the report says about a cluster. */
export interface ClusterRow {
  readonly package: string;
  readonly identity: string | undefined;
  readonly platform: string;
  readonly account: string | undefined;
  readonly region: string | undefined;
  readonly issuer: string | undefined;
  readonly identities: number;
  /** How many of them are those of workloads. */
  readonly workloads: number;
  /** Undefined for an export, which the rules cannot judge. */
  readonly findingCounts: { readonly errors: number; readonly warnings: number; readonly accepted: number } | undefined;
  readonly keyIds: readonly string[];
  /** How many identities reach beyond the cluster, by the answer about each. */
  readonly reach: { readonly changes: number; readonly undecided: number; readonly reads: number };
  /** What it lacks for a release; undefined if none is given. */
  readonly lacks: readonly Lack[] | undefined;
  /** A warning that only requests decided which capabilities the upgrade enables. */
  readonly capabilityFindings: readonly Finding[];
  /** Undefined if no results are given. */
  readonly cloud: CloudStatus | undefined;
  /** The labels that are shown, by their keys; undefined for one that the package does not have. */
  readonly labels: ReadonlyMap<string, string | undefined>;
}

/** What clusters are compared with, and which of their labels are shown. */
export interface ReportOptions {
  readonly release: ComparedRelease | undefined;
  readonly results: Results | undefined;
  readonly labels: readonly string[];
  readonly documents: PolicyDocuments;
}

/**
 * Summarizes a cluster.
 *
 * @param fleetFindings findings about other packages of the run.
 * @param now the time at which acceptances and results are judged.
 * @throws FindingsError if the answer is unknown.
 */
export function clusterRow(
  directory: string,
  read: NamedCluster,
  fleetFindings: readonly Finding[],
  now: Date,
  { release, results, labels, documents }: ReportOptions,
): ClusterRow {
  const today = now.toISOString().slice(0, 10);
  const { cluster, pkg, items, inspector, named } = read;
  const [issuer] = cluster.issuers;
  const reach = reachIn({ inspector, cluster: clusterWith(cluster, documents), items });
  const countReach = (answer: (typeof reach)[number]["answer"]) => reach.filter((one) => one.answer === answer).length;
  const identity = named["identity"];
  const own = labels.length === 0 ? undefined : labelsOfRendered(read);
  return {
    package: directory,
    identity: typeof identity === "string" ? identity : undefined,
    platform: inspector.name,
    account: cluster.account,
    region: cluster.region,
    issuer: issuer === undefined ? undefined : issuerUrl(issuer),
    identities: cluster.identities.length,
    workloads: cluster.identities.filter(({ isOfWorkload }) => isOfWorkload).length,
    findingCounts:
      pkg === undefined ? undefined : countOf([...fleetFindings, ...packageFindings(pkg, inputOf(pkg), { today })]),
    keyIds: issuer === undefined ? [] : issuerKeyIds(issuer),
    reach: { changes: countReach("changes"), undecided: countReach("undecided"), reads: countReach("reads") },
    ...(release === undefined ? { lacks: undefined, capabilityFindings: [] } : lacksFor(read, release)),
    cloud: results === undefined ? undefined : cloudStatus(read, results, now),
    labels: new Map(labels.map((key) => [key, own?.get(key)])),
  };
}

function countOf(findings: readonly Finding[]): NonNullable<ClusterRow["findingCounts"]> {
  // An object without a clear value was not checked.
  const unclearFindings = findings.filter(({ code }) => code === "yaml-value");
  if (unclearFindings.length > 0) throw new FindingsError(unclearFindings);
  return {
    errors: findings.filter(({ severity }) => severity === "error").length,
    warnings: findings.filter(({ severity }) => severity === "warning").length,
    accepted: findings.filter(({ accepted }) => accepted !== undefined).length,
  };
}

function lacksFor({ items }: NamedCluster, release: ComparedRelease): Pick<ClusterRow, "lacks" | "capabilityFindings"> {
  const { findings, lacks } = lacksOf(items, release);
  if (hasError(findings)) throw new FindingsError(findings.filter(({ severity }) => severity === "error"));
  return { lacks, capabilityFindings: findings.filter(({ code }) => code === "capabilities-by-requests") };
}

/** The columns that a terminal shows only with `-o wide`. */
export const wideColumns: ReadonlySet<string> = new Set([
  ...["identity", "account", "region", "issuer", "accepted", "keys"],
]);

/** The columns of {@link cellsOf}. */
export function columnsOf({ release, results, labels }: ReportOptions): string[] {
  const columns = ["package", "identity", "platform", "account", "region", "issuer", "identities"];
  const counts = ["errors", "warnings", "accepted", "keys", "reach"];
  const compared = [...(release === undefined ? [] : ["release"]), ...(results === undefined ? [] : ["cloud"])];
  return [...columns, ...counts, ...compared, ...labels];
}

/**
 * The cells of a row.
 *
 * @param max how many Secrets a cell names at most; with 0, it contains only whether the cluster is ready.
 */
export function cellsOf(one: ClusterRow, max: number): Cell[] {
  const { errors, warnings, accepted } = one.findingCounts ?? {};
  return [
    ...[one.package, one.identity, one.platform, one.account, one.region, one.issuer, one.identities],
    ...[errors, warnings, accepted, one.keyIds.length, reachCell(one.reach)],
    ...(one.lacks === undefined ? [] : [releaseCell(one.lacks, max)]),
    ...(one.cloud === undefined ? [] : [one.cloud.status]),
    ...[...one.labels.values()].map((text) => text ?? ""),
  ];
}

// The same number as on the page of `ccf explain`.
function reachCell({ changes, undecided, reads }: ClusterRow["reach"]): Cell {
  const certain = changes + reads;
  return undecided === 0 ? certain : range(certain, certain + undecided);
}

function releaseCell(lacks: readonly Lack[], max: number): string {
  if (lacks.length === 0) return "ready";
  if (max === 0) return isLacking(lacks) ? "not ready" : "unknown";
  if (!isLacking(lacks))
    return `unknown: ${listed(
      lacks.map(({ secret }) => secret),
      max,
    )}`;
  const texts = lacks.map(({ secret, change }) => `${secret}${change === "more" ? "" : ` (${change})`}`);
  return `lacks ${listed(texts, max)}`;
}

/** Whether an identity certainly or perhaps lacks something, not only if the release has its request. */
export function isLacking(lacks: readonly Lack[]): boolean {
  return lacks.some(({ change }) => change !== "unknown");
}

/** A row for a program, without the package and the cluster. */
export function clusterJson({
  account,
  region,
  issuer,
  identities,
  workloads,
  findingCounts,
  keyIds,
  reach,
  lacks,
  cloud,
  labels,
}: ClusterRow): ValueMap {
  return {
    account: account ?? null,
    region: region ?? null,
    issuer: issuer ?? null,
    identities,
    ...(workloads === 0 ? {} : { workloads }),
    findings: findingCounts === undefined ? null : { ...findingCounts },
    keyIds: [...keyIds],
    reach: { ...reach },
    ...(lacks === undefined
      ? {}
      : {
          // Null: unknown.
          ready: lacks.length === 0 ? true : isLacking(lacks) ? false : null,
          lacks: lacks.map(({ secret, change, gates, permissions, serviceAccounts }) => ({
            ...{ secret, change, permissions: [...permissions] },
            ...(gates === undefined ? {} : { featureGates: [...gates] }),
            ...(serviceAccounts.length === 0 ? {} : { serviceAccounts: [...serviceAccounts] }),
          })),
        }),
    ...(cloud === undefined
      ? {}
      : { cloud: { status: cloud.status, time: cloud.time?.toISOString().replace(".000", "") ?? null } }),
    ...(labels.size === 0 ? {} : { labels: Object.fromEntries([...labels].map(([key, text]) => [key, text ?? null])) }),
  };
}
