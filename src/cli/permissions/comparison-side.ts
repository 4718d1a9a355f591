import { dirname, join } from "node:path";
import { validators } from "../../../functions/validators.ts";
import { isIdentity, readIdentity } from "../../clouds/index.ts";
import type { DescribedRole, Inspector } from "../../clouds/inspector.ts";
import { inspectorFor, inspectors, readRendered, roleDefinitionsOf } from "../../clouds/inspectors.ts";
import { bundlesAmong, bundlesOfFiles, type RenderedBundle } from "../../clouds/rendered.ts";
import { type Finding, finding, hasError } from "../../core/finding.ts";
import { readJson } from "../../core/json.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import {
  type ClusterContext,
  clusterContext,
  comparedIdentities,
  operatorsAmong,
  requestedIdentities,
} from "../../diff/identities.ts";
import type { Contents } from "../../diff/values.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import type { Item } from "../../krm/item.ts";
import type { CloudIdentity } from "../../permissions/identity.ts";
import type { RoleDefinition, RoleDefinitions } from "../../permissions/terms.ts";
import { isCredentialsRequest } from "../../requests/credentials-request.ts";
import { isFeatureGate, isReleaseFeatureGate } from "../../requests/feature-gates.ts";
import { isIdentityBundle } from "../../rules/cloud.ts";
import { namesIn } from "../files/directory.ts";
import { statOf } from "../files/paths.ts";
import { readText } from "../files/read-bytes.ts";
import { bytesOf, misplacedIn, objectsOf, type PackageFile } from "../files/read-objects.ts";
import { type Package, readPackage, unreadParts } from "../package/package-files.ts";
import { isExport, readExport } from "../package/read-export.ts";
import { planRender } from "../package/render-plan.ts";
import { manifestsOf } from "../package/rendered-directory.ts";
import { notRendered } from "../package/rendered-files.ts";
import type { NextRelease, PreviousRelease } from "../release/capabilities.ts";
import { isReleaseFile, type ReleaseFacts, readReleaseFacts } from "../release/release-directory.ts";
import { renderCommandLine } from "../terminal/arguments.ts";
import { FindingsError, skippedAsErrors, throwErrors, UsageError } from "../terminal/errors.ts";
import { exportContents, packageContents } from "./contents.ts";

/** One side of a comparison. */
export interface Side {
  /** Whether its roles are rendered. Otherwise it has requests, and a cluster decides which of them are included. */
  readonly isRendered: boolean;
  /** The cloud that it was rendered for; undefined for requests, which may be for several clouds. */
  readonly inspector: Inspector | undefined;
  /** The URL of its issuer; undefined for requests, and if no file names it. */
  readonly issuer: string | undefined;
  /** Everything that it contains; undefined for requests. */
  readonly contents: Contents | undefined;
  /** Errors if it is not what a render makes of its sources; it is compared as it is. */
  readonly stateFindings: readonly Finding[];
  /** The keys of its roles of OLM operators, whose requests are not in any release. */
  readonly operators: ReadonlySet<string>;
  /** The context of its own ClusterIdentity. */
  readonly context: ClusterContext | undefined;
  /** Its objects: of a package, its requests and the gates of its release. */
  readonly items: readonly Item[];
  /** What is known about its release; undefined if the side is not the directory of a release. */
  readonly release: (ReleaseFacts & NextRelease) | undefined;
  identities(context: ClusterContext): {
    readonly identities: readonly CloudIdentity[];
    readonly findings: readonly Finding[];
  };
}

/**
 * Reads one side: an export, a rendered package, a directory or a file of requests.
 *
 * @param apart packages inside it that are compared by themselves, relative to it.
 * @param more what belongs to the release of requests.
 * @throws UsageError if it is none of these.
 * @throws FindingsError if a part of it cannot be read, or if it was edited since it was exported.
 */
export function readSide(path: string, apart: readonly string[] = [], more: OfRelease = {}): Side {
  const stat = statOf(path);
  if (stat?.isDirectory() === true && isExport(path)) return exportSide(path);
  if (stat?.isDirectory() !== true && stat?.isFile() !== true)
    throw new UsageError(`${quote(path)} is not a directory or a file`);
  const pkg = stat.isFile() ? alone(path) : readSideDirectory(path, apart);
  refuseUnread(pkg);
  const items = pkg.files.flatMap((file) => file.items);
  const asks = items.some(isCredentialsRequest);
  // A package for the issuer alone has no requests.
  if (items.some((item) => isRole(item.path ?? "")) || (!asks && bundlesAmong(items).length > 0))
    return packageSide(pkg, items);
  if (asks) {
    const facts = stat.isFile() ? noFacts : readReleaseFacts(quote(path), path);
    return requestsSide([...items, ...(more.featureGates ?? [])], { ...facts, previous: more.previous });
  }
  const misplaced = items.flatMap(misplacedIn);
  if (misplaced.length > 0) throw new FindingsError(misplaced);
  throw new UsageError(`${quote(path)} contains no CredentialsRequests and no rendered roles`);
}

/** What belongs to a release beside its requests. */
export interface OfRelease {
  /** FeatureGate objects from elsewhere. */
  readonly featureGates?: readonly Item[];
  /** The release before. */
  readonly previous?: PreviousRelease | undefined;
}

const noFacts: ReleaseFacts = { version: undefined, index: undefined };

// The directory of a release also contains files about the release that are not Kubernetes objects.
function readSideDirectory(path: string, apart: readonly string[] = []): Package {
  const pkg = readPackage(path, apart);
  return { ...pkg, findings: pkg.findings.filter(({ file }) => !isReleaseFile(file?.path ?? "")) };
}

// A file that cannot be read may ask for more than all others.
function refuseUnread(pkg: Package): void {
  const findings = [
    ...pkg.findings.map((finding) => ({ ...finding, severity: "error" as const })),
    ...unreadParts(pkg, "error", "compare it by itself, or move it out"),
  ];
  if (findings.length > 0) throw new FindingsError(findings);
}

/** The FeatureGate objects of a file, or of a directory such as the manifests of a release. */
export function readFeatureGates(path: string): Item[] {
  const isDirectory = statOf(path)?.isDirectory() === true;
  const files = isDirectory ? filesOf(path) : [objectsOf(path, bytesOf(quote(path), path), "file")];
  const found = files.flatMap((file) => file.items.filter(isFeatureGate));
  if (found.length === 0) throw new UsageError(`${quote(path)} contains no FeatureGate`);
  return found;
}

// A gate that was not read would count as off.
function filesOf(directory: string): readonly PackageFile[] {
  const { files, findings } = readSideDirectory(directory);
  throwErrors(skippedAsErrors(findings));
  return files;
}

function alone(path: string): Package {
  const file = objectsOf(path, bytesOf(quote(path), path), "file");
  return { directory: dirname(path), files: [file], subpackages: [], findings: [] };
}

/** The context of the one ClusterIdentity among items, or undefined if there is none. */
export function contextAmong(items: readonly Item[]): ClusterContext | undefined {
  if (!items.some(isClusterIdentity)) return undefined;
  const identity = readIdentity(items, undefined);
  if (!isIdentity(identity)) throw new FindingsError(identity);
  return clusterContext(identity, inspectorFor(identity));
}

function requestsSide(all: readonly Item[], facts: ReleaseFacts & Pick<NextRelease, "previous">): Side {
  const context = contextAmong(all);
  // Beside the requests of a release, a dump of a cluster says what the cluster's current release enables.
  const items = context === undefined ? all.filter((item) => !isFeatureGate(item) || isReleaseFeatureGate(item)) : all;
  return {
    isRendered: false,
    inspector: undefined,
    issuer: undefined,
    contents: undefined,
    stateFindings: [],
    operators: new Set(),
    context,
    items,
    release: context === undefined ? { ...facts, items } : undefined,
    identities: (context) => requestedIdentities(items, inspectors, context),
  };
}

function packageSide(pkg: Package, items: readonly Item[]): Side {
  const side = renderedSideOf(items);
  return {
    ...side,
    ...(side.context === undefined ? {} : { stateFindings: stateOf(pkg) }),
    contents: side.inspector && packageContents(pkg, items, side.inspector),
  };
}

/** The objects of a rendered package as a side. */
export function renderedSideOf(items: readonly Item[]): Side {
  return renderedSide(bundlesAmong(items), items, contextAmong(items));
}

function renderedSide(
  bundles: readonly RenderedBundle[],
  items: readonly Item[],
  context: ClusterContext | undefined,
): Side {
  const { inspector, issuer, rendered, ...all } = readIdentities(bundles, items);
  return {
    isRendered: true,
    inspector,
    issuer,
    contents: undefined,
    stateFindings: [],
    operators: operatorsAmong(rendered),
    context,
    ...{ items, release: undefined },
    identities: () => all,
  };
}

function readIdentities(bundles: readonly RenderedBundle[], items: readonly Item[]) {
  const found = readRendered(bundles);
  const { identities: rendered = [], findings = [] } = found?.cluster ?? {};
  const identities = found === undefined ? [] : comparedIdentities(rendered, items, found.inspector);
  const url = found?.cluster.issuers[0]?.url;
  return { inspector: found?.inspector, issuer: url && `https://${url}`, rendered, identities, findings };
}

function isRole(path: string): boolean {
  return inspectors.some((inspector) => isIdentityBundle(inspector, path));
}

// What is compared is what is in the package, even if it is not what a render makes of it.
function stateOf(pkg: Package): readonly Finding[] {
  const plan = planRender(pkg, { onlyOurs: true, validators });
  if (hasError(plan.findings)) return plan.findings.filter(({ severity }) => severity === "error");
  if (plan.changes.length === 0) return [];
  const cure = `Run "${renderCommandLine(pkg.directory)}" first`;
  return [notRendered(plan.changes, "the comparison is of what is in it", cure)];
}

function exportSide(directory: string): Side {
  const files = readExport(directory);
  const manifests = [...manifestsOf(directory, "manifests"), ...manifestsOf(directory, "operators")];
  const side = renderedSide(bundlesOfFiles(files), manifests, undefined);
  return { ...side, contents: side.inspector && exportContents(files, manifests, side.inspector) };
}

/** The definitions that a comparison uses: those in the directory of `--role-definitions`, if given, and those of the program. */
export function definitionsIn(directory: string | undefined): ReturnType<typeof roleDefinitionsOf> {
  return roleDefinitionsOf(directory === undefined ? undefined : readRoleDefinitions(directory));
}

/**
 * Reads the definitions of roles in the JSON files of a directory, by the title of their cloud: for each role the output of the
 * cloud's own command.
 *
 * @throws UsageError if it is not a directory, or contains no JSON file.
 * @throws FindingsError if one of them cannot be used: without it, a role would be compared by another definition.
 */
export function readRoleDefinitions(directory: string): ReadonlyMap<string, RoleDefinitions> {
  const name = `--role-definitions ${quote(directory)}`;
  if (statOf(directory)?.isDirectory() !== true) throw new UsageError(`${name} is not a directory`);
  const files = namesIn(directory).filter((file) => file.endsWith(".json"));
  if (files.length === 0) throw new UsageError(`${name} contains no JSON file; ${cure}`);
  const definitions = new Map<string, Map<string, RoleDefinition>>();
  const findings: Finding[] = [];
  for (const path of files.map((file) => join(directory, file))) {
    const found = readDefinition(path);
    if (typeof found === "string") {
      findings.push(invalid(path, found, cure));
      continue;
    }
    const { title, names, ...role } = found;
    const ofCloud = definitions.get(title) ?? new Map<string, RoleDefinition>();
    definitions.set(title, ofCloud);
    const name = names.find((one) => ofCloud.has(one));
    const other = name === undefined ? undefined : ofCloud.get(name)?.file;
    if (name !== undefined && other !== undefined)
      findings.push(invalid(path, `defines ${quote(name)}, and so does ${quoteWhole(other)}`, "remove one of the two"));
    else for (const one of names) ofCloud.set(one, { ...role, file: path });
  }
  if (findings.length > 0) throw new FindingsError(findings);
  return definitions;
}

function readDefinition(path: string): (DescribedRole & { readonly title: string }) | string {
  if (statOf(path)?.isFile() !== true) return "is not a file";
  const reading = readJson(readText(path) ?? "");
  if ("problem" in reading) return reading.problem;
  for (const { title, roles } of tables) {
    const answer = roles.read(reading.value);
    if (answer !== undefined) return typeof answer === "string" ? answer : { title, ...answer };
  }
  return "is not the definition of a role";
}

const tables = inspectors.flatMap(({ title, features: { roles } }) => (roles === undefined ? [] : [{ title, roles }]));
const cure = `save the output of "${tables.map(({ roles }) => roles.command).join('" or "')}" there`;

function invalid(path: string, problem: string, cure: string): Finding {
  return finding("error", "role-definition-invalid", `${quoteWhole(path)} ${problem}; ${cure}.`);
}
