import { dirname, join, resolve } from "node:path";
import { type Finding, finding, hasError } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";
import { quoteWhole } from "../../core/text.ts";
import { sortFindings, toResult } from "../../krm/results.ts";
import { newRsaBits } from "../../oidc/limits.ts";
import type { FlagsOf } from "../definition.ts";
import { nearestDirectory } from "../files/paths.ts";
import { wasInterrupted } from "../files/stage.ts";
import { isWritable } from "../files/write-files.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeFindings, writeJson, writeNotes } from "../terminal/output.ts";
import type { createKeyPairCommand as definition } from "./definition.ts";
import { couldBeCommitted } from "./git-ignores.ts";
import {
  clearKeyStage,
  installerFile,
  type KeyFiles,
  type KeyReader,
  keyTarget,
  makePrivateKey,
  type PrivateKey,
  privateFile,
  publicFile,
  readKeyFiles,
  writeKeys,
} from "./key-files.ts";

/** `ccf create-key-pair`: exit code 0 if a usable key pair exists, 1 if not. Then nothing was written, unless writing itself failed. */
export function createKeyPair(values: FlagsOf<typeof definition>): number {
  const asked = values["output-dir"];
  if (asked === "") throw new UsageError("--output-dir must name a directory");
  // Resolve the path once, so that all checks and writes use the same directory.
  const directory = resolve(asked);
  const reader = values["no-installer"] ? "kube-apiserver" : "installer";
  const secret = reader === "installer" ? [privateFile, installerFile] : [privateFile];
  const wanted = [...secret, publicFile];
  nearestDirectory(directory);
  const interrupted = wasInterrupted(keyTarget(directory));
  const found = readKeyFiles(directory, reader);
  const missing = wanted.filter((path) => !found.there.has(path));
  const findings = sortFindings([
    ...(values["allow-in-git"] ? [] : couldBeCommitted(directory, secret)),
    ...found.findings,
    ...(hasError(found.findings) ? [] : notWritable(directory, missing)),
    ...(interrupted ? [finding("warning", "key-pair-interrupted", interruption)] : []),
  ]);
  writeFindings(findings);
  const failed = hasError(findings);
  const key = failed ? undefined : complete(directory, found, missing, reader, interrupted);
  if (values.output === "json") writeJson(keyPairJson(key, wanted, missing, findings));
  else if (key !== undefined) writeNotes(1, summary(asked, key, wanted, missing));
  return failed ? 1 : 0;
}

const interruption =
  "An earlier run was interrupted; each file that it created is complete. This run creates the others.";

// Checked first, because the generation of a key takes seconds.
function notWritable(directory: string, missing: readonly string[]): Finding[] {
  const parents = missing.flatMap((path) => [directory, dirname(join(directory, path))]);
  const existing = new Set(parents.map((parent) => nearestDirectory(parent).there));
  return [...existing]
    .filter((parent) => !isWritable(parent))
    .map((parent) => {
      const message = `${quoteWhole(parent)} is not writable; change its permissions, or run the command as its owner.`;
      return finding("error", "file-not-writable", message);
    });
}

function complete(
  directory: string,
  found: KeyFiles,
  missing: readonly string[],
  reader: KeyReader,
  interrupted: boolean,
): PrivateKey {
  if (found.key === undefined && reader === "installer")
    writeNotes(2, [`Generating a ${newRsaBits}-bit RSA key; this takes a few seconds.`]);
  const key = found.key ?? makePrivateKey(reader);
  if (interrupted) clearKeyStage(directory);
  if (missing.length > 0) writeKeys(directory, missing, key);
  return key;
}

function keyPairJson(
  key: PrivateKey | undefined,
  wanted: readonly string[],
  missing: readonly string[],
  findings: readonly Finding[],
): ValueMap {
  const paths = (made: boolean) => (key === undefined ? [] : wanted.filter((path) => missing.includes(path) === made));
  return {
    keyID: key?.kid ?? null,
    key: key?.description ?? null,
    made: paths(true),
    used: paths(false),
    findings: findings.map(toResult),
  };
}

function summary(asked: string, key: PrivateKey, wanted: readonly string[], missing: readonly string[]): string[] {
  const shown = (path: string) => shellWord(join(asked, path));
  return [
    ...wanted.map((path) => `${missing.includes(path) ? "created" : "used   "}  ${path}`),
    // No file records which cluster an existing key pair is for.
    ...(missing.includes(privateFile)
      ? []
      : [
          "The private key already existed. A key pair is for one cluster; for another cluster, set another --output-dir.",
        ]),
    `Key ID: ${key.kid} (${key.description}). Keep the private key out of Git.`,
    `Next: ccf init DIR --public-key-file ${shown(publicFile)}`,
    wanted.includes(installerFile)
      ? `For the installer: cp -a ${shown(dirname(installerFile))} INSTALLATION_DIRECTORY`
      : `For kube-apiserver: --service-account-signing-key-file ${shown(privateFile)}`,
  ];
}
