import { realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { commandsFile } from "../../clouds/commands-text.ts";
import { applierIn } from "../../clouds/rendered.ts";
import { moduleDirectory } from "../../clouds/terraform.ts";
import { type Finding, hasError } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";
import { compareText, quoteWhole } from "../../core/text.ts";
import { sortFindings, toResult } from "../../krm/results.ts";
import type { FlagsOf } from "../definition.ts";
import { foldCase, isInside } from "../files/paths.ts";
import { changedPaths, countFiles, type FileChange, fileChangeLines } from "../files/write-files.ts";
import { compareClusters } from "../fleet/compare-clusters.ts";
import { clusterIn, eachPackage, writeState, writeStates } from "../fleet/each-package.ts";
import { isFleet } from "../fleet/flags.ts";
import { type Place, selectPackages } from "../fleet/select-packages.ts";
import type { ExportedFile } from "../package/export-files.ts";
import { readPackage, requirePackage } from "../package/package-files.ts";
import { renderedFiles } from "../package/rendered-files.ts";
import { packageArguments } from "../terminal/arguments.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeChanges, writeFindings, writeJson, writeNotes } from "../terminal/output.ts";
import { AdminPolicies, policiesDirectory } from "./admin-policies.ts";
import type { exportCommand as definition } from "./definition.ts";
import { exportDirectory } from "./export-directory.ts";
import { adminPolicyFindings, missingCluster, notExported } from "./export-plan.ts";
import { exportFacts } from "./facts.ts";
import { installable, lastLines } from "./installable.ts";
import { printConfigMap } from "./print-configmap.ts";
import { withTerraform } from "./terraform.ts";
import { writeExport } from "./write-export.ts";

/** The options of the command line. */
interface Request {
  readonly packageDirectory: string;
  /** The packages inside it that are exported by themselves. */
  readonly apart: readonly string[];
  /** Findings about other packages of the run. */
  readonly fleetFindings: readonly Finding[];
  /** As the user typed it. */
  readonly output: string;
  readonly onlyOurs: boolean;
  readonly check: boolean;
  /** The owner of another export that may be overwritten. */
  readonly replace: string | undefined;
  /** What the module for Terraform contains; undefined if there is none. */
  readonly terraform: { readonly imports: boolean; readonly preventDestroy: boolean } | undefined;
}

/** What an export found and, if it found no errors, wrote or would write. */
interface Result {
  readonly files: readonly ExportedFile[];
  /** What an installation from the export lacks, or may lack; without periods. */
  readonly lastLines: readonly string[];
  readonly changes: readonly FileChange[];
  readonly findings: readonly Finding[];
  /** An earlier export was interrupted, and this one did not finish its work. */
  readonly unfinished: boolean;
  /** The cluster of the package, as a report about a fleet names it. */
  readonly cluster: ReturnType<typeof clusterIn>;
}

type Values = FlagsOf<typeof definition>;

/**
 * `ccf export DIR... --output-dir OUT`, and the other formats: exit code 0 for success, 2 with `--check` if a file would
 * change, 1 for failure.
 */
export function exportPackage(values: Values, directories: readonly string[]): number | Promise<number> {
  if (values.format === "manifests-configmap") return printConfigMap(values, directories);
  if (values.format === "facts") return exportFacts(values, directories);
  if (values.import && values.format !== "terraform") throw new UsageError("--import requires --format terraform");
  if (values["no-prevent-destroy"] && values.format !== "terraform")
    throw new UsageError("--no-prevent-destroy requires --format terraform");
  if (values.name !== undefined || values.namespace !== undefined)
    throw new UsageError("--name and --namespace require --format manifests-configmap");
  const output = values["output-dir"] ?? "";
  if (output === "") throw new UsageError("--output-dir is required; it names the directory to write");
  if (isFleet(directories, values)) return exportAll(values, output, directories);
  if (values["admin-policies"]) throw new UsageError("--admin-policies requires several packages");
  const request = requestOf(values, directories[0] ?? ".", output);
  const result = carryOut(request);
  const failed = hasError(result.findings);
  writeFindings(result.findings);
  if (values.output === "json") writeJson(exportJson(result, failed));
  else if (!failed && values.check) writeChanges(summary(request, result));
  else if (!failed) writeNotes(1, summary(request, result));
  return codeOf(request, result);
}

async function exportAll(values: Values, output: string, directories: readonly string[]): Promise<number> {
  if (values.replace !== undefined)
    throw new UsageError("--replace names the export of one cluster; name only one directory");
  const selection = selectPackages(directories, values);
  const outputs = outputsOf(selection.places, output);
  const comparison = compareClusters(selection);
  const taken = [...outputs].find(([, path]) => isInside(foldCase(join(output, policiesDirectory)), foldCase(path)));
  if (values["admin-policies"] && taken !== undefined)
    throw new UsageError(
      `the export of ${quoteWhole(taken[0].directory)} would be in the directory of --admin-policies; export it by itself`,
    );
  const merged = values["admin-policies"] ? new AdminPolicies(output, selection, values) : undefined;
  const finish = () => merged?.write();
  const code = await eachPackage(selection, { ...values, states: writeStates, comparison, finish }, (place) => {
    const one = requestOf(values, place.directory, outputs.get(place) ?? output);
    const request: Request = { ...one, apart: place.inside, fleetFindings: comparison.of(place) };
    const result = carryOut(request);
    const code = codeOf(request, result);
    if (code !== 1) merged?.add(place.directory, result.files);
    const isChanged = result.changes.length > 0 || result.unfinished;
    return {
      code,
      state: writeState(isChanged, !values.check),
      lines: code === 1 || !isChanged ? [] : [fleetLine(request, result)],
      findings: result.findings,
      json: { ...exportJson(result, code === 1), outputDirectory: request.output },
      cluster: result.cluster,
    };
  });
  // A failure is worse than a change.
  return code === 0 || (code === 2 && merged?.code === 1) ? (merged?.code ?? 0) : code;
}

function fleetLine(request: Request, { changes, lastLines }: Result): string {
  const count = countFiles(changes.length);
  if (request.check) return `${count} would change. Run: ${exportCommand(request)}`;
  return [`${count} written to ${quoteWhole(request.output)}`, ...lastLines].join(". ");
}

/**
 * The directory for the export of each package: its path below the root that was searched, otherwise its name.
 * @throws UsageError if an export would be inside another one, also where upper and lower case are not distinguished
 */
function outputsOf(places: readonly Place[], output: string): ReadonlyMap<Place, string> {
  const names = new Map(places.map((place) => [place, nameOf(place)]));
  const sorted = [...names].sort(([, a], [, b]) => compareText(`${foldCase(a)}/`, `${foldCase(b)}/`));
  for (const [index, [place, name]] of sorted.entries()) {
    const [next, nextName] = sorted[index + 1] ?? [];
    if (next !== undefined && nextName !== undefined && `${foldCase(nextName)}/`.startsWith(`${foldCase(name)}/`))
      throw new UsageError(
        `the exports of ${quoteWhole(place.directory)} and ${quoteWhole(next.directory)} would be in the same directory ${quoteWhole(name)}; export one of them by itself`,
      );
  }
  return new Map([...names].map(([place, name]) => [place, join(output, name)]));
}

function nameOf({ path, directory }: Place): string {
  return path === "." || path.startsWith("..") ? basename(realpathSync(directory)) : path;
}

function requestOf(values: Values, packageDirectory: string, output: string): Request {
  const { "only-ours": onlyOurs, check, replace } = values;
  const terraform =
    values.format === "terraform"
      ? { imports: values.import, preventDestroy: !values["no-prevent-destroy"] }
      : undefined;
  return { packageDirectory, apart: [], fleetFindings: [], output, onlyOurs, check, replace, terraform };
}

function codeOf({ check }: Request, { changes, findings, unfinished }: Result): 0 | 1 | 2 {
  return hasError(findings) ? 1 : check && (changes.length > 0 || unfinished) ? 2 : 0;
}

function carryOut(request: Request): Result {
  const { packageDirectory, output, check, replace } = request;
  const { notes, ...wanted } = wantedExport(request);
  const { files } = wanted;
  const nothing = { ...wanted, changes: [], unfinished: false };
  if (hasError(wanted.findings)) return nothing;
  const how = { check, command: exportCommand(request), replace };
  const {
    changes,
    earlier,
    findings: ofDirectory,
  } = writeExport(exportDirectory(output, packageDirectory), files, how);
  const findings = [...earlier, ...wanted.findings, ...notes, ...sortFindings(ofDirectory)];
  if (hasError(ofDirectory)) return { ...nothing, findings };
  return { ...nothing, changes, findings, unfinished: check && earlier.length > 0 };
}

/** What an export consists of. */
interface Wanted extends Pick<Result, "files" | "lastLines" | "findings" | "cluster"> {
  /** Findings about what is not exported. */
  readonly notes: readonly Finding[];
}

// The package does not leave this function: an export of thousands of identities needs the memory.
function wantedExport(request: Request): Wanted {
  const { packageDirectory, apart, fleetFindings, output, onlyOurs, terraform } = request;
  const unrendered = { so: "nothing was exported", cure: "export again" };
  const pkg = readPackage(packageDirectory, apart);
  // Each package has a separate export.
  requirePackage(
    pkg,
    (below) => exportCommand({ ...request, packageDirectory: below, output: join(output, basename(below)) }),
    exportCommand(request, true),
  );
  const cluster = clusterIn(pkg.files.flatMap((file) => file.items));
  const { files: rendered, findings } = renderedFiles(pkg, onlyOurs, unrendered);
  const { files, leftOut, findings: withoutNamespace } = installable(pkg, rendered);
  findings.push(...withoutNamespace, ...fleetFindings, ...adminPolicyFindings(files), ...missingCluster(files));
  let completed = files;
  if (terraform !== undefined && !hasError(findings)) {
    // A root module calls the module by the name of the cluster.
    const imported = terraform.imports ? String(cluster["identity"]) : undefined;
    const { preventDestroy } = terraform;
    const added = withTerraform(files, { imported, preventDestroy });
    completed = added.files;
    findings.push(...added.findings);
  }
  const notes = notExported(pkg, completed);
  return { files: completed, lastLines: lastLines(findings, leftOut), findings, cluster, notes };
}

function exportJson({ changes, findings }: Result, failed: boolean): ValueMap {
  return { ...changedPaths(failed ? [] : changes), findings: findings.map(toResult) };
}

function summary(request: Request, result: Result): string[] {
  return [...stateAndNext(request, result), ...result.lastLines.map((line) => `${line}.`)];
}

function stateAndNext(request: Request, { files, changes }: Result): string[] {
  const { output, check, terraform } = request;
  const modulePath = shellWord(`${output.replace(/\/+$/, "")}/${moduleDirectory}`);
  const isOurs = applierIn(new Map(files.map(({ path, text }) => [path, text]))) === "Ccf";
  const isReady = files.some(({ path }) => path.endsWith(`/${commandsFile}`));
  const commands = [
    ...(terraform === undefined ? [] : [`terraform plan, in the root module that calls ${modulePath}`]),
    ...(isReady ? [`ccf ${isOurs ? "apply --dry-run" : "status"} ${shellWord(output)}`] : []),
  ];
  const next = commands.map((command, index) => `${index === 0 ? "Next" : "Then"}: ${command}`);
  if (changes.length === 0) return ["Up to date: no file changes.", ...(check ? [] : next)];
  const count = countFiles(changes.length);
  if (check)
    return [...fileChangeLines(changes), `Not up to date: ${count} would change. Run: ${exportCommand(request)}`];
  return [...fileChangeLines(changes), `${count} written. A second run changes nothing.`, ...next];
}

function exportCommand(request: Request, recursive = false): string {
  const { packageDirectory, output, onlyOurs, replace, terraform } = request;
  return [
    "ccf export",
    ...packageArguments(packageDirectory, onlyOurs, recursive),
    "--output-dir",
    shellWord(output),
    ...(replace === undefined ? [] : ["--replace", shellWord(replace)]),
    ...(terraform === undefined ? [] : ["--format terraform"]),
    ...(terraform?.imports === true ? ["--import"] : []),
    ...(terraform?.preventDestroy === false ? ["--no-prevent-destroy"] : []),
  ].join(" ");
}
