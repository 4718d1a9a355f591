import { parseArgs } from "node:util";
import { generatorsFor } from "../../../functions/generators.ts";
import { hasError } from "../../core/finding.ts";
import { printable, quote } from "../../core/text.ts";
import { toLines } from "../../krm/results.ts";
import { type Requests, readRequests } from "../files/request-files.ts";
import { countFiles } from "../terminal/change-lines.ts";
import { UsageError } from "../terminal/errors.ts";
import { write } from "../terminal/output.ts";
import { canAsk, NoAnswer, openPrompt } from "../terminal/prompt.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { type Answers, askMissing, checkConfig, checkPlatform, givenAnswers } from "./init-answers.ts";
import { newPackage } from "./init-files.ts";
import { readKey } from "./init-key.ts";
import { createPackage, refuseTaken } from "./new-package.ts";

const options = {
  platform: { type: "string" },
  name: { type: "string" },
  "account-id": { type: "string" },
  region: { type: "string" },
  "public-key-file": { type: "string" },
  "credentials-requests": { type: "string" },
  container: { type: "boolean", default: false },
  "image-prefix": { type: "string" },
} as const;

/** `ccf init DIR`: exit 0 made, 1 not made; then nothing was written. */
export async function init(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const [directory, ...more] = positionals;
  if (directory === undefined || more.length > 0) throw new UsageError("init makes one package; name its directory");
  if (values["image-prefix"] !== undefined && !values.container)
    throw new UsageError("--image-prefix is for --container");
  if (values["image-prefix"] !== undefined && !/^[a-z0-9][a-z0-9._:/-]*$/.test(values["image-prefix"])) {
    throw new UsageError(
      `--image-prefix ${quote(values["image-prefix"])} must be a registry and a path, in lower case`,
    );
  }
  refuseTaken(directory);
  const answers = await complete(values, directory).catch((error: unknown) => {
    if (error instanceof NoAnswer) return error;
    throw error;
  });
  if (answers instanceof NoAnswer) return stopped(answers);
  checkPlatform(answers["platform"]);
  const publicKey = readKey(answers["public-key-file"]);
  const requests = readRequests(answers["credentials-requests"], directory);
  const files = newPackage({
    name: answers["name"],
    accountId: answers["account-id"],
    region: answers["region"],
    publicKey,
    images: values.container ? (values["image-prefix"] ?? defaultImagePrefix) : undefined,
    functions: generatorsFor(requests.items).map((fn) => fn.name),
  });
  const findings = checkConfig(files.get("cluster-identity.yaml") ?? "");
  write(2, toLines(findings.filter((one) => one.severity !== "info")));
  if (hasError(findings)) return 1;
  createPackage(directory, new Map<string, string | Uint8Array>([...files, ...requests.files]));
  write(1, [
    `Made ${printable(directory)}: the configuration (cluster-identity.yaml), the pipeline (Kptfile) and ${counted(requests)}.`,
    `Next: ccf render ${shellWord(directory)}`,
  ]);
  return 0;
}

function counted({ files, count }: Requests): string {
  const requests = count === 1 ? "1 CredentialsRequest" : `${count} CredentialsRequests`;
  return `${countFiles(files.size)} with ${requests} for AWS`;
}

/** Where the images of the functions are published. */
const defaultImagePrefix = "ghcr.io/cloud-credential-functions";

// What is missing is asked for on a terminal, and nowhere else: a script must not hang.
async function complete(flags: Readonly<Record<string, string | boolean | undefined>>, directory: string) {
  const { given, missing } = givenAnswers(flags);
  if (missing.length === 0) return given as Answers;
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

// A shell stops a script where a program was ended by the signal, and not where it only says so.
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
