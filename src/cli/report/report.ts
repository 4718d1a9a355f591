import { inspectors } from "../../clouds/inspectors.ts";
import { askWhoMay, reachIn } from "../../clouds/permissions.ts";
import { type Finding, hasError } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { compareText, printable, quote, quoteWhole } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { actionProblem } from "../../permissions/who-may.ts";
import type { FlagsOf } from "../definition.ts";
import { clusterWith, readPolicyDocuments } from "../files/input-file.ts";
import { compareClusters, comparedJson } from "../fleet/compare-clusters.ts";
import { eachPackage } from "../fleet/each-package.ts";
import { isLabelKey } from "../fleet/labels.ts";
import { selectPackages } from "../fleet/select-packages.ts";
import { readResults } from "../package/status-result.ts";
import { type Lack, readComparedRelease } from "../permissions/lacks.ts";
import { readTime } from "../terminal/arguments.ts";
import { UsageError } from "../terminal/errors.ts";
import { write, writeDocument, writeFindings, writeJsonLines } from "../terminal/output.ts";
import { type Cell, code, csvDocument, markdownTable, type Table, textTable } from "../terminal/table.ts";
import { AskedAbout, type Inquiry, mayQuestion, NamedActions, reachQuestion } from "./asked.ts";
import { cellsOf, clusterJson, clusterRow, columnsOf, isLacking, readCluster } from "./cluster-row.ts";
import type { reportCommand as definition } from "./definition.ts";

/** How many packages, and how many permissions, a line names. */
const [maxPackages, maxPermissions] = [5, 20];

/** What clusters lack for a release, with equal lacks together. */
export class Lacking {
  readonly #groups = new Map<string, { readonly lack: Lack; readonly packages: string[] }>();

  add(directory: string, lacks: readonly Lack[]): void {
    for (const lack of lacks) {
      const key = JSON.stringify(lack);
      const group = this.#groups.get(key) ?? { lack, packages: [] };
      group.packages.push(directory);
      this.#groups.set(key, group);
    }
  }

  /** After an empty line, a line for each different lack, that of most packages first; none if nothing lacks. */
  lines(): string[] {
    const lines = this.#shown((text) => text).map(printable);
    return lines.length === 0 ? [] : ["", ...lines];
  }

  /** The same as a list of Markdown. */
  markdown(): string[] {
    const lines = this.#shown(code).map((line) => `- ${line}`);
    return lines.length === 0 ? [] : ["", ...lines];
  }

  #shown(quoted: (text: string) => string): string[] {
    return [...this.#groups.values()]
      .sort(
        (a, b) =>
          b.packages.length - a.packages.length ||
          compareText(a.packages[0] ?? "", b.packages[0] ?? "") ||
          compareText(a.lack.secret, b.lack.secret),
      )
      .map(({ lack: { secret, change, gates = [], permissions, serviceAccounts }, packages }) => {
        const names = listed(packages.map(quoted), maxPackages);
        if (change === "unknown") {
          const count = packages.length === 1 ? "1 cluster" : `${packages.length} clusters`;
          return `unknown for ${count} (${names}): ${quoted(secret)}: depends on the feature ${gates.length === 1 ? "gate" : "gates"} ${gates.map(quoted).join(", ")}`;
        }
        const clusters = packages.length === 1 ? "1 cluster lacks" : `${packages.length} clusters lack`;
        const what = [
          ...(permissions.length === 0 ? [] : [listed(permissions.map(quoted), maxPermissions)]),
          ...(serviceAccounts.length === 0 ? [] : [`use by ${listed(serviceAccounts.map(quoted), maxPermissions)}`]),
        ];
        const kind = change === "more" ? "" : ` (${change})`;
        return `${clusters} (${names}): ${quoted(secret)}${kind}${what.length === 0 ? "" : `: ${what.join("; ")}`}`;
      });
  }
}

type Values = FlagsOf<typeof definition>;

/** `ccf report DIR...`: exit 0 shown, 2 a cluster lacks something for the release, or may lack it, 1 a package failed. */
export function report(values: Values, directories: readonly string[]): Promise<number> {
  const { "who-may": action, on, reach } = values;
  if (on !== undefined && action === undefined) throw new UsageError("--on requires --who-may, which names the action");
  if (action !== undefined && reach) throw new UsageError("--who-may and --reach are two questions; ask one of them");
  if (action === undefined && !reach) return reportClusters(values, directories);
  if (values["label-columns"].length > 0)
    throw new UsageError(`--label-columns has no effect with ${reach ? "--reach" : "--who-may"}; omit it`);
  for (const flag of ["credentials-requests", "previous-release", "status", "time"] as const) {
    if (values[flag] !== undefined)
      throw new UsageError(`--${flag} has no effect with ${reach ? "--reach" : "--who-may"}; omit it`);
  }
  if (action === undefined)
    return reportIdentities(values, directories, {
      question: reachQuestion,
      ask: reachIn,
      what: "reach beyond its own cluster",
      json: { reach: true },
    });
  const clouds = inspectors.flatMap(({ title, terms }) => (terms === undefined ? [] : [{ title, terms }]));
  const problem = actionProblem(action, clouds);
  if (problem !== undefined) throw new UsageError(`--who-may ${quote(action)} ${problem}`);
  const cloud = inspectors.find(({ terms }) => terms.actionForm.test(action));
  return reportIdentities(values, directories, {
    question: mayQuestion,
    ask: askWhoMay({ action, resource: on }),
    what: `do ${printable(action)}${on === undefined ? "" : ` on ${printable(on)}`}`,
    json: { action, ...(on === undefined ? {} : { resource: on }) },
    ...(cloud === undefined
      ? {}
      : { named: { action, cloud: cloud.name, names: new NamedActions(cloud.terms, cloud.features.roles?.known()) } }),
  });
}

/** The most Secrets that a cell for people names. */
const maxNamed = 3;

function reportClusters(values: Values, directories: readonly string[]): Promise<number> {
  const { output, time, "credentials-requests": requests, "role-definitions": definitions, status } = values;
  const { "previous-release": previous } = values;
  if (definitions !== undefined && requests === undefined)
    throw new UsageError("--role-definitions requires --credentials-requests; add it, or omit --role-definitions");
  if (previous !== undefined && requests === undefined)
    throw new UsageError("--previous-release requires --credentials-requests; add it, or omit --previous-release");
  const seconds = time === undefined ? Math.floor(Date.now() / 1000) : readTime(time);
  const now = new Date(seconds * 1000);
  const release = requests === undefined ? undefined : readComparedRelease(requests, definitions, previous);
  const labels = labelKeys(values["label-columns"]);
  const documents = readPolicyDocuments(values["policy-documents"]);
  const compared = { release, results: status === undefined ? undefined : readResults(status), labels, documents };
  const states = release === undefined ? ["shown"] : ["ready", "not ready", "unknown"];
  const rows: Cell[][] = [];
  const lacking = new Lacking();
  const capabilityFindings: Finding[] = [];
  const warn = () => writeFindings(capabilityFindings.slice(0, 1).map(withoutResource));
  const finish = () => {
    warn();
    writeTable({ columns: columnsOf(compared), rows }, output);
    if (output === "text") write(1, lacking.lines());
    else if (output === "markdown") write(1, lacking.markdown());
  };
  const selection = selectPackages(directories, values);
  const comparison = compareClusters(selection, now.toISOString().slice(0, 10));
  return eachPackage(selection, { ...showing(values, states, finish, warn), comparison }, (place) => {
    const read = readCluster(place);
    const fleetFindings = comparison.of(place);
    const one = clusterRow(place.directory, read, fleetFindings, now, compared);
    rows.push(cellsOf(one, output === "csv" ? Number.POSITIVE_INFINITY : maxNamed));
    lacking.add(place.directory, one.lacks ?? []);
    capabilityFindings.push(...one.capabilityFindings);
    const { lacks = [] } = one;
    const readiness = lacks.length === 0 ? 0 : isLacking(lacks) ? 1 : 2;
    return {
      code: hasError(fleetFindings) ? 1 : lacks.length > 0 ? 2 : 0,
      state: states[readiness] ?? "",
      lines: [],
      findings: [],
      otherFindings: fleetFindings,
      json: { ...clusterJson(one), ...comparedJson(fleetFindings) },
      cluster: read.named,
    };
  });
}

// The warning is the same for all clusters that do not enable all capabilities.
function withoutResource({ resource: _, ...found }: Finding): Finding {
  return found;
}

function labelKeys(lists: readonly string[]): string[] {
  const keys = [...new Set(lists.flatMap((list) => list.split(",").map((key) => key.trim())))];
  const wrong = keys.find((key) => !isLabelKey(key));
  if (wrong !== undefined)
    throw new UsageError(`--label-columns names ${quoteWhole(wrong)}, which cannot be the key of a label`);
  return keys;
}

function reportIdentities<Answer>(
  values: Values,
  directories: readonly string[],
  { question, ask, what, json, named }: Inquiry<Answer>,
): Promise<number> {
  const { output } = values;
  const states = ["with such identities", "without such identities"] as const;
  const rows: Cell[][] = [];
  const lines: string[] = [];
  const asked = new AskedAbout();
  let count = 0;
  const columns = ["package", ...question.columns];
  const finish = () => {
    const warning = named?.names.warning(named.action);
    if (warning !== undefined) writeFindings([warning]);
    if (count === 0) writeNothing(asked, what, json, columns, output);
    else if (output === "text") write(1, lines);
    else if (output !== "json") writeTable({ columns, rows }, output);
  };
  const documents = readPolicyDocuments(values["policy-documents"]);
  const selection = selectPackages(directories, values);
  const comparison = compareClusters(selection);
  return eachPackage(selection, { ...showing(values, states, finish), finish, comparison }, (place) => {
    const read = readCluster(place);
    // A warning about a cluster does not change who may do something; two packages of one cluster do.
    const fleetFindings = comparison.of(place).filter(({ severity }) => severity === "error");
    const resolved = { ...read, cluster: clusterWith(read.cluster, documents) };
    const answers = ask(resolved);
    asked.add(place.directory, read);
    if (named?.cloud === read.inspector.name) named.names.add(resolved.cluster.identities);
    count += answers.length;
    const { directory } = place;
    if (output === "text")
      lines.push(
        ...answers.flatMap((one) => question.lines(one).map((line, at) => (at === 0 ? `${directory}: ${line}` : line))),
      );
    else if (output !== "json")
      rows.push(...answers.flatMap((one) => question.rows(one).map((cells) => [directory, ...cells])));
    return {
      code: hasError(fleetFindings) ? 1 : 0,
      state: answers.length > 0 ? states[0] : states[1],
      lines: [],
      findings: [],
      otherFindings: fleetFindings,
      json: {},
      jsonLines: output === "json" ? answers.map(question.json) : [],
      cluster: { cluster: read.named["identity"] ?? null, platform: read.inspector.name },
    };
  });
}

// Nothing found is an answer, too.
function writeNothing(
  asked: AskedAbout,
  what: string,
  question: ValueMap,
  columns: readonly string[],
  output: Values["output"],
): void {
  const text = asked.nothing(what);
  const cells = columns.map((column) => (column === "answer" ? "none" : column === columns.at(-1) ? text : undefined));
  if (output === "json") writeJsonLines([asked.nothingJson(question)]);
  else if (output === "csv") writeTable({ columns, rows: [cells] }, output);
  else write(1, [text]);
}

// The summary is not a part of what is printed, and a failure goes to standard error.
function showing(
  { output, quiet }: Values,
  states: readonly string[],
  finish: () => void,
  finishJson: () => void = () => {},
) {
  return output === "json" ? { output, quiet, states, finish: finishJson } : { output: "table", quiet, states, finish };
}

function writeTable(table: Table, output: Values["output"]): void {
  if (output === "csv") writeDocument(csvDocument(table));
  else write(1, output === "markdown" ? markdownTable(table) : textTable(table));
}
