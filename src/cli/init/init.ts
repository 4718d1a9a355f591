import { generatorsFor } from "../../../functions/generators.ts";
import type { PlatformQuestions } from "../../clouds/questions.ts";
import { hasError } from "../../core/finding.ts";
import type { Resource } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";
import { printable, quote } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { defaultRelease } from "../../requests/release-filter.ts";
import type { FlagsOf } from "../definition.ts";
import { readPublicKeyFile } from "../files/public-key-file.ts";
import {
  type Answers,
  askAll,
  askMissing,
  check,
  checkConfig,
  completeAnswers,
  fallbackFor,
  givenAnswers,
  ownQuestions,
  platformNamed,
} from "../new-package/answers.ts";
import {
  createdLine,
  createPackage,
  defaultImagePrefix,
  type NewPackage,
  newPackage,
  othersLine,
  refuseTaken,
} from "../new-package/new-package.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeFindings, writeNotes } from "../terminal/output.ts";
import { endWithoutAnswer, NoAnswer } from "../terminal/prompt.ts";
import type { initCommand as definition } from "./definition.ts";
import { initFacts } from "./facts.ts";
import { configLike, filesLike, readModel, refuseSame } from "./like.ts";
import { noRequests, type ReleaseOfImage, releaseImage, requestsOf, requestsOfImage } from "./release-requests.ts";

/** `ccf init DIR`: exit code 0 if the package was created, 1 if nothing was written. */
export async function init(values: FlagsOf<typeof definition>, directory: string): Promise<number> {
  if (values["image-prefix"] !== undefined && !values.container)
    throw new UsageError("--image-prefix requires --container");
  if (values["image-prefix"] !== undefined && !/^[a-z0-9][a-z0-9._:/-]*$/.test(values["image-prefix"])) {
    throw new UsageError(
      `--image-prefix must be a registry and a path in lowercase, not ${quote(values["image-prefix"])}`,
    );
  }
  if (values.facts !== undefined) return initFacts(values, directory, values.facts);
  refuseTaken(directory);
  const image = await releaseImage(values);
  if (values.like !== undefined) return initLike(values, directory, values.like, image);
  const part = partOf(values, image);
  const { given, missing } = givenAnswers(values);
  const needed = missing.filter((flag) => !part.unneeded.includes(flag));
  const answers = await completeAnswers(given, needed, (prompt) => askMissing(prompt, directory, given, part.unneeded));
  if (answers instanceof NoAnswer) return endWithoutAnswer(answers);
  const cloud = platformNamed(answers["platform"] ?? "");
  const publicKey = readPublicKeyFile(answers["public-key-file"] ?? "");
  const requests =
    part.only === "issuer"
      ? noRequests
      : image === undefined
        ? requestsOf(answers["credentials-requests"] ?? "", directory, cloud, defaultRelease)
        : requestsOfImage(image, cloud, defaultRelease);
  const { version } = requests;
  const files = newPackage({
    name: answers["name"] ?? "",
    ...withVersion(fieldsOf(part, cloud, answers), version),
    identities: cloud.identities,
    publicKeys: [publicKey],
    images: values.container ? (values["image-prefix"] ?? defaultImagePrefix) : undefined,
    functions: functionsOf(part, requests.items),
  });
  const findings = [...checkConfig(files.get("cluster-identity.yaml") ?? ""), ...requests.findings];
  writeFindings(findings.filter((finding) => finding.severity !== "info"));
  if (hasError(findings)) return 1;
  createPackage(directory, new Map<string, string | Uint8Array>([...files, ...requests.files]));
  writeNotes(1, [
    createdLine(directory, requests.files, requests.count, cloud.title),
    ...othersLine(requests.others),
    ...nextLines(directory, cloud),
  ]);
  return 0;
}

function withVersion<Fields extends Pick<NewPackage, "spec">>(fields: Fields, version: string | undefined): Fields {
  return version === undefined ? fields : { ...fields, spec: { ...fields.spec, release: { version } } };
}

/** Which part of a cluster the new package is for. */
interface Part {
  /** Undefined: the whole cluster. */
  readonly only: "issuer" | "identities" | undefined;
  readonly issuerUrl: string;
  /** The flags that the package does not need. */
  readonly unneeded: readonly string[];
}

function partOf(
  { only, "issuer-url": issuerUrl, "credentials-requests": requests }: FlagsOf<typeof definition>,
  image: ReleaseOfImage | undefined,
): Part {
  if (issuerUrl !== undefined && only !== "identities")
    throw new UsageError("--issuer-url requires --like or --only identities");
  if (only === "identities" && issuerUrl === undefined)
    throw new UsageError("--only identities requires --issuer-url, the URL of the issuer that the identities trust");
  if (only === "issuer" && requests !== undefined)
    throw new UsageError("--credentials-requests has no effect with --only issuer; omit it");
  const unneeded = only === "issuer" || image !== undefined ? ["credentials-requests"] : [];
  return { only, issuerUrl: issuerUrl ?? "", unneeded };
}

/** The fields of the configuration. The two parts need different prefixes, because the prefix is in the owner mark. */
function fieldsOf(
  { only, issuerUrl }: Part,
  cloud: PlatformQuestions,
  answers: Answers,
): Pick<NewPackage, "platform" | "spec"> {
  if (only === undefined) return { platform: { [cloud.name]: cloud.spec(answers) } };
  if (cloud.identitiesOnly === undefined)
    throw new UsageError(`--only is not supported for ${cloud.title}, where one package contains the whole cluster`);
  return only === "issuer"
    ? { platform: { [cloud.name]: cloud.spec(answers) }, spec: { resourcePrefix: `${answers["name"]}-issuer` } }
    : { platform: { [cloud.name]: cloud.identitiesOnly(answers, issuerUrl) }, spec: { issuer: { url: issuerUrl } } };
}

function functionsOf({ only }: Part, items: readonly Resource[]): string[] {
  const functions = generatorsFor(items).map((fn) => fn.name);
  return only === "issuer" ? functions.filter((name) => name === "generate-oidc-issuer") : functions;
}

/** `ccf init DIR --like OTHER` */
async function initLike(
  values: FlagsOf<typeof definition>,
  directory: string,
  other: string,
  image: ReleaseOfImage | undefined,
): Promise<number> {
  if (values.only !== undefined)
    throw new UsageError("--only cannot be combined with --like, which copies the pipeline; omit one of them");
  if (values.container)
    throw new UsageError("--container has no effect with --like, which copies the pipeline; omit it");
  const model = readModel(other);
  const { cloud } = model;
  if (values.platform !== undefined && values.platform !== cloud.name)
    throw new UsageError(`--platform ${quote(values.platform)} is not the cloud of ${quote(other)}; omit it`);
  const { given } = givenAnswers({ ...values, platform: cloud.name });
  const alone = (cloud.like.together ?? []).filter((flag) => given[flag] === undefined);
  if (alone.length > 0 && alone.length < (cloud.like.together ?? []).length)
    throw new UsageError(`--${alone[0]} is required, because ${quote(other)} has that of another place`);
  const missing = ownQuestions.map(([flag]) => flag).filter((flag) => given[flag] === undefined);
  const answers = await completeAnswers(given, missing, (prompt) =>
    askAll(prompt, given, {
      questions: () => ownQuestions,
      check: (flag, all) => check(flag, all, directory),
      fallback: (flag, all) => fallbackFor(flag, all, directory),
    }),
  );
  if (answers instanceof NoAnswer) return endWithoutAnswer(answers);
  const { name = "" } = answers;
  const publicKey = readPublicKeyFile(answers["public-key-file"] ?? "");
  refuseSame(model, name, publicKey);
  const chosen = answers["credentials-requests"];
  const read =
    image !== undefined
      ? requestsOfImage(image, cloud, model.release)
      : chosen === undefined
        ? undefined
        : requestsOf(chosen, directory, cloud, model.release);
  const requests: ReadonlyMap<string, string | Uint8Array> = read?.files ?? model.requests;
  const count = read?.count ?? model.count;
  if (count === 0)
    throw new UsageError(
      `${quote(other)} contains no CredentialsRequests for ${cloud.title}; use --credentials-requests`,
    );
  const version = read?.version;
  const config = configLike(model, { name, publicKey, issuerUrl: values["issuer-url"], answers, version });
  const findings = [...checkConfig(config), ...(read?.findings ?? [])];
  writeFindings(findings.filter((finding) => finding.severity !== "info"));
  if (hasError(findings)) return 1;
  createPackage(directory, new Map([...filesLike(model, name, config), ...requests]));
  writeNotes(1, [
    createdLine(directory, requests, count, cloud.title),
    ...othersLine(read?.others ?? 0),
    `Settings are those of ${printable(other)}, without ${listed(model.omitted, maxNamed)}.`,
    ...nextLines(directory, cloud),
  ]);
  return 0;
}

/** How many fields a note names. */
const maxNamed = 20;

function nextLines(directory: string, { secondRender }: PlatformQuestions): string[] {
  return [`Next: ccf render ${shellWord(directory)}`, ...(secondRender === undefined ? [] : [secondRender])];
}
