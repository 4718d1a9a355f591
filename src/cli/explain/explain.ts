import { join } from "node:path";
import { hasError } from "../../core/finding.ts";
import { quoteWhole } from "../../core/text.ts";
import { html } from "../../page/html.ts";
import { mermaid } from "../../page/mermaid.ts";
import type { ClusterPart, Made, Page } from "../../page/page.ts";
import { svg } from "../../page/picture.ts";
import type { FlagsOf } from "../definition.ts";
import { statOf } from "../files/paths.ts";
import { compareClusters, comparedJson } from "../fleet/compare-clusters.ts";
import { eachPackage } from "../fleet/each-package.ts";
import { findPackages } from "../fleet/find-packages.ts";
import { isFleet } from "../fleet/flags.ts";
import { clusterIn } from "../fleet/outcome.ts";
import { type Place, selectPackages } from "../fleet/select-packages.ts";
import { readTime, shellWord } from "../terminal/arguments.ts";
import { UsageError } from "../terminal/errors.ts";
import { write, writeDocument, writeJson } from "../terminal/output.ts";
import { version } from "../terminal/version.ts";
import { readClusterPart } from "./cluster-part.ts";
import type { explainCommand as definition } from "./definition.ts";
import { explainJson, explainMarkdown, explainText } from "./explain-output.ts";
import { readExplained } from "./explained.ts";
import { searchTerms } from "./search-terms.ts";

type Values = FlagsOf<typeof definition>;

/** `ccf explain [DIR...]`: exits 0 if the identities are shown, 1 if there are none that can be. */
export function explain(values: Values, directories: readonly string[]): number | Promise<number> {
  const { output } = values;
  if (output === "html" || output === "svg" || output === "mermaid") {
    const flags = { ...values, output };
    if (isFleet(directories, values)) return explainOnPage(values, flags, directories);
    const [directory = "."] = directories;
    const part = readClusterPart(directory, { against: values.against, today: dayOfTime(values.time) });
    writeDocument(writePage([part], [directory], flags));
    return 0;
  }
  refusePageFlags(values);
  if (isFleet(directories, values)) return explainAll(values, directories);
  const { explained } = readExplained(directories[0] ?? ".");
  if (output === "json") writeJson(explainJson(explained));
  else write(1, output === "text" ? explainText(explained) : explainMarkdown(explained));
  return 0;
}

function explainAll(values: Values, directories: readonly string[]): Promise<number> {
  const { output } = values;
  const selection = selectPackages(directories, values);
  const comparison = compareClusters(selection);
  const showing = { output, quiet: false, states: [explainedState], comparison };
  return eachPackage(selection, showing, (place) => {
    const { directory, inside } = place;
    const { explained, rendered } = readExplained(directory, inside);
    const fleetFindings = comparison.of(place);
    const document =
      output === "markdown" ? explainMarkdown(explained, directory) : [`${directory}:`, ...explainText(explained)];
    return {
      code: hasError(fleetFindings) ? 1 : 0,
      state: explainedState,
      lines: [],
      document,
      findings: [],
      otherFindings: fleetFindings,
      report: { ...explainJson(explained), ...comparedJson(fleetFindings) },
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
): Promise<number> {
  const today = dayOfTime(values.time);
  const selection = selectPackages(directories, values);
  const oldSide = oldSideOf(values.against);
  const parts: ClusterPart[] = [];
  const comparison = compareClusters(selection, today);
  const showing = { output: values.output, quiet: false, states: [explainedState], comparison };
  const code = await eachPackage(selection, showing, (place) => {
    const { directory, inside } = place;
    const fleetFindings = comparison.of(place);
    parts.push(readClusterPart(directory, { against: oldSide(place), today, apart: inside, fleetFindings }));
    const code = hasError(fleetFindings) ? 1 : 0;
    return {
      code,
      state: explainedState,
      lines: [],
      findings: [],
      otherFindings: fleetFindings,
      report: {},
      cluster: {},
    };
  });
  if (code !== 0) return code;
  if (parts.length === 0) throw new UsageError("no package is selected, so there is nothing to show");
  const selected = [
    ...directories,
    ...(values.recursive === undefined ? [] : ["--recursive", values.recursive]),
    ...(values.touched === undefined ? [] : ["--touched", values.touched]),
    ...values.shared.flatMap((path) => ["--shared", path]),
    ...(values.selector === undefined ? [] : ["--selector", values.selector]),
    ...(values.shard === undefined ? [] : ["--shard", values.shard]),
  ];
  writeDocument(writePage(parts, selected, flags));
  return 0;
}

// The old side of each package: the package with the same path in OLD or, if OLD has no packages, OLD itself.
function oldSideOf(against: string | undefined): (place: Place) => string | undefined {
  if (against === undefined) return () => undefined;
  const isFleetBefore = statOf(against)?.isDirectory() === true && findPackages(against).length > 0;
  return ({ path }) => {
    if (!isFleetBefore) return against;
    const old = join(against, path);
    if (statOf(old)?.isDirectory() === true) return old;
    throw new UsageError(
      `--against ${quoteWhole(against)} contains packages, but no directory ${quoteWhole(path)}; show this package by itself, without --against`,
    );
  };
}

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
  return {
    version,
    command: ["ccf explain", ...selected.map(shellWord), "-o", output, ...given].join(" "),
    ...(commit === undefined ? {} : { commit }),
    ...(today === undefined ? {} : { today }),
  };
}
