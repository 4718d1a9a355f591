import { type Finding, hasError } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";
import { printable } from "../../core/text.ts";
import { toResult } from "../../krm/results.ts";
import type { FlagsOf } from "../definition.ts";
import type { WriteTarget } from "../files/stage.ts";
import { afterInterruption, changedPaths, countFiles, writeFiles, writeProblems } from "../files/write-files.ts";
import { eachPackage, writeState, writeStates } from "../fleet/each-package.ts";
import { isFleet } from "../fleet/flags.ts";
import { selectPackages } from "../fleet/select-packages.ts";
import { readPackage, requirePackage } from "../package/package-files.ts";
import { imageFlagWords, refuseImageFlags } from "../release/flags.ts";
import { packageArguments, renderCommandLine } from "../terminal/arguments.ts";
import { FindingsError, throwErrors, UsageError } from "../terminal/errors.ts";
import { writeChanges, writeFindings, writeJsonLines, writeNotes } from "../terminal/output.ts";
import type { updateRequestsCommand as definition } from "./definition.ts";
import { type Affected, changesOf, planFinal, planUpdate, type UpdatePlan } from "./plan-update.ts";
import { type Release, readRelease, readReleaseFromImage, refuseNested } from "./release.ts";

type Values = FlagsOf<typeof definition>;

/**
 * `ccf update-requests --from DIR [DIR...]`: exit code 0 if every package was written or is up to date, 2 with `--check` if a
 * file would change, 1 if a package failed. A failure ends that package alone.
 */
export async function updateRequests(values: Values, directories: readonly string[]): Promise<number> {
  const { from, final, check } = values;
  const options: UpdateOptions = {
    from,
    final,
    writes: !check,
    release: await releaseIn(values),
    command: (directory, recursive = false) => commandLine(values, directory, recursive),
  };
  if (isFleet(directories, values)) return updateAll(values, options, directories);
  const [directory = "."] = directories;
  const updated = updatePackage(directory, options);
  writeFindings(updated.findings);
  if (values.output === "json") writeJsonLines([{ package: directory, ...updateJson(directory, updated, options) }]);
  else if (options.writes) writeNotes(1, linesOf(directory, updated, options));
  else writeChanges(linesOf(directory, updated, options));
  return codeOf(updated, options);
}

function releaseIn(values: Values): Promise<Release> | Release | undefined {
  const { from, release, final, "previous-release": previous } = values;
  if (from !== undefined && release !== undefined)
    throw new UsageError("--from and --release both name the requests of a release; omit one of them");
  if (from === undefined && release === undefined && !final)
    throw new UsageError(
      "--from DIR or --release VERSION is required: the release's requests. When an upgrade is finished, use --final",
    );
  if (previous !== undefined && from === undefined && release === undefined)
    throw new UsageError("--previous-release requires --from or --release");
  if (release === undefined) refuseImageFlags(values);
  if (release !== undefined) return readReleaseFromImage(release, values, previous);
  return from === undefined ? undefined : readRelease(from, previous);
}

function updateAll(values: Values, options: UpdateOptions, directories: readonly string[]): Promise<number> {
  return eachPackage(
    selectPackages(directories, values),
    { ...values, states: writeStates },
    ({ directory, inside }) => {
      const updated = updatePackage(directory, options, inside);
      return {
        code: codeOf(updated, options),
        state: writeState(updated.isChanged, options.writes),
        lines: updated.isChanged ? linesOf(directory, updated, options) : [],
        findings: updated.findings,
        json: updateJson(directory, updated, options),
        cluster: {},
      };
    },
  );
}

function codeOf({ isChanged }: UpdatedPackage, { writes }: UpdateOptions): 0 | 2 {
  return isChanged && !writes ? 2 : 0;
}

function commandLine(values: Values, directory: string, recursive: boolean): string {
  const { from, release, final, "previous-release": previous } = values;
  const flags = [
    ...(final ? ["--final"] : []),
    ...(from === undefined ? [] : ["--from", shellWord(from)]),
    ...(release === undefined ? [] : ["--release", shellWord(release), ...imageFlagWords(values)]),
    ...(previous === undefined ? [] : ["--previous-release", shellWord(previous)]),
  ];
  return ["ccf update-requests", ...flags, ...packageArguments(directory, false, recursive)].join(" ");
}

function updateJson(directory: string, updated: UpdatedPackage, options: UpdateOptions): ValueMap {
  const { plan, findings } = updated;
  const next = nextCommand(directory, updated, options);
  const keys = (some: readonly Affected[]) => some.map(({ key }) => key);
  return {
    identity: plan.identity,
    platform: plan.platform,
    new: keys(plan.new),
    changed: keys(plan.changed),
    kept: keys(plan.kept),
    gone: keys(plan.gone),
    ...(plan.unknown.length === 0 ? {} : { unknown: keys(plan.unknown) }),
    ...(plan.capabilities.length === 0 ? {} : { capabilities: [...plan.capabilities] }),
    ...(plan.version === undefined ? {} : { version: plan.version[1] }),
    files: changedPaths(changesOf(plan)) as unknown as ValueMap,
    ...(next === undefined ? {} : { next }),
    findings: findings.map(toResult),
  };
}

// What the user runs after this run: the render or, if nothing was written, this command. Undefined if nothing changes.
function nextCommand(
  directory: string,
  { plan, isChanged }: UpdatedPackage,
  options: UpdateOptions,
): string | undefined {
  if (!isChanged) return undefined;
  return options.writes
    ? renderCommandLine(directory, false, undefined, new Set(plan.removals))
    : options.command(directory);
}

function linesOf(directory: string, updated: UpdatedPackage, options: UpdateOptions): string[] {
  const { plan } = updated;
  const count = countFiles(changesOf(plan).length);
  const next = nextCommand(directory, updated, options);
  if (next === undefined)
    return [options.final ? nothingKept : `Up to date: no file changes.${waiting(directory, plan.kept)}`];
  const last = options.writes
    ? `${count} written. Next: ${next}`
    : `Not up to date: ${count} would change. Run: ${next}`;
  return [
    ...plan.new.map((one) => line("new", one)),
    ...plan.changed.map((one) => line("changed", one)),
    ...plan.gone.map((one) => line("gone", one)),
    ...plan.kept.map((one) => line("kept", one)),
    ...plan.unknown.map((one) => line("unknown", one)),
    ...plan.capabilities.map((key) => line("enabled", { key, why: "a capability that the upgrade enables" })),
    ...(plan.version === undefined
      ? []
      : [line("version", { key: plan.version[1], why: `it was ${plan.version[0] ?? "not set"}` })]),
    ...(plan.versionLeft === undefined
      ? []
      : [
          line("version", {
            key: plan.versionLeft,
            why: "as before: the release does not say its version; if it is another, set spec.release.version",
          }),
        ]),
    last,
  ];
}

const nothingKept = "Up to date: the package keeps no request of a previous release, so no upgrade is in progress.";

function waiting(directory: string, kept: readonly Affected[]): string {
  if (kept.length === 0) return "";
  const final = `ccf update-requests --final${directory === "." ? "" : ` ${shellWord(directory)}`}`;
  return ` ${kept.length === 1 ? "1 request of the previous release stays" : `${kept.length} requests of the previous release stay`} until the upgrade is finished; then run: ${final}`;
}

function line(label: string, { key, why }: Affected): string {
  return `${label.padEnd(8)} ${printable(key)}${why === undefined ? "" : `: ${why}`}`;
}

/** How packages are updated. */
interface UpdateOptions {
  /** The value of `--from`. */
  readonly from: string | undefined;
  readonly release: Release | undefined;
  readonly final: boolean;
  readonly writes: boolean;
  /** The command line that does the same for another package, or for all packages below a directory, and writes. */
  command(directory: string, recursive?: boolean): string;
}

/** The update of one package: written, or only planned. */
interface UpdatedPackage {
  readonly plan: UpdatePlan;
  readonly findings: readonly Finding[];
  /** Whether a file changed, or would change. */
  readonly isChanged: boolean;
}

/**
 * Updates one package.
 *
 * @param apart packages inside it that are updated by themselves
 * @throws FindingsError and others if it stays as it is.
 */
function updatePackage(directory: string, options: UpdateOptions, apart: readonly string[] = []): UpdatedPackage {
  const { from, release, final, writes, command } = options;
  if (from !== undefined) refuseNested(from, directory);
  const pkg = readPackage(directory, apart);
  requirePackage(pkg, (below) => command(below), command(directory, true));
  throwErrors(pkg.findings);
  const target: WriteTarget = { directory, command: "update-requests" };
  const earlierFindings = afterInterruption("update-interrupted", target, writes, command(directory));
  const plan = final || release === undefined ? planFinal(pkg, release) : planUpdate(pkg, release);
  const changes = changesOf(plan);
  const findings = writeProblems(target, changes);
  if (hasError(findings)) throw new FindingsError(findings);
  if (writes) writeFiles(target, plan.steps);
  return {
    plan,
    findings: [...earlierFindings, ...pkg.findings, ...plan.findings],
    isChanged: changes.length + earlierFindings.length > 0,
  };
}
