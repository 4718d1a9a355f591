import { inspectors } from "../../clouds/inspectors.ts";
import { askWhoMay, reachIn } from "../../clouds/permission-questions.ts";
import { hasError } from "../../core/finding.ts";
import { isLabelKey } from "../../core/label-selector.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { actionProblem } from "../../permissions/who-may.ts";
import type { FlagsOf } from "../definition.ts";
import { clusterWith, readPolicyDocuments } from "../files/policy-documents.ts";
import { compareClusters, comparedJson } from "../fleet/compare-clusters.ts";
import { eachPackage } from "../fleet/each-package.ts";
import { selectPackages } from "../fleet/select-packages.ts";
import { readTime } from "../terminal/arguments.ts";
import { UsageError } from "../terminal/errors.ts";
import { write, writeDocument } from "../terminal/output.ts";
import { readRelease } from "../upgradeable-to/release-lacks.ts";
import { readResults } from "../upgradeable-to/status-results.ts";
import { cellsOf, clusterJson, clusterRow, columnsOf } from "./cluster-row.ts";
import type { reportCommand as definition } from "./definition.ts";
import { mayQuestion, type Question, reachQuestion } from "./identity-answers.ts";
import { type Read, readCluster } from "./read-cluster.ts";
import { type Cell, csvDocument, markdownTable, type Table, textTable } from "./table.ts";

type Values = FlagsOf<typeof definition>;

/** `ccf report DIR...`: exit 0 shown, 2 a cluster lacks something for the release, 1 a package failed. */
export function report(values: Values, directories: readonly string[]): Promise<number> {
  const { "who-may": action, on, reach } = values;
  if (on !== undefined && action === undefined) throw new UsageError("--on requires --who-may, which names the action");
  if (action !== undefined && reach) throw new UsageError("--who-may and --reach are two questions; ask one of them");
  if (action === undefined && !reach) return reportClusters(values, directories);
  if (values["label-columns"].length > 0)
    throw new UsageError(`--label-columns has no effect with ${reach ? "--reach" : "--who-may"}; omit it`);
  for (const flag of ["credentials-requests", "status", "time"] as const) {
    if (values[flag] !== undefined)
      throw new UsageError(`--${flag} has no effect with ${reach ? "--reach" : "--who-may"}; omit it`);
  }
  if (action === undefined) return reportIdentities(values, directories, reachQuestion, reachIn);
  const clouds = inspectors.flatMap(({ title, terms }) => (terms === undefined ? [] : [{ title, terms }]));
  const problem = actionProblem(action, clouds);
  if (problem !== undefined) throw new UsageError(`--who-may ${quote(action)} ${problem}`);
  return reportIdentities(values, directories, mayQuestion, askWhoMay({ action, resource: on }));
}

/** The most Secrets that a cell for people names. */
const maxNamed = 3;

function reportClusters(values: Values, directories: readonly string[]): Promise<number> {
  const { output, time, "credentials-requests": requests, "role-definitions": definitions, status } = values;
  if (definitions !== undefined && requests === undefined)
    throw new UsageError("--role-definitions requires --credentials-requests; add it, or omit --role-definitions");
  const seconds = time === undefined ? Math.floor(Date.now() / 1000) : readTime(time);
  const now = new Date(seconds * 1000);
  const release = requests === undefined ? undefined : readRelease(requests, definitions);
  const labels = labelKeys(values["label-columns"]);
  const documents = readPolicyDocuments(values["policy-documents"]);
  const compared = { release, results: status === undefined ? undefined : readResults(status), labels, documents };
  const states = release === undefined ? ["shown"] : ["ready", "not ready"];
  const rows: Cell[][] = [];
  const finish = () => writeTable({ columns: columnsOf(compared), rows }, output);
  const selection = selectPackages(directories, values);
  const comparison = compareClusters(selection, now.toISOString().slice(0, 10));
  return eachPackage(selection, { ...showing(values, states, finish), comparison }, (place) => {
    const read = readCluster(place);
    const fleetFindings = comparison.of(place);
    const one = clusterRow(place.directory, read, fleetFindings, now, compared);
    rows.push(cellsOf(one, output === "csv" ? Number.POSITIVE_INFINITY : maxNamed));
    const isLacking = (one.lacks ?? []).length > 0;
    return {
      code: hasError(fleetFindings) ? 1 : isLacking ? 2 : 0,
      state: states[isLacking ? 1 : 0] ?? "",
      lines: [],
      findings: [],
      otherFindings: fleetFindings,
      report: { ...clusterJson(one), ...comparedJson(fleetFindings) },
      cluster: read.named,
    };
  });
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
  question: Question<Answer>,
  ask: (read: Read) => readonly Answer[],
): Promise<number> {
  const { output } = values;
  const states = ["with such identities", "without such identities"] as const;
  const rows: Cell[][] = [];
  const lines: string[] = [];
  const finish = () => {
    if (output === "text") write(1, lines);
    else writeTable({ columns: ["package", ...question.columns], rows }, output);
  };
  const documents = readPolicyDocuments(values["policy-documents"]);
  const selection = selectPackages(directories, values);
  const comparison = compareClusters(selection);
  return eachPackage(selection, { ...showing(values, states, finish), comparison }, (place) => {
    const read = readCluster(place);
    // A warning about a cluster does not change who may do something; two packages of one cluster do.
    const fleetFindings = comparison.of(place).filter(({ severity }) => severity === "error");
    const answers = ask({ ...read, cluster: clusterWith(read.cluster, documents) });
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
      report: {},
      reports: output === "json" ? answers.map(question.json) : [],
      cluster: { cluster: read.named["identity"] ?? null, platform: read.inspector.name },
    };
  });
}

// The summary is not a part of what is printed, and a failure goes to standard error.
function showing({ output, quiet }: Values, states: readonly string[], finish: () => void) {
  return output === "json" ? { output, quiet, states } : { output: "table", quiet, states, finish };
}

function writeTable(table: Table, output: Values["output"]): void {
  if (output === "csv") writeDocument(csvDocument(table));
  else write(1, output === "markdown" ? markdownTable(table) : textTable(table));
}
