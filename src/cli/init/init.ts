import { generatorsFor } from "../../../functions/generators.ts";
import { hasError } from "../../core/finding.ts";
import { printable, quote } from "../../core/text.ts";
import type { FlagsOf } from "../definition.ts";
import { readRequests } from "../files/request-files.ts";
import { countFiles } from "../files/write-files.ts";
import { shellWord } from "../terminal/arguments.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeFindings, writeNotes } from "../terminal/output.ts";
import { NoAnswer } from "../terminal/prompt.ts";
import { completeAnswers, stopped } from "./complete-answers.ts";
import type { initCommand as definition } from "./definition.ts";
import { askMissing, checkConfig, givenAnswers, platformNamed } from "./init-answers.ts";
import { newPackage } from "./init-files.ts";
import { readKey } from "./init-key.ts";
import { createPackage, refuseTaken } from "./new-package.ts";

/** `ccf init DIR`: exit code 0 if the package was created, 1 if nothing was written. */
export async function init(values: FlagsOf<typeof definition>, directory: string): Promise<number> {
  if (values["image-prefix"] !== undefined && !values.container)
    throw new UsageError("--image-prefix requires --container");
  if (values["image-prefix"] !== undefined && !/^[a-z0-9][a-z0-9._:/-]*$/.test(values["image-prefix"])) {
    throw new UsageError(
      `--image-prefix must be a registry and a path in lowercase, not ${quote(values["image-prefix"])}`,
    );
  }
  refuseTaken(directory);
  const { given, missing } = givenAnswers(values);
  const answers = await completeAnswers(given, missing, (prompt) => askMissing(prompt, directory, given));
  if (answers instanceof NoAnswer) return stopped(answers);
  const cloud = platformNamed(answers["platform"] ?? "");
  const publicKey = readKey(answers["public-key-file"] ?? "");
  const requests = readRequests(answers["credentials-requests"] ?? "", directory, cloud);
  const files = newPackage({
    name: answers["name"] ?? "",
    platform: { [cloud.name]: cloud.spec(answers) },
    identities: cloud.identities,
    publicKeys: [publicKey],
    images: values.container ? (values["image-prefix"] ?? defaultImagePrefix) : undefined,
    functions: generatorsFor(requests.items).map((fn) => fn.name),
  });
  const findings = checkConfig(files.get("cluster-identity.yaml") ?? "");
  writeFindings(findings.filter((finding) => finding.severity !== "info"));
  if (hasError(findings)) return 1;
  createPackage(directory, new Map<string, string | Uint8Array>([...files, ...requests.files]));
  writeNotes(1, [
    createdLine(directory, requests.files.size, requests.count, cloud.title),
    `Next: ccf render ${shellWord(directory)}`,
    ...(cloud.secondRender === undefined ? [] : [cloud.secondRender]),
  ]);
  return 0;
}

/** The line that says what a new package contains. */
export function createdLine(directory: string, files: number, count: number, cloud: string): string {
  const requests = count === 1 ? "1 CredentialsRequest" : `${count} CredentialsRequests`;
  return `Created ${printable(directory)}: the configuration (cluster-identity.yaml), the pipeline (Kptfile) and ${countFiles(files)} with ${requests} for ${cloud}.`;
}

/** The registry and path of the published images. */
const defaultImagePrefix = "ghcr.io/cloud-credential-functions";
