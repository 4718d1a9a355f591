import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { generators, generatorsFor } from "../../functions/generators.ts";
import { type Finding, finding, hasError } from "../core/finding.ts";
import { printable, quote } from "../core/text.ts";
import { decodeUtf8 } from "../krm/decode.ts";
import { type Item, readItem } from "../krm/item.ts";
import { sortFindings, toLines } from "../krm/results.ts";
import { runFunctions } from "../krm/run.ts";
import { documents, isProblem, parseSource } from "../krm/source.ts";
import { isKeyProblem, readPublicKey } from "../oidc/public-key.ts";
import { FindingsError, UsageError } from "./errors.ts";
import { newPackage } from "./init-files.ts";
import { createPackage, requestFiles } from "./new-package.ts";
import { write } from "./output.ts";
import { ask, canAsk } from "./prompt.ts";
import { shellWord } from "./shell-word.ts";

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

const questions = [
  ["platform", "Cloud", "aws"],
  ["name", "Name of the cluster; it prefixes every cloud resource", undefined],
  ["account-id", "AWS account ID (12 digits)", undefined],
  ["region", "AWS region", undefined],
  ["public-key-file", "File of the service account signer's public key", undefined],
  ["credentials-requests", "Directory with the release's CredentialsRequests", undefined],
] as const;

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
  const answers = await complete(values);
  const platform = answers["platform"];
  if (platform !== "aws") throw new UsageError(`--platform is ${quote(platform)}; this version knows "aws"`);
  const publicKey = readKey(answers["public-key-file"]);
  const requests = requestFiles(answers["credentials-requests"], directory);
  const files = newPackage({
    name: answers["name"],
    accountId: answers["account-id"],
    region: answers["region"],
    publicKey,
    images: values.container ? (values["image-prefix"] ?? defaultImagePrefix) : undefined,
    functions: generatorsFor([...requests.values()].flatMap(itemsOf)).map((fn) => fn.name),
  });
  const findings = checkConfig(files.get("cluster-identity.yaml") ?? "");
  write(2, toLines(findings.filter((one) => one.severity !== "info")));
  if (hasError(findings)) return 1;
  createPackage(directory, new Map<string, string | Uint8Array>([...files, ...requests]));
  write(1, [
    `Made ${printable(directory)}: the configuration (cluster-identity.yaml), the pipeline (Kptfile) and ${requests.size} files of requests.`,
    `Next: ccf render ${shellWord(printable(directory))}`,
  ]);
  return 0;
}

/** Where the images of the functions are published. */
const defaultImagePrefix = "ghcr.io/cloud-credential-functions";

type Answers = Record<(typeof questions)[number][0], string>;

// What is missing is asked for on a terminal, and nowhere else: a script must not hang.
async function complete(values: Readonly<Record<string, string | boolean | undefined>>): Promise<Answers> {
  const answers: Record<string, string> = {};
  const missing: string[] = [];
  for (const [flag, question, fallback] of questions) {
    const given = values[flag];
    if (typeof given === "string" && given !== "") answers[flag] = given;
    else if (canAsk()) answers[flag] = await ask(question, fallback);
    else missing.push(`--${flag}`);
  }
  if (missing.length > 0) throw new UsageError(`${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} required`);
  return answers as Answers;
}

function readKey(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(
      `--public-key-file ${quote(path)} cannot be read (${(error as NodeJS.ErrnoException).code ?? "error"})`,
    );
  }
  const key = readPublicKey(text);
  if (!isKeyProblem(key)) return `${text.trim().replaceAll("\r\n", "\n")}\n`;
  throw new FindingsError([finding("error", key.code, `--public-key-file ${quote(path)} ${key.problem}.`)]);
}

// A file that cannot be read is for the render to refuse.
function itemsOf(bytes: Uint8Array): Item[] {
  const text = decodeUtf8(bytes);
  const source = text === undefined ? undefined : parseSource(text);
  if (source === undefined || isProblem(source)) return [];
  return documents(source).map((node) => readItem(source, node));
}

// The same checks as a render's, before anything is written.
function checkConfig(text: string): readonly Finding[] {
  const source = parseSource(text);
  if (isProblem(source)) throw new UsageError(`the configuration cannot be written: ${source.reason}`);
  const [node = 0] = documents(source);
  const config = readItem(source, node, { path: "cluster-identity.yaml", index: 0 });
  const issuer = generators.filter((fn) => fn.name === "generate-oidc-issuer");
  return sortFindings(runFunctions(issuer, { items: [], functionConfig: config }).findings);
}
