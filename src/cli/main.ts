import { generators } from "../../functions/generators.ts";
import { functionNamed } from "../../functions/registry.ts";
import { didYouMean } from "../core/nearest.ts";
import { quote } from "../core/text.ts";
import { runOnStdio } from "../krm/stdio.ts";
import { argoCdGenerate } from "./argo-cd-generate/argo-cd.ts";
import { checkIssuer } from "./check-issuer/check-issuer.ts";
import { createKeyPair } from "./create-key-pair/create-key-pair.ts";
import { diffPermissions } from "./diff-permissions/diff-permissions.ts";
import { explain as explainPackage } from "./explain/explain.ts";
import { exportPackage } from "./export/export.ts";
import {
  argoCdHelp,
  checkIssuerHelp,
  createKeyPairHelp,
  diffPermissionsHelp,
  distributionDomainHelp,
  explainHelp,
  exportHelp,
  functionHelp,
  initHelp,
  mainHelp,
  renderHelp,
  roleSpecHelp,
  upgradeableToHelp,
  validateHelp,
  verifyTokenHelp,
} from "./help.ts";
import { init } from "./init/init.ts";
import { kustomizePlugin, pluginName } from "./kustomize-plugin/kustomize-plugin.ts";
import { render } from "./render/render.ts";
import { roleSpec } from "./role-spec/role-spec.ts";
import { setDistributionDomain } from "./set-distribution-domain/set-distribution-domain.ts";
import { UsageError } from "./terminal/errors.ts";
import { asksForJson, type Failure, failureJson, failureOf } from "./terminal/failure.ts";
import { write, writeJson } from "./terminal/output.ts";
import { version } from "./terminal/version.ts";
import { writeUpgradeableTo } from "./upgradeable-to/upgradeable-to.ts";
import { validatePackage } from "./validate/validate.ts";
import { verifyToken } from "./verify-token/verify-token.ts";

interface Command {
  readonly help: string;
  run(args: readonly string[]): number | Promise<number>;
}

const commands: Readonly<Record<string, Command>> = {
  "create-key-pair": { help: createKeyPairHelp, run: createKeyPair },
  init: { help: initHelp, run: init },
  render: { help: renderHelp, run: render },
  validate: { help: validateHelp, run: validatePackage },
  export: { help: exportHelp, run: exportPackage },
  "diff-permissions": { help: diffPermissionsHelp, run: diffPermissions },
  "upgradeable-to": { help: upgradeableToHelp, run: writeUpgradeableTo },
  "set-distribution-domain": { help: distributionDomainHelp, run: setDistributionDomain },
  explain: { help: explainHelp, run: explainPackage },
  "check-issuer": { help: checkIssuerHelp, run: checkIssuer },
  "verify-token": { help: verifyTokenHelp, run: verifyToken },
  "role-spec": { help: roleSpecHelp, run: roleSpec },
  "argo-cd-generate": { help: argoCdHelp, run: argoCdGenerate },
};

/** Runs what the arguments and the program's name ask for, and sets the exit code. */
export async function main(args: readonly string[], called: string, isTerminal: boolean): Promise<void> {
  try {
    process.exitCode = called === pluginName ? kustomizePlugin(args) : await dispatch(args, called, isTerminal);
  } catch (error) {
    process.exitCode = 1;
    tell(failureOf(error), asksForJson(args));
  }
}

function tell(failure: Failure, inJson: boolean): void {
  try {
    write(2, failure.lines);
    if (inJson) writeJson(failureJson(failure));
  } catch {
    // What cannot be written cannot be said either; the exit code says it.
  }
}

async function dispatch(given: readonly string[], called: string, isTerminal: boolean): Promise<number> {
  const named = functionNamed(given[0] ?? "");
  const fn = named ?? functionNamed(called);
  const args = named === undefined ? given : given.slice(1);
  if (args.length === 0 && fn !== undefined) return runOnStdio([fn]);
  if (args.length === 0 && !isTerminal) return runOnStdio(generators);
  const [first = "--help", ...rest] = fn === undefined ? args : [fn.name, ...args];
  const wantsHelp = first === "help" || args.length === 0 || args.some((arg) => arg === "--help" || arg === "-h");
  const command = commandNamed(first);
  if (command !== undefined && !wantsHelp) return command.run(rest);
  if (first === "--version" || first === "version") write(1, [version]);
  else if (wantsHelp) write(1, helpFor(first === "help" ? rest[0] : first).split("\n"));
  else if (fn !== undefined)
    throw new UsageError(`${fn.name} takes no arguments; it reads a ResourceList on standard input`);
  else throw new UsageError(`${quote(first)} is no command${didYouMean(first, Object.keys(commands))}`);
  return 0;
}

// A function may have a command of its name, which does the same for files.
function commandNamed(name: string): Command | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}

function helpFor(topic = ""): string {
  const [fn, command] = [functionNamed(topic), commandNamed(topic)];
  const texts = [fn === undefined ? [] : functionHelp(fn), command?.help ?? []].flat();
  return texts.length === 0 ? mainHelp() : texts.join("\n\n");
}
