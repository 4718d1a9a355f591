import { hasError } from "../../core/finding.ts";
import { isLabel } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";
import { quote } from "../../core/text.ts";
import { counted, listed } from "../../core/words.ts";
import { html } from "../../page/html.ts";
import type { ClusterPart, Made, Page } from "../../page/page.ts";
import { mermaid, svg } from "../../page/picture.ts";
import type { PolicyDocuments } from "../../permissions/policy-documents.ts";
import type { FlagsOf } from "../definition.ts";
import { readPolicyDocuments } from "../files/input-file.ts";
import { compareClusters, comparedJson } from "../fleet/compare-clusters.ts";
import { clusterIn, eachPackage } from "../fleet/each-package.ts";
import { isFleet } from "../fleet/flags.ts";
import { selectPackages } from "../fleet/select-packages.ts";
import { readTime } from "../terminal/arguments.ts";
import { UsageError } from "../terminal/errors.ts";
import { outputWidth, write, writeDocument, writeJson, writeNotes } from "../terminal/output.ts";
import { code } from "../terminal/table.ts";
import { version } from "../terminal/version.ts";
import { readClusterPart } from "./cluster-part.ts";
import type { explainCommand as definition } from "./definition.ts";
import { explainJson, explainMarkdown } from "./explain-output.ts";
import { explainText } from "./explain-text.ts";
import { type Explained, readExplained, usableFrom } from "./explained.ts";
import { pairSides, searchTerms } from "./page-parts.ts";

type Values = FlagsOf<typeof definition>;

/** `ccf explain [DIR...]`: exits 0 if the identities are shown, 1 if there are none that can be. */
export function explain(values: Values, directories: readonly string[]): number | Promise<number> {
  const { output } = values;
  const documents = readPolicyDocuments(values["policy-documents"]);
  if (values.namespace !== undefined && !isLabel(values.namespace))
    throw new UsageError(`--namespace must be the name of a namespace, not ${quote(values.namespace)}`);
  if (output === "html" || output === "svg" || output === "mermaid") {
    const flags = { ...values, output };
    if (values.namespace !== undefined)
      throw new UsageError(
        `--namespace has no effect with "-o ${output}", which shows all; use the search of the page`,
      );
    if (isFleet(directories, values)) return explainOnPage(values, flags, directories, documents);
    const [directory = "."] = directories;
    const against = values.against === undefined ? undefined : { old: values.against, isNew: false };
    const part = readClusterPart(directory, { documents, against, today: dayOfTime(values.time) });
    writeDocument(writePage([part], [directory], flags));
    return 0;
  }
  refusePageFlags(values);
  if (isFleet(directories, values)) return explainAll(values, directories, documents);
  const { explained: all } = readExplained(directories[0] ?? ".", [], documents);
  const explained = chosen(all, values.namespace);
  if (output === "json") writeJson(explainJson(explained));
  else write(1, textOf(explained, all, values));
  return 0;
}

function chosen(explained: Explained, namespace: string | undefined): Explained {
  return namespace === undefined ? explained : usableFrom(namespace, explained);
}

function textOf(
  explained: Explained,
  all: Explained,
  { output, namespace = "" }: Values,
  directory?: string,
): string[] {
  if (explained.identities.length > 0 || all.identities.length === 0)
    return output === "markdown" ? explainMarkdown(explained, directory) : explainText(explained, outputWidth());
  const none = `No pod of the namespace ${quote(namespace)} can use any of ${counted(all.identities.length, explained.noun)}.`;
  return output === "markdown" && directory !== undefined ? [`# Identities of ${code(directory)}`, "", none] : [none];
}

function explainAll(values: Values, directories: readonly string[], documents: PolicyDocuments): Promise<number> {
  const { output } = values;
  const selection = selectPackages(directories, values);
  const comparison = compareClusters(selection);
  const showing = { output, quiet: false, states: [explainedState], comparison };
  return eachPackage(selection, showing, (place) => {
    const { directory, inside } = place;
    const { explained: all, rendered } = readExplained(directory, inside, documents);
    const explained = chosen(all, values.namespace);
    const fleetFindings = comparison.of(place);
    const text = textOf(explained, all, values, directory);
    const document = output === "markdown" ? text : [`${directory}:`, ...text];
    return {
      code: hasError(fleetFindings) ? 1 : 0,
      state: explainedState,
      lines: [],
      document,
      findings: [],
      otherFindings: fleetFindings,
      json: { ...explainJson(explained), ...comparedJson(fleetFindings) },
      cluster: clusterIn(rendered.items),
    };
  });
}

const explainedState = "explained";

// A page that lacks a cluster would look complete, so there is none if one package fails.
async function explainOnPage(
  values: Values,
  flags: Parameters<typeof writePage>[2],
  directories: readonly string[],
  documents: PolicyDocuments,
): Promise<number> {
  const today = dayOfTime(values.time);
  const selection = selectPackages(directories, values);
  const oldSides = values.against === undefined ? undefined : pairSides(values.against, selection, values.recursive);
  const parts: ClusterPart[] = [];
  const comparison = compareClusters(selection, today);
  const showing = { output: values.output, quiet: false, states: [explainedState], comparison };
  const code = await eachPackage(selection, showing, (place) => {
    const { directory, inside } = place;
    const fleetFindings = comparison.of(place);
    parts.push(
      readClusterPart(directory, { documents, against: oldSides?.of(place), today, apart: inside, fleetFindings }),
    );
    const code = hasError(fleetFindings) ? 1 : 0;
    return {
      code,
      state: explainedState,
      lines: [],
      findings: [],
      otherFindings: fleetFindings,
      json: {},
      cluster: {},
    };
  });
  if (code !== 0) return code;
  const { gone = [] } = oldSides ?? {};
  writeNotes(
    2,
    gone.map((path) => `note: ${path} is in the other side, and is gone here.`),
  );
  if (parts.length === 0) throw new UsageError("no package is selected, so there is nothing to show");
  const selected = [
    ...directories,
    ...(values.recursive === undefined ? [] : ["--recursive", values.recursive]),
    ...(values.touched === undefined ? [] : ["--touched", values.touched]),
    ...values.shared.flatMap((path) => ["--shared", path]),
    ...(values.selector === undefined ? [] : ["--selector", values.selector]),
    ...(values.shard === undefined ? [] : ["--shard", values.shard]),
  ];
  writeDocument(writePage(withGone(parts, gone), selected, flags));
  return 0;
}

// A package that is gone has no part of its own, so the first part with differences says it.
function withGone(parts: readonly ClusterPart[], gone: readonly string[]): readonly ClusterPart[] {
  const first = parts.find(({ differences }) => differences !== undefined);
  if (gone.length === 0 || first?.differences === undefined) return parts;
  const { differences } = first;
  const note = `Packages of the other side that are gone: ${listed(gone, maxNamed)}.`;
  return parts.map((part) =>
    part === first ? { ...part, differences: { ...differences, notes: [...differences.notes, note] } } : part,
  );
}

/** How many packages a note names. */
const maxNamed = 20;

function refusePageFlags({ output, ...values }: Values): void {
  for (const flag of ["against", "commit", "time"] as const) {
    if (values[flag] !== undefined)
      throw new UsageError(`--${flag} has no effect with "-o ${output}"; use "-o html", or omit it`);
  }
}

/** What the flags of `ccf explain` say about a page. */
export interface PageFlags {
  readonly output: "html" | "svg" | "mermaid";
  readonly against: string | undefined;
  readonly commit: string | undefined;
  readonly time: string | undefined;
  readonly "policy-documents": readonly string[];
}

/** The day of `--time`, on which acceptances are judged; undefined without it. */
function dayOfTime(time: string | undefined): string | undefined {
  return time === undefined ? undefined : new Date(readTime(time) * 1000).toISOString().slice(0, 10);
}

/**
 * The page about clusters, or its picture.
 *
 * @param selected the arguments of the command line that select them.
 */
function writePage(clusters: readonly ClusterPart[], selected: readonly string[], flags: PageFlags): string {
  const page: Page = { clusters, terms: searchTerms(clusters), made: madeWith(selected, flags) };
  if (flags.output === "html") return html(page);
  return flags.output === "svg" ? svg(page) : `${mermaid(page).join("\n")}\n`;
}

function madeWith(selected: readonly string[], flags: PageFlags): Made {
  const today = dayOfTime(flags.time);
  const { output, against, commit, time } = flags;
  const given = Object.entries({ against, commit, time }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, shellWord(value)],
  );
  const documents = flags["policy-documents"].flatMap((file) => ["--policy-documents", shellWord(file)]);
  return {
    version,
    command: ["ccf explain", ...selected.map(shellWord), "-o", output, ...given, ...documents].join(" "),
    ...(commit === undefined ? {} : { commit }),
    ...(today === undefined ? {} : { today }),
  };
}
