import { lstatSync } from "node:fs";
import { relative, sep } from "node:path";
import type { Finding } from "../../core/finding.ts";
import { generatedBy, type Resource, type ValueMap } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { sortFindings, toResult } from "../../krm/results.ts";
import type { PolicyDocuments } from "../../permissions/policy-documents.ts";
import type { RoleDefinitions } from "../../permissions/terms.ts";
import { isReadable } from "../../rules/accept-in-config.ts";
import { reviewed } from "../../rules/policy.ts";
import { documents, isMapping } from "../../yaml/source.ts";
import type { FlagsOf } from "../definition.ts";
import { readPolicyDocuments } from "../files/input-file.ts";
import { requireDirectory } from "../files/paths.ts";
import { readStandardInput } from "../files/read-bytes.ts";
import { bytesOf, elementsOf, sourceOf } from "../files/read-objects.ts";
import { compareClusters } from "../fleet/compare-clusters.ts";
import { clusterIn, eachPackage, showUnchecked } from "../fleet/each-package.ts";
import { isFleet } from "../fleet/flags.ts";
import { type Place, selectPackages } from "../fleet/select-packages.ts";
import { writeFields } from "../fleet/write-fields.ts";
import { acceptPath } from "../package/acceptances.ts";
import { readPackage, refuseExcluded, requirePackage } from "../package/package-files.ts";
import { inputOf, packageFindings } from "../package/package-findings.ts";
import { planPackage } from "../package/plan-set.ts";
import { readRoleDefinitions } from "../permissions/comparison-side.ts";
import { packageArguments, readTime } from "../terminal/arguments.ts";
import { UsageError } from "../terminal/errors.ts";
import { write, writeFindings, writeJson, writeNotes } from "../terminal/output.ts";
import { acceptanceLine, baseOf, type News, newsOf, readingBase } from "./against.ts";
import type { validateCommand as definition } from "./definition.ts";
import { misplacedPolicies, policyNamed, type UsedPolicy } from "./find-policy.ts";
import { accountFindings } from "./policy-accounts.ts";
import {
  acceptances,
  type ReleaseFinding,
  ReleaseSummary,
  type Releases,
  readReleases,
  releaseFindings,
} from "./release-findings.ts";
import { changeJson, changeLines, policyLines, reviewOf, type UsedReview } from "./review.ts";
import { type Searched, sarif } from "./sarif.ts";

type Values = FlagsOf<typeof definition>;

/** `ccf validate DIR...`: exit 0 no errors, 2 errors (with `--strict`, also warnings), 1 could not decide. */
export function validatePackage(values: Values, directories: readonly string[]): number | Promise<number> {
  const options = optionsOf(values);
  if (values["accept-release"] !== undefined) return acceptRelease(values, options, directories);
  if (isFleet(directories, values)) return validateAll(values, options, directories);
  const directory = directories[0] ?? ".";
  const validated = validateOne(options, { directory, path: ".", inside: [] });
  const { findings, count, ofRelease, review } = validated;
  const summarized = new ReleaseSummary();
  summarized.add(validated.directory, ofRelease);
  writeFindings(withoutRelease(findings, ofRelease));
  write(2, summarized.lines());
  write(2, changeLines([review]));
  if (values.output === "text") writeNotes(2, policyLines([review]));
  if (values.output === "sarif") writeJson(sarif([validated]));
  else if (values.output === "json") writeJson(validatedJson(validated));
  else {
    write(1, newsLines(validated));
    writeNotes(1, [summary(count)]);
  }
  return codeOf(values, validated);
}

async function validateAll(values: Values, options: Options, directories: readonly string[]): Promise<number> {
  const single = values.live === undefined ? "install-config" : "live";
  if (values[single] !== undefined) throw new UsageError(`--${single} belongs to one cluster; name only one directory`);
  const all: Validated[] = [];
  const reviews: UsedReview[] = [];
  const states = ["without problems", "with problems of the release only", "with problems"] as const;
  const summarized = new ReleaseSummary();
  // With JSON and SARIF, each finding is in the document.
  const finish = () => {
    write(2, values.output === "text" && !values.quiet ? summarized.lines() : []);
    write(2, changeLines(reviews));
    if (values.output === "text") writeNotes(2, policyLines(reviews));
  };
  const selection = selectPackages(directories, values);
  const comparison = compareClusters(selection, options.today);
  const code = await eachPackage(selection, { ...values, states, comparison, finish }, (place) => {
    const validated = validateOne(options, place, comparison.of(place));
    if (values.output === "sarif") all.push(validated);
    reviews.push(validated.review);
    const { findings, count, items, ofRelease } = validated;
    const code = codeOf(values, validated);
    summarized.add(place.directory, ofRelease);
    const problems = count.errors + count.warnings;
    const isOwn = problems > ofRelease.length || (validated.news?.newlyAccepted.length ?? 0) > 0;
    return {
      code,
      state: isOwn ? states[2] : problems === 0 ? states[0] : states[1],
      lines: [...newsLines(validated), ...(!isOwn || code === 1 ? [] : [summary(count)])],
      findings: withoutRelease(findings, ofRelease),
      json: validatedJson(validated),
      cluster: clusterIn(items),
    };
  });
  // For a code host, a package that is missing from the document has no findings any more.
  if (values.output === "sarif" && all.length === selection.places.length) writeJson(sarif(all));
  return code;
}

/**
 * `ccf validate --accept-release REASON`: writes acceptances of the warnings that come from unchanged requests of a release. An
 * acceptance that has expired is replaced.
 */
function acceptRelease(values: Values, options: Options, directories: readonly string[]): number {
  const reason = (values["accept-release"] ?? "").trim();
  if (!isReadable(reason)) throw new UsageError("--accept-release must give the reason in words");
  if (values["credentials-requests"].length === 0)
    throw new UsageError("--accept-release requires --credentials-requests, which says what the release contains");
  const flag = (["live", "install-config", "strict", "against", "ignore-accept"] as const).find((name) => values[name]);
  if (flag !== undefined) throw new UsageError(`--${flag} has no effect with --accept-release; omit it`);
  if (values.output === "sarif") throw new UsageError('"-o sarif" has no effect with --accept-release; omit it');
  const selection = selectPackages(directories, values);
  showUnchecked(selection, values);
  const plans = selection.places.map((place) =>
    planPackage(place, () => {
      const { ofRelease } = validateOne(options, place);
      const entries = acceptances(ofRelease, reason);
      return {
        shared: [],
        fields: [{ path: acceptPath, value: () => entries, typed: [] }],
        unset: [],
        replacesAccept: false,
      };
    }),
  );
  return writeFields(plans, selection, { check: false, output: values.output });
}

/** What is the same for all packages. */
interface Options {
  readonly releases: Releases;
  readonly installConfig: Item | undefined;
  readonly live: readonly Item[];
  /** The date on which acceptances are judged. */
  readonly today: string;
  readonly documents: PolicyDocuments;
  /** By the title of their cloud. */
  readonly definitions: ReadonlyMap<string, RoleDefinitions>;
  /** The policy that the command line names. */
  readonly policy: UsedPolicy | undefined;
  readonly ignoresAccept: boolean;
  /** The directory with the base. */
  readonly against: string | undefined;
}

function optionsOf(values: Values): Options {
  const { "install-config": config, live, time, "credentials-requests": requests, policy, against } = values;
  const definitions = values["role-definitions"];
  const seconds = time === undefined ? Math.floor(Date.now() / 1000) : readTime(time);
  return {
    releases: readReleases(requests),
    installConfig: config === undefined ? undefined : readInstallConfig(config),
    live: live === undefined ? [] : readLive(live),
    today: new Date(seconds * 1000).toISOString().slice(0, 10),
    policy: policy === undefined ? undefined : policyNamed(policy),
    ignoresAccept: values["ignore-accept"],
    against,
    documents: readPolicyDocuments(values["policy-documents"]),
    definitions: definitions === undefined ? new Map() : readRoleDefinitions(definitions),
  };
}

/** A validated package. */
interface Validated extends Searched {
  readonly findings: readonly Finding[];
  /** Those that come from unchanged requests of a release. */
  readonly ofRelease: readonly ReleaseFinding[];
  readonly count: Count;
  readonly review: UsedReview;
  /** With `--against`, what is new; then the findings are only those. */
  readonly news?: News;
}

/** @param fleetFindings findings about other packages of the run. */
function validateOne(options: Options, place: Place, fleetFindings: readonly Finding[] = []): Validated {
  const { against, installConfig, releases } = options;
  const { directory } = place;
  requireDirectory(directory);
  const base = against === undefined ? undefined : baseOf(against, place.path);
  const review = reviewOf(options, directory, base);
  const judged = { ...options, review };
  const head = findingsIn(judged, directory, place.inside, fleetFindings);
  const { items } = head;
  const news =
    base === undefined
      ? undefined
      : newsOf(
          head,
          readingBase(base, () => (holdsNothing(base) ? undefined : findingsIn(judged, base, place.inside, []))),
        );
  const findings = news?.findings ?? head.findings;
  const ofRelease = releaseFindings(findings, items, releases);
  const count = countOf(findings, news?.newlyAccepted ?? []);
  return { directory, items, installConfig, findings, ofRelease, count, review, ...(news && { news }) };
}

// A package that the change adds.
function holdsNothing(directory: string): boolean {
  if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) return true;
  const pkg = readPackage(directory);
  return pkg.subpackages.length === 0 && !inputOf(pkg).items.some(isRead);
}

interface Judged extends Options {
  readonly review: UsedReview;
}

function findingsIn(
  { installConfig, live, today, review, documents, definitions }: Judged,
  directory: string,
  apart: readonly string[],
  fleetFindings: readonly Finding[],
): { readonly items: readonly Item[]; readonly findings: readonly Finding[] } {
  const pkg = readPackage(directory, apart);
  const input = inputOf(pkg);
  const { items } = input;
  if (installConfig === undefined && !items.some(isRead)) {
    refuseExcluded(pkg);
    // Requests without a ClusterIdentity are checked, too. A directory without any objects may contain packages.
    if (pkg.subpackages.length > 0)
      requirePackage(
        pkg,
        (below) => ["ccf validate", ...packageArguments(below, false)].join(" "),
        ["ccf validate", ...packageArguments(directory, false, true)].join(" "),
      );
    throw new UsageError(
      `${quote(directory)} contains nothing to validate: no ClusterIdentity, CredentialsRequest, ClusterServiceVersion, Secret or rendered file`,
    );
  }
  const beside = {
    live,
    today,
    review,
    documents,
    definitions,
    ...(installConfig === undefined ? {} : { installConfig }),
  };
  const identity = items.find(isClusterIdentity);
  const ofFleet = fleetFindings.flatMap((one) => reviewed(one, identity, review, today));
  const findings = sortFindings([
    ...ofFleet,
    ...misplacedPolicies(items),
    ...accountFindings(items, documents),
    ...packageFindings(pkg, input, beside),
  ]);
  return { items, findings };
}

function withoutRelease(findings: readonly Finding[], ofRelease: readonly ReleaseFinding[]): readonly Finding[] {
  const those = new Set(ofRelease.map(({ finding }) => finding));
  return findings.filter((finding) => !those.has(finding));
}

function validatedJson({ count, findings, ofRelease, review, news }: Validated): ValueMap {
  const releases = new Map(ofRelease.map(({ finding, release }) => [finding, release]));
  const results = findings.map((finding): ValueMap => {
    const [result, release] = [toResult(finding), releases.get(finding)];
    return release === undefined ? result : { ...result, tags: { code: finding.code, release } };
  });
  const compared =
    news === undefined ? {} : { against: { known: news.known, acceptances: news.acceptances, ...changeJson(review) } };
  return { ...count, findings: results, policy: review.policy?.file ?? null, ...compared };
}

function codeOf({ strict }: Values, { findings, count }: Validated): 0 | 1 | 2 {
  // An object without a clear value was not checked.
  if (findings.some(({ code }) => code === "yaml-value")) return 1;
  return count.errors > 0 || (strict && count.warnings > 0) ? 2 : 0;
}

const readKinds = new Set([
  "ClusterIdentity",
  "CredentialsRequest",
  "ClusterServiceVersion",
  "Secret",
  "Authentication",
]);

function isRead({ kind, annotations }: Resource): boolean {
  return readKinds.has(kind) || annotations.has(generatedBy);
}

interface Count {
  readonly errors: number;
  readonly warnings: number;
  readonly accepted: number;
}

// A new acceptance counts like the finding that it accepts: otherwise a change could accept its own errors.
function countOf(findings: readonly Finding[], newlyAccepted: readonly Finding[]): Count {
  const count = (of: "error" | "warning") =>
    findings.filter(({ severity }) => severity === of).length +
    newlyAccepted.filter(({ acceptance }) => acceptance?.severity === of).length;
  return {
    errors: count("error"),
    warnings: count("warning"),
    accepted: findings.filter(({ accepted }) => accepted !== undefined).length,
  };
}

function summary({ errors, warnings, accepted }: Count): string {
  const said = [`${errors} error${errors === 1 ? "" : "s"}`, `${warnings} warning${warnings === 1 ? "" : "s"}`];
  return `${said.join(", ")}, ${accepted} accepted.`;
}

function newsLines({ news }: Validated): string[] {
  if (news === undefined) return [];
  const known = news.known === 1 ? "1 finding is" : `${news.known} findings are`;
  return [...news.acceptances.map(acceptanceLine), ...(news.known === 0 ? [] : [`${known} in the base, too.`])];
}

/**
 * The objects of a cluster, from the output of `oc get -o yaml` or `-o json`: a list, or a stream of objects or lists.
 * @param path of a file, or `-` for standard input.
 */
function readLive(path: string): Item[] {
  const name = `--live ${quote(path)}`;
  const source = sourceOf(name, path === "-" ? readStandardInput() : bytesOf(name, path));
  const items = documents(source)
    .flatMap((node) => elementsOf(source, node))
    .map((node) => readItem(source, node));
  const objects = items.filter(({ kind, name }) => kind !== "" && name !== "");
  if (objects.length === 0)
    throw new UsageError(`${name} contains no objects, but must be the output of "oc get ... -o yaml"`);
  return objects;
}

/** An install-config in the form of an object of the kind InstallConfig. */
function readInstallConfig(path: string): Item {
  const name = `--install-config ${quote(path)}`;
  const source = sourceOf(name, bytesOf(name, path));
  const [node, ...more] = documents(source);
  if (!isMapping(source, node) || more.length > 0)
    throw new UsageError(`${name} must contain one mapping, as install-config.yaml does`);
  const shown = relative("", path).split(sep).join("/");
  return { ...readItem(source, node, { path: shown, index: 0 }), apiVersion: "v1", kind: "InstallConfig" };
}
