import { generatorsFor } from "../../../functions/generators.ts";
import { hasError } from "../../core/finding.ts";
import { printable, quote } from "../../core/text.ts";
import type { FlagsOf } from "../definition.ts";
import { type Requests, readRequests } from "../files/request-files.ts";
import { countFiles } from "../terminal/change-lines.ts";
import { UsageError } from "../terminal/errors.ts";
import { write, writeFindings, writeNotes } from "../terminal/output.ts";
import { canAsk, NoAnswer, openPrompt } from "../terminal/prompt.ts";
import { shellWord } from "../terminal/shell-word.ts";
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
  const answers = await complete(values, directory).catch((error: unknown) => {
    if (error instanceof NoAnswer) return error;
    throw error;
  });
  if (answers instanceof NoAnswer) return stopped(answers);
  const cloud = platformNamed(answers["platform"] ?? "");
  const publicKey = readKey(answers["public-key-file"] ?? "");
  const requests = readRequests(answers["credentials-requests"] ?? "", directory, cloud);
  const files = newPackage({
    name: answers["name"] ?? "",
    platform: { [cloud.name]: cloud.spec(answers) },
    identities: cloud.identities,
    publicKey,
    images: values.container ? (values["image-prefix"] ?? defaultImagePrefix) : undefined,
    functions: generatorsFor(requests.items).map((fn) => fn.name),
  });
  const findings = checkConfig(files.get("cluster-identity.yaml") ?? "");
  writeFindings(findings.filter((finding) => finding.severity !== "info"));
  if (hasError(findings)) return 1;
  createPackage(directory, new Map<string, string | Uint8Array>([...files, ...requests.files]));
  writeNotes(1, [
    `Created ${printable(directory)}: the configuration (cluster-identity.yaml), the pipeline (Kptfile) and ${counted(requests, cloud.title)}.`,
    `Next: ccf render ${shellWord(directory)}`,
    ...(cloud.secondRender === undefined ? [] : [cloud.secondRender]),
  ]);
  return 0;
}

function counted({ files, count }: Requests, cloud: string): string {
  const requests = count === 1 ? "1 CredentialsRequest" : `${count} CredentialsRequests`;
  return `${countFiles(files.size)} with ${requests} for ${cloud}`;
}

/** The registry and path of the published images. */
const defaultImagePrefix = "ghcr.io/cloud-credential-functions";

// Missing values are requested only on a terminal, because a script must not hang.
async function complete(flags: FlagsOf<typeof definition>, directory: string) {
  const { given, missing } = givenAnswers(flags);
  if (missing.length === 0) return given;
  if (!canAsk()) {
    const names = missing.map((flag) => `--${flag}`).join(", ");
    throw new UsageError(`${names} ${missing.length === 1 ? "is" : "are"} required`);
  }
  const prompt = openPrompt();
  try {
    return await askMissing(prompt, directory, given);
  } finally {
    prompt.close();
  }
}

// A shell stops a script only if the signal itself terminated the program, not if the program exits with the same code.
function stopped({ interrupted }: NoAnswer): number {
  write(2, [
    "",
    interrupted
      ? "Interrupted. Nothing was written."
      : "error: the input ended before the last answer. Nothing was written.",
  ]);
  if (interrupted) process.kill(process.pid, "SIGINT");
  return interrupted ? 130 : 1;
}
