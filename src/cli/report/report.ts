import { inspectors } from "../../clouds/inspectors.ts";
import { askWhoMay, reachIn } from "../../clouds/permissions.ts";
import { type Finding, hasError } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { printable, quote, quoteWhole } from "../../core/text.ts";
import type { Weighed } from "../../permissions/answer.ts";
import { type AskedCloud, isWord, questionOf } from "../../permissions/question.ts";
import { actionProblem } from "../../permissions/who-may.ts";
import type { FlagsOf } from "../definition.ts";
import { clusterWith, readPolicyDocuments } from "../files/input-file.ts";
import { compareClusters, comparedJson } from "../fleet/compare-clusters.ts";
import { eachPackage } from "../fleet/each-package.ts";
import { isLabelKey } from "../fleet/labels.ts";
import { type Selection, selectPackages } from "../fleet/select-packages.ts";
import { readResults } from "../package/status-result.ts";
import { readComparedRelease } from "../permissions/lacks.ts";
import { readTime } from "../terminal/arguments.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { outputWidth, write, writeDocument, writeFindings, writeJsonLines } from "../terminal/output.ts";
import { type Cell, code, csvDocument, markdownTable, type Table, textTable } from "../terminal/table.ts";
import { AskedAbout, cloudOf, type Inquiry, mayQuestion, NamedActions, notNamed, reachQuestion } from "./asked.ts";
import { cellsOf, clusterJson, clusterRow, columnsOf, isLacking, readCluster, wideColumns } from "./cluster-row.ts";
import type { reportCommand as definition } from "./definition.ts";
import { Lacking } from "./lacking.ts";

type Values = FlagsOf<typeof definition>;

/** `ccf report DIR...`: exit 0 shown, 2 a cluster lacks something for the release, or may lack it, 1 a package failed. */
export function report(values: Values, directories: readonly string[]): Promise<number> {
  const { "who-may": action, on, reach } = values;
  if (on !== undefined && action === undefined) throw new UsageError("--on requires --who-may, which names the action");
  if (action !== undefined && reach) throw new UsageError("--who-may and --reach are two questions; ask one of them");
  if (action === undefined && !reach) return reportClusters(values, directories);
  if (values.output === "wide")
    throw new UsageError(`"-o wide" has no effect with ${reach ? "--reach" : "--who-may"}; omit it`);
  if (values["label-columns"].length > 0)
    throw new UsageError(`--label-columns has no effect with ${reach ? "--reach" : "--who-may"}; omit it`);
  for (const flag of ["credentials-requests", "previous-release", "status", "time"] as const) {
    if (values[flag] !== undefined)
      throw new UsageError(`--${flag} has no effect with ${reach ? "--reach" : "--who-may"}; omit it`);
  }
  if (action !== undefined) return reportWhoMay(action, on, values, directories);
  return reportIdentities(values, selectPackages(directories, values), {
    question: reachQuestion,
    ask: reachIn,
    what: "reach beyond its own cluster",
    json: { reach: true },
  });
}

function reportWhoMay(
  action: string,
  on: string | undefined,
  values: Values,
  directories: readonly string[],
): Promise<number> {
  const cloud = inspectors.find(({ terms }) => terms.actionForm.test(action));
  const problem = isWord(action) ? undefined : actionProblem(action, inspectors);
  if (problem !== undefined) throw new UsageError(`--who-may ${quote(action)} ${problem}`);
  const selection = selectPackages(directories, values);
  // Whether a word is a service or a part of a name is decided by what the packages name.
  const clouds = cloud === undefined ? cloudsOf(selection, values) : inspectors.map(cloudOf);
  const { actions, said, is } = questionOf(action, clouds);
  const names = cloud === undefined || is === "operation" ? undefined : new NamedActions(cloud);
  const json = { action, actions: [...actions.values()].flat(), ...(on === undefined ? {} : { resource: on }) };
  return reportIdentities(values, selection, {
    question: mayQuestion(json),
    ask: askWhoMay({ actions, resource: on }),
    weigh: (answer, directory) => ({ ...answer, clusters: [{ id: directory, count: 1 }] }),
    what: `${printable(said)}${on === undefined ? "" : ` on ${printable(on)}`}`,
    json,
    warning: (asked) =>
      is === "guess" || is === "none"
        ? notNamed("an action with the name", action)
        : names?.warning(action, asked.find((one) => one.cloud === cloud?.title)?.names),
  });
}

// A package that cannot be read is reported when it is asked.
function cloudsOf({ places }: Selection, values: Values): readonly AskedCloud[] {
  const asked = new AskedAbout();
  const documents = readPolicyDocuments(values["policy-documents"]);
  for (const place of places) {
    try {
      const read = readCluster(place);
      asked.add(place.directory, { ...read, cluster: clusterWith(read.cluster, documents) });
    } catch (error) {
      if (!(error instanceof FindingsError)) throw error;
    }
  }
  return asked.clouds;
}

/** The most Secrets that a cell names. The lines below a narrow table name them all. */
const maxNamed: Readonly<Record<Values["output"], number>> = {
  ...{ text: 0, wide: 3, markdown: 3 },
  ...{ csv: Number.POSITIVE_INFINITY, json: 0 },
};

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
    writeTable({ columns: columnsOf(compared), rows, wide: wideColumns }, output);
    if (output === "text" || output === "wide") write(1, lacking.lines(outputWidth()));
    else if (output === "markdown") write(1, lacking.markdown());
  };
  const selection = selectPackages(directories, values);
  const comparison = compareClusters(selection, now.toISOString().slice(0, 10));
  return eachPackage(selection, { ...showing(values, states, finish, warn), comparison }, (place) => {
    const read = readCluster(place);
    const fleetFindings = comparison.of(place);
    const one = clusterRow(place.directory, read, fleetFindings, now, compared);
    rows.push(cellsOf(one, maxNamed[output]));
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

function reportIdentities<Answer extends { readonly secret: string }>(
  values: Values,
  selection: Selection,
  { question, ask, weigh, what, json, warning }: Inquiry<Answer>,
): Promise<number> {
  const { output } = values;
  const states = ["with such identities", "without such identities"] as const;
  const rows: Cell[][] = [];
  const lines: string[] = [];
  const asked = new AskedAbout();
  const weighed: Weighed[] = [];
  let count = 0;
  const columns = ["package", ...question.columns];
  const finish = () => {
    const found = warning?.(asked.clouds);
    if (found !== undefined) writeFindings([found]);
    const shown = output === "markdown" ? code(what) : what;
    const first = weigh === undefined ? [] : [asked.sentence(shown, weighed)];
    if (count === 0) return writeNothing(first[0] ?? asked.nothing(shown), asked.nothingJson(json), columns, output);
    if (output === "text") write(1, [...first, ...lines]);
    if (output === "markdown")
      write(
        1,
        first.flatMap((line) => [line, ""]),
      );
    if (output === "markdown" || output === "csv") writeTable({ columns, rows }, output);
  };
  const documents = readPolicyDocuments(values["policy-documents"]);
  const comparison = compareClusters(selection);
  return eachPackage(selection, { ...showing(values, states, finish), finish, comparison }, (place) => {
    const read = readCluster(place);
    // A warning about a cluster does not change who may do something; two packages of one cluster do.
    const fleetFindings = comparison.of(place).filter(({ severity }) => severity === "error");
    const resolved = { ...read, cluster: clusterWith(read.cluster, documents) };
    const answers = ask(resolved);
    const { directory } = place;
    asked.add(directory, resolved);
    count += answers.length;
    if (weigh !== undefined) weighed.push(...answers.map((answer) => weigh(answer, directory)));
    const workloads = new Set(
      resolved.cluster.identities.flatMap(({ key, isOfWorkload }) => (isOfWorkload && key !== undefined ? [key] : [])),
    );
    if (output === "text")
      lines.push(
        ...answers.flatMap((one) => {
          const [first = "", ...more] = question.lines(one);
          return [`${directory}: ${workloads.has(one.secret) ? "workload " : ""}${first}`, ...more];
        }),
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
      jsonLines:
        output === "json"
          ? answers.map((one) => ({ ...question.json(one), ...(workloads.has(one.secret) ? { workload: true } : {}) }))
          : [],
      cluster: { cluster: read.named["identity"] ?? null, platform: read.inspector.name },
    };
  });
}

// Nothing found is an answer, too.
function writeNothing(text: string, json: ValueMap, columns: readonly string[], output: Values["output"]): void {
  const last = columns.includes("reason") ? "reason" : columns.at(-1);
  const cells = columns.map((column) => (column === "answer" ? "none" : column === last ? text : undefined));
  if (output === "json") writeJsonLines([json]);
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
  else write(1, output === "markdown" ? markdownTable(table) : textTable(table, output === "wide"));
}
