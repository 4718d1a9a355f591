import { type Finding, finding, hasError } from "../../core/finding.ts";
import { groupOf, type ValueMap } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";
import { compareText, printable, quote } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { sortFindings, toResult } from "../../krm/results.ts";
import { neverPruned } from "../../openshift/config-objects.ts";
import { applyEdits } from "../../yaml/edit.ts";
import { emitYaml } from "../../yaml/emit.ts";
import { setField } from "../../yaml/set-field.ts";
import type { FlagsOf } from "../definition.ts";
import { statOf } from "../files/paths.ts";
import { type FileChange, writeFiles, writeProblems } from "../files/write-files.ts";
import { eachPackage } from "../fleet/each-package.ts";
import { isFleet } from "../fleet/flags.ts";
import { type Place, selectPackages } from "../fleet/select-packages.ts";
import type { ExportedFile } from "../package/export-files.ts";
import { type Package, readPackage, requirePackage } from "../package/package-files.ts";
import { renderedFiles } from "../package/rendered-files.ts";
import {
  type AppliedStatus,
  type Results,
  readResults,
  readStatus,
  resultFor,
  statusProblem,
} from "../package/status-result.ts";
import { type ComparedRelease, lacksOf, readComparedRelease } from "../permissions/lacks.ts";
import { packageArguments } from "../terminal/arguments.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeFindings, writeJson, writeNotes } from "../terminal/output.ts";
import type { upgradeableToCommand as definition } from "./definition.ts";

/** The annotation without which a cluster in manual mode does not upgrade (OpenShift documentation, "Preparing to update a cluster with manually maintained credentials"). */
const upgradeableTo = "cloudcredential.openshift.io/upgradeable-to";

/**
 * `ccf upgradeable-to VERSION --status FILE DIR...`: writes the annotation that allows a cluster to upgrade, if the cloud was
 * found in sync with the package. Exit 0 written or already present, 2 refused, 1 could not decide.
 */
export function writeUpgradeableTo(
  values: FlagsOf<typeof definition>,
  given: string,
  directories: readonly string[],
): number | Promise<number> {
  const version = /^((?:0|[1-9]\d{0,2})\.(?:0|[1-9]\d{0,3}))(?:\.\d+\S*)?$/.exec(given)?.[1];
  if (version === undefined) throw new UsageError(`${quote(given)} is not a version such as "4.20"`);
  if (values.status === undefined)
    throw new UsageError(
      '--status FILE is required; "ccf status --result FILE" writes it, or "ccf status --results DIR" for several packages',
    );
  const results = readResult(values.status);
  if ("severity" in results) {
    writeFindings([results]);
    return 1;
  }
  if (values["previous-release"] !== undefined && values["credentials-requests"] === undefined)
    throw new UsageError("--previous-release requires --credentials-requests; add it, or omit --previous-release");
  const wanted: Wanted = { values, given, version, results, release: releaseIn(values) };
  if (isFleet(directories, values)) return allowAll(wanted, directories);
  const [directory = "."] = directories;
  const allowed = allow(wanted, { directory, inside: [] });
  writeFindings(sortFindings(allowed.findings));
  if (values.output === "json") writeJson(allowedJson(wanted, allowed));
  else writeNotes(1, allowed.lines);
  return allowed.code;
}

function allowAll(wanted: Wanted, directories: readonly string[]): Promise<number> {
  const { output, quiet } = wanted.values;
  const showing = { output, quiet, states: ["allowed", refused] };
  return eachPackage(selectPackages(directories, wanted.values), showing, (place) => {
    const allowed = allow(wanted, place);
    const { code, findings, lines } = allowed;
    const state = code === 2 ? refused : "allowed";
    return { code, state, lines, findings: sortFindings(findings), json: allowedJson(wanted, allowed), cluster: {} };
  });
}

function allowedJson({ version }: Wanted, { code, findings }: Allowed): ValueMap {
  return { version, allowed: code === 0, findings: sortFindings(findings).map(toResult) };
}

const refused = "refused";

/** What is the same for all packages. */
interface Wanted {
  readonly values: FlagsOf<typeof definition>;
  /** The version as the user wrote it, and without its patch. */
  readonly given: string;
  readonly version: string;
  readonly results: Result;
  /** The requests of `--credentials-requests`, read when a package needs them. */
  readonly release: () => ComparedRelease | undefined;
}

/** What happened to a package. */
interface Allowed {
  readonly code: 0 | 1 | 2;
  readonly findings: readonly Finding[];
  readonly lines: readonly string[];
}

/** The result in a file, or those in a directory. */
type Result = { readonly one: AppliedStatus } | { readonly directory: string; readonly all: Results };

function readResult(path: string): Result | Finding {
  if (statOf(path)?.isDirectory() === true) return { directory: path, all: readResults(path) };
  const one = readStatus(path);
  return "severity" in one ? one : { one };
}

function releaseIn(values: FlagsOf<typeof definition>): () => ComparedRelease | undefined {
  const path = values["credentials-requests"];
  let release: ComparedRelease | undefined;
  return () => {
    if (path !== undefined)
      release ??= readComparedRelease(path, values["role-definitions"], values["previous-release"]);
    return release;
  };
}

function allow({ values, given, version, results, release }: Wanted, { directory, inside }: PackageAt): Allowed {
  const pkg = readPackage(directory, inside);
  requirePackage(pkg, (below) => commandFor(given, below, values));
  const unrendered = { so: "it is unknown whether it was applied", cure: "apply it" };
  const { files, findings } = renderedFiles(pkg, values["only-ours"], unrendered);
  const failed = (reasons: readonly Finding[], code: 1 | 2): Allowed => {
    return { code, findings: [...reasons, ...stillAllowed(pkg, version)], lines: [] };
  };
  if (hasError(findings)) return failed(findings, 1);
  const problem = resultProblem(results, files);
  if (problem !== undefined) return failed([problem], 2);
  const requests = release();
  const { findings: requestFindings, missingFindings } =
    requests === undefined ? { findings: [], missingFindings: [] } : lacking(pkg, requests, given);
  if (hasError(requestFindings)) return failed(requestFindings, 1);
  const unknownFindings = findings.filter(({ code }) => code === "feature-gate-unknown").map(asError);
  if (missingFindings.length + unknownFindings.length > 0) return failed([...missingFindings, ...unknownFindings], 2);
  const allowed = annotate(pkg, version);
  const doubts = requestFindings.filter(({ code }) => code === "capabilities-by-requests");
  return { ...allowed, findings: [...allowed.findings, ...doubts] };
}

// The annotation of an earlier run outlives a refusal.
function stillAllowed(pkg: Package, version: string): Finding[] {
  return credentialsIn(pkg)
    .filter(({ annotations }) => annotations.get(upgradeableTo) === version)
    .map((resource) => {
      const message = `The package still contains the annotation that allows the cluster to upgrade to ${version}. Remove it and apply the file, unless the upgrade has started.`;
      return finding("warning", "upgrade-still-allowed", message, {
        resource,
        field: `metadata.annotations[${upgradeableTo}]`,
      });
    });
}

function credentialsIn({ files }: Package): Item[] {
  return files
    .flatMap(({ items }) => items)
    .filter(
      ({ kind, name, apiVersion }) =>
        kind === "CloudCredential" && name === "cluster" && groupOf(apiVersion) === "operator.openshift.io",
    );
}

type PackageAt = Pick<Place, "directory" | "inside">;

function resultProblem(results: Result, files: readonly ExportedFile[]): Finding | undefined {
  const now = new Date();
  if ("one" in results) return statusProblem(results.one, files, now);
  const result = resultFor(results.all, files);
  if (result !== undefined) return statusProblem(result, files, now, true);
  const message = `No result in ${quote(results.directory)} is for this package as it is now; apply the package, and then run "ccf status --results DIR".`;
  return finding("error", "status-of-another-package", message);
}

function commandFor(version: string, directory: string, flags: FlagsOf<typeof definition>): string {
  const paths = (["status", "credentials-requests", "previous-release", "role-definitions"] as const).flatMap(
    (flag) => {
      const path = flags[flag];
      return path === undefined ? [] : [`--${flag}`, shellWord(path)];
    },
  );
  return ["ccf upgradeable-to", version, ...paths, ...packageArguments(directory, flags["only-ours"])].join(" ");
}

// Permissions that the requests of a release ask for and the rendered identities do not have.
function lacking(
  pkg: Package,
  release: ComparedRelease,
  version: string,
): { findings: readonly Finding[]; missingFindings: Finding[] } {
  const { findings, lacks } = lacksOf(
    pkg.files.flatMap((file) => file.items),
    release,
  );
  const missingFindings = lacks.map(({ secret, noun, change, gates = [] }) => {
    if (change === "unknown") return unknownRequest(secret, gates, version);
    const lack = {
      new: `${printable(secret)} has no ${noun}`,
      more: `${printable(secret)} asks for more than its ${noun} has`,
      undecided: `It is undecided whether ${printable(secret)} asks for more than its ${noun} has`,
    }[change];
    const message = `${lack} in the requests for ${version}; "ccf diff" shows the difference. Bring the requests into the package with "ccf update-requests", then render, export and apply it.`;
    return finding("error", "permissions-missing", message);
  });
  return { findings, missingFindings };
}

function asError(found: Finding): Finding {
  return { ...found, severity: "error" };
}

// Upgraded, the cluster may have a request without an identity and a Secret.
function unknownRequest(secret: string, gates: readonly string[], version: string): Finding {
  const names = `the feature ${gates.length === 1 ? "gate" : "gates"} ${gates.map(quote).join(", ")}`;
  const message = `${printable(secret)} depends on ${names} in the requests for ${version}, and it is unknown whether the release enables ${gates.length === 1 ? "it" : "them"}. Add the release's FeatureGate manifests, as described for this code, or list each gate in "spec.release.featureGates".`;
  return finding("error", "feature-gate-unknown", message);
}

/** The file of the annotated object in a package that has none yet. */
const path = "manifests/cluster-cloudcredential.yaml";

function annotate(pkg: Package, version: string): Allowed {
  const present = credentialsIn(pkg);
  if (present.length > 1)
    throw new UsageError(
      `CloudCredential "cluster" appears ${present.length} times in the package (${present
        .map((item) => quote(item.path))
        .sort(compareText)
        .join(", ")}); a cluster has exactly one, so remove all but one`,
    );
  const [item] = present;
  const changes = [item === undefined ? added(pkg, version) : changed(item, version)].filter(
    (change) => change.after !== change.before,
  );
  const target = { directory: pkg.directory, command: "render" } as const;
  const findings = writeProblems(target, changes);
  if (hasError(findings)) return { code: 1, findings, lines: [] };
  writeFiles(target, [{ changes }]);
  const said = item?.annotations.get(upgradeableTo);
  const already = changes.length === 0 ? "already " : "";
  const instead = changes.length === 0 || said === undefined ? "" : ` instead of ${printable(said)}`;
  const file = printable(item?.path ?? path);
  const line = `${file}: ${already}allows the cluster to upgrade to ${version}${instead}, once the file is applied.`;
  return { code: 0, findings: [], lines: [line, ...unprotected(file, item)] };
}

// An object written by a user stays theirs; the user knows which tools delete objects in the cluster.
function unprotected(file: string, item: Item | undefined): string[] {
  const keys = Object.keys(neverPruned);
  if (item === undefined || keys.some((key) => item.annotations.has(key))) return [];
  const named = Object.entries(neverPruned).map(([key, value]) => `${key}: ${value}`);
  return [
    `${file}: the object was written by hand. If the file is removed, Argo CD, kpt or Flux may delete the object. To prevent that, add the annotations ${named.join("; ")}.`,
  ];
}

function added({ files }: Package, version: string): FileChange {
  const taken = files.find((file) => file.path === path);
  if (taken !== undefined)
    throw new UsageError(`${quote(path)} does not contain CloudCredential "cluster"; move it away`);
  const object = {
    apiVersion: "operator.openshift.io/v1",
    kind: "CloudCredential",
    metadata: { name: "cluster", annotations: { ...neverPruned, [upgradeableTo]: version } },
    spec: {},
  };
  return { path, before: undefined, after: emitYaml(object) };
}

function changed(item: Item, version: string): FileChange {
  const { text } = item.source;
  const edits = setField(item, { resource: item, path: ["metadata", "annotations", upgradeableTo], value: version });
  return { path: item.path ?? path, before: text, after: applyEdits(text, edits) };
}
