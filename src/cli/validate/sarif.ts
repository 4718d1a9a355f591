import { relative, sep } from "node:path";
import type { Finding } from "../../core/finding.ts";
import { sha256 } from "../../core/hash.ts";
import { describe, firstByKey, type Value, type ValueMap } from "../../core/resource.ts";
import { compareText, withoutSecrets } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { lineOf } from "../../krm/line.ts";
import { type ExplainedCode, explained, explainedRules, home } from "../all-findings.ts";
import { isInside } from "../files/paths.ts";
import { version } from "../terminal/version.ts";
import { policyNames, type UsedReview } from "./review.ts";

/** What was searched for findings. */
export interface Searched {
  /** The package's directory, as it was typed. */
  readonly directory: string;
  readonly items: readonly Item[];
  readonly installConfig: Item | undefined;
}

const rulesByCode = new Map(explainedRules.map((rule) => [rule.code, rule]));

/** The base of every path: the working directory, which a code host treats as the repository's root. */
const base = "SRCROOT";

const levels = { error: "error", warning: "warning", info: "note" } as const;

/** Findings, and what was searched for them. */
export interface Judged extends Searched {
  readonly findings: readonly Finding[];
  readonly review: UsedReview;
}

/**
 * Findings in the format that code hosts read (OASIS, "Static Analysis Results Interchange Format Version 2.1.0"): one run for
 * all packages, because hosts limit the number of runs. An accepted finding is a result with a suppression.
 */
export function sarif(packages: readonly Judged[]): ValueMap {
  const descriptors = descriptorsFor(packages.flatMap(({ findings }) => findings));
  const places = new Map(descriptors.map(({ id }, index) => [id, index]));
  const [first, ...more] = packages;
  // Code hosts distinguish analyses by the text before the last slash.
  const category = first === undefined || more.length > 0 ? "" : packagePath(first.directory);
  const run = {
    tool: {
      driver: { name: "ccf", informationUri: home, semanticVersion: version, rules: descriptors },
    },
    automationDetails: { id: `ccf/${category}` },
    originalUriBaseIds: { [base]: { description: { text: "The directory in which ccf was run." } } },
    columnKind: "utf16CodeUnits",
    properties: { policies: policyNames(packages.map(({ review }) => review)) },
    results: packages.flatMap((one) => {
      // Fingerprints need the package only among others.
      const printed = new Printed(more.length > 0 ? packagePath(one.directory) : "");
      const locate = locator(one);
      return one.findings.map((finding) => result(finding, locate, places, printed));
    }),
  };
  return { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
}

interface Descriptor extends ValueMap {
  readonly id: string;
}

// Every rule, with or without violations, and the codes of all other findings of this run.
function descriptorsFor(findings: readonly Finding[]): Descriptor[] {
  const others = new Set(findings.map(({ code }) => code).filter((code) => !rulesByCode.has(code)));
  return [...explainedRules, ...[...others].flatMap((code) => explained(code) ?? [])]
    .map(descriptor)
    .sort((a, b) => compareText(a.id, b.id));
}

function descriptor({ code, severity, summary, cause, cure, page }: ExplainedCode): Descriptor {
  return {
    id: code,
    shortDescription: { text: escaped(summary) },
    fullDescription: { text: escaped(cause) },
    helpUri: page,
    help: { text: escaped(`${cause} Fix: ${cure}`), markdown: escaped(`${cause}\n\n**Fix:** ${cure}`) },
    defaultConfiguration: { level: levels[severity] },
  };
}

function result(
  finding: Finding,
  locate: (finding: Finding) => ValueMap,
  places: ReadonlyMap<string, number>,
  printed: Printed,
): ValueMap {
  const { code, severity, message, accepted, acceptance, resource } = finding;
  const level = acceptance?.severity ?? severity;
  const said = resource === undefined ? message : `${describe(resource)}: ${message}`;
  return {
    ruleId: code,
    ruleIndex: places.get(code) ?? -1,
    level: levels[level],
    message: { text: escaped(said) },
    locations: [locate(finding)],
    partialFingerprints: { "ccfFinding/v1": printed.fingerprint(finding) },
    ...(accepted === undefined
      ? {}
      : { suppressions: [{ kind: "inSource", status: "accepted", justification: accepted }] }),
  };
}

// Braces are placeholders in a message string (section 3.11.5 of the specification).
function escaped(text: string): string {
  return text.replace(/[{}]/g, "$&$&");
}

// A problem in a cluster has no file. Hosts show only results with a file, so the package takes its place.
function locator({ items, installConfig, directory }: Searched): (finding: Finding) => ValueMap {
  const all = installConfig === undefined ? items : [...items, installConfig];
  const byPlace = firstByKey(all, ({ path, index }) => `${index} ${path}`);
  const fallback = items.find(({ kind }) => kind === "ClusterIdentity") ?? items[0];
  return (finding) => {
    const { file } = finding;
    const item = file === undefined ? undefined : byPlace.get(`${file.index} ${file.path}`);
    const path = file?.path ?? fallback?.path ?? ".";
    return location(finding, item, uriOf(path, item !== undefined && item === installConfig, directory));
  };
}

function location({ resource, field }: Finding, item: Item | undefined, uri: string): ValueMap {
  const startLine = item === undefined ? 1 : lineOf(item, field);
  const logical: Value[] =
    resource === undefined
      ? []
      : [
          {
            fullyQualifiedName: field === undefined ? describe(resource) : `${describe(resource)} ${field}`,
            kind: "resource",
          },
        ];
  return {
    physicalLocation: {
      artifactLocation: { uri, uriBaseId: base },
      region: { startLine },
    },
    ...(logical.length === 0 ? {} : { logicalLocations: logical }),
  };
}

function uriOf(path: string, isTyped: boolean, directory: string): string {
  return `${isTyped ? "" : packagePath(directory)}${path}`.split("/").map(uriSegment).join("/");
}

// Percent-encoding would hide the name from the writer of output, which escapes and redacts.
function uriSegment(name: string): string {
  return encodeURIComponent(withoutSecrets(name).replace(loneSurrogate, "\ufffd"));
}

const loneSurrogate = /\p{Cs}/gu;

// The path from the base to the package, with a trailing slash; "" if the package is the base or not below it.
function packagePath(directory: string): string {
  const way = isInside(".", directory) ? relative("", directory).split(sep).join("/") : "";
  return way === "" ? "" : `${way}/`;
}

/** The fingerprints of a package's findings: stable for the same finding across runs, even if its line moves. */
class Printed {
  readonly #times = new Map<string, number>();
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  fingerprint({ code, file, resource, field }: Finding): string {
    const path = `${this.#directory}${file?.path ?? ""}`;
    const key = JSON.stringify([code, path, resource === undefined ? "" : describe(resource), field ?? ""]);
    const times = this.#times.get(key) ?? 0;
    this.#times.set(key, times + 1);
    return sha256(`${key} ${times}`).toString("hex");
  }
}
