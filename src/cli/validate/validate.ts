import { relative, sep } from "node:path";
import type { Finding } from "../../core/finding.ts";
import { generatedBy, type Resource, type ValueMap } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { sortFindings, toResult } from "../../krm/results.ts";
import { isReadable } from "../../rules/accept-in-config.ts";
import { documents, isMapping } from "../../yaml/source.ts";
import type { FlagsOf } from "../definition.ts";
import { readStandardInput } from "../files/read-bytes.ts";
import { bytesOf, elementsOf, sourceOf } from "../files/read-objects.ts";
import { compareClusters } from "../fleet/compare-clusters.ts";
import { clusterIn, eachPackage, showUnchecked } from "../fleet/each-package.ts";
import { isFleet } from "../fleet/flags.ts";
import { selectPackages } from "../fleet/select-packages.ts";
import { writeFields } from "../fleet/write-fields.ts";
import { acceptPath } from "../package/acceptances.ts";
import { readPackage, refuseExcluded, requirePackage } from "../package/package-files.ts";
import { inputOf, packageFindings } from "../package/package-findings.ts";
import { planPackage } from "../package/plan-set.ts";
import { packageArguments, readTime } from "../terminal/arguments.ts";
import { UsageError } from "../terminal/errors.ts";
import { write, writeFindings, writeJson, writeNotes } from "../terminal/output.ts";
import type { validateCommand as definition } from "./definition.ts";
import {
  acceptances,
  type ReleaseFinding,
  ReleaseSummary,
  type Releases,
  readReleases,
  releaseFindings,
} from "./release-findings.ts";
import { type Searched, sarif } from "./sarif.ts";

type Values = FlagsOf<typeof definition>;

/** `ccf validate DIR...`: exit 0 no errors, 2 errors (with `--strict`, also warnings), 1 could not decide. */
export function validatePackage(values: Values, directories: readonly string[]): number | Promise<number> {
  const options = optionsOf(values);
  if (values["accept-release"] !== undefined) return acceptRelease(values, options, directories);
  if (isFleet(directories, values)) return validateAll(values, options, directories);
  const validated = validateOne(options, directories[0] ?? ".");
  const { findings, count, ofRelease } = validated;
  const summarized = new ReleaseSummary();
  summarized.add(validated.directory, ofRelease);
  writeFindings(withoutRelease(findings, ofRelease));
  write(2, summarized.lines());
  if (values.output === "sarif") writeJson(sarif([validated]));
  else if (values.output === "json") writeJson(validatedJson(validated));
  else writeNotes(1, [summary(count)]);
  return codeOf(values, validated);
}

async function validateAll(values: Values, options: Options, directories: readonly string[]): Promise<number> {
  const single = values.live === undefined ? "install-config" : "live";
  if (values[single] !== undefined) throw new UsageError(`--${single} belongs to one cluster; name only one directory`);
  const all: Validated[] = [];
  const states = ["without problems", "with problems of the release only", "with problems"] as const;
  const summarized = new ReleaseSummary();
  // With JSON and SARIF, each finding is in the document.
  const finish = () => write(2, values.output === "text" && !values.quiet ? summarized.lines() : []);
  const selection = selectPackages(directories, values);
  const comparison = compareClusters(selection, options.today);
  const code = await eachPackage(selection, { ...values, states, comparison, finish }, (place) => {
    const validated = validateOne(options, place.directory, place.inside, comparison.of(place));
    if (values.output === "sarif") all.push(validated);
    const { findings, count, items, ofRelease } = validated;
    const code = codeOf(values, validated);
    summarized.add(place.directory, ofRelease);
    const problems = count.errors + count.warnings;
    const isOwn = problems > ofRelease.length;
    return {
      code,
      state: problems === 0 ? states[0] : isOwn ? states[2] : states[1],
      lines: !isOwn || code === 1 ? [] : [summary(count)],
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
  const flag = (["live", "install-config", "strict"] as const).find((name) => values[name]);
  if (flag !== undefined) throw new UsageError(`--${flag} has no effect with --accept-release; omit it`);
  if (values.output === "sarif") throw new UsageError('"-o sarif" has no effect with --accept-release; omit it');
  const selection = selectPackages(directories, values);
  showUnchecked(selection, values);
  const plans = selection.places.map((place) =>
    planPackage(place, () => {
      const { ofRelease } = validateOne(options, place.directory, place.inside);
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
}

function optionsOf({ "install-config": config, live, time, "credentials-requests": requests }: Values): Options {
  const seconds = time === undefined ? Math.floor(Date.now() / 1000) : readTime(time);
  return {
    releases: readReleases(requests),
    installConfig: config === undefined ? undefined : readInstallConfig(config),
    live: live === undefined ? [] : readLive(live),
    today: new Date(seconds * 1000).toISOString().slice(0, 10),
  };
}

/** A validated package. */
interface Validated extends Searched {
  readonly findings: readonly Finding[];
  /** Those that come from unchanged requests of a release. */
  readonly ofRelease: readonly ReleaseFinding[];
  readonly count: Count;
}

/** @param fleetFindings findings about other packages of the run. */
function validateOne(
  options: Options,
  directory: string,
  apart: readonly string[] = [],
  fleetFindings: readonly Finding[] = [],
): Validated {
  const { installConfig, live, today, releases } = options;
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
  const beside = { live, today, ...(installConfig === undefined ? {} : { installConfig }) };
  const findings = sortFindings([...fleetFindings, ...packageFindings(pkg, input, beside)]);
  const ofRelease = releaseFindings(findings, items, releases);
  return { directory, items, installConfig, findings, ofRelease, count: countOf(findings) };
}

function withoutRelease(findings: readonly Finding[], ofRelease: readonly ReleaseFinding[]): readonly Finding[] {
  const those = new Set(ofRelease.map(({ finding }) => finding));
  return findings.filter((finding) => !those.has(finding));
}

function validatedJson({ count, findings, ofRelease }: Validated): ValueMap {
  const releases = new Map(ofRelease.map(({ finding, release }) => [finding, release]));
  const results = findings.map((finding): ValueMap => {
    const [result, release] = [toResult(finding), releases.get(finding)];
    return release === undefined ? result : { ...result, tags: { code: finding.code, release } };
  });
  return { ...count, findings: results };
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

function countOf(findings: readonly Finding[]): Count {
  return {
    errors: findings.filter(({ severity }) => severity === "error").length,
    warnings: findings.filter(({ severity }) => severity === "warning").length,
    accepted: findings.filter(({ accepted }) => accepted !== undefined).length,
  };
}

function summary({ errors, warnings, accepted }: Count): string {
  const said = [`${errors} error${errors === 1 ? "" : "s"}`, `${warnings} warning${warnings === 1 ? "" : "s"}`];
  return `${said.join(", ")}, ${accepted} accepted.`;
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
