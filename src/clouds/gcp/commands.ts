import { listAt, textAt, type Value, type ValueMap, valueAt } from "../../core/resource.ts";
import type { WantedResource } from "../../core/wanted-resource.ts";
import { commandsFile, commandsText } from "../commands-text.ts";
import { clusterFile } from "../rendered.ts";
import { shellQuote } from "../specification.ts";
import { ownerLabel } from "./cluster/resource-names.ts";
import { type GcpFacts, gcpResources, kinds, nameOf } from "./resources.ts";

/**
 * The files that an export contains in addition to those of the bundles, by path: the commands that create everything.
 *
 * @param files of its bundle ConfigMaps, by path; complete.
 */
export function derivedFiles(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  // Without the facts about the cluster, it is not known where the resources belong.
  return new Map(files.has(`gcp/${clusterFile}`) ? [[`gcp/${commandsFile}`, gcpCommands(files)]] : []);
}

function gcpCommands(files: ReadonlyMap<string, string>): string {
  const { facts, wanted } = gcpResources(files);
  const command = gcpCommand(facts.projectId);
  return commandsText({
    tool: "the Google Cloud CLI",
    place: `the project ${facts.projectId}`,
    notes: notesOn(facts),
    wanted,
    command: (one) => command("create", one, undefined),
  });
}

function notesOn({ universe }: GcpFacts): string[] {
  const young =
    "Google may need some minutes until something new is known everywhere. If a command fails for that reason, run it again.";
  return universe === "googleapis.com" ? [young] : [`Set CLOUDSDK_CORE_UNIVERSE_DOMAIN=${universe}.`, young];
}

type Action = "create" | "update" | "remove";

/** A resource as it is in the cloud. */
interface Live {
  readonly id: string;
  readonly value: ValueMap;
  readonly deleted?: true;
}

/** The gcloud command that does what a step does, to read. Its files are those of an export. @param projectId not the number. */
export function gcpCommand(projectId: string) {
  return (action: Action, wanted: WantedResource | undefined, live: Live | undefined): string => {
    const id = wanted?.id ?? live?.id ?? "";
    const body = wanted?.body ?? live?.value ?? {};
    const of = { id, body, source: wanted?.source ?? "", project: `--project=${projectId}` };
    const words = commandWords(action, wanted?.kind ?? kindOf(id), of, live);
    return words.map((one) => ["gcloud", ...one.map(quoted)].join(" ")).join(" && ");
  };
}

interface Of {
  readonly id: string;
  readonly body: ValueMap;
  readonly source: string;
  /** The flag. */
  readonly project: string;
}

/** The kind of something that is not in the package, by its name. */
function kindOf(id: string): string {
  if (id.includes("#")) return kinds.member;
  const forms = [
    ["/providers/", kinds.provider],
    ["/workloadIdentityPools/", kinds.pool],
    ["/serviceAccounts/", kinds.account],
    ["/roles/", kinds.role],
  ] as const;
  return forms.find(([part]) => id.includes(part))?.[1] ?? kinds.bucket;
}

function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : shellQuote(word);
}

function commandWords(
  action: Action,
  kind: string,
  { id, body, source, project }: Of,
  live: Live | undefined,
): string[][] {
  const verb = action === "remove" ? "delete" : action;
  const restored = (words: string[], more: string[]) => (live?.deleted ? [[...words, "undelete", ...more]] : []);
  switch (kind) {
    case kinds.bucket:
      return bucketWords(action, id, body, project, live);
    case kinds.document: {
      const [, bucket, path] = /^buckets\/([^/]+)\/(.*)$/.exec(id) ?? [];
      const file = `${source}/${nameOf(id)}`;
      return [["storage", "cp", file, `gs://${bucket}/${path}`, ...flagsOf(body, ["contentType", "cacheControl"])]];
    }
    case kinds.pool: {
      const [words, where] = [
        ["iam", "workload-identity-pools"],
        [nameOf(id), "--location=global", project],
      ];
      const more = action === "remove" ? [] : texts(body);
      const enabled = action === "update" ? ["--no-disabled"] : [];
      return [...restored(words, where), [...words, verb, ...where, ...more, ...enabled]];
    }
    case kinds.provider: {
      const pool = nameOf(id.replace(/\/providers\/.*$/, ""));
      const where = [nameOf(id), `--workload-identity-pool=${pool}`, "--location=global", project];
      const words = ["iam", "workload-identity-pools", "providers"];
      if (action === "remove") return [[...words, verb, ...where]];
      const enabled = action === "update" ? ["--no-disabled"] : [];
      const set = [...words, `${verb}-oidc`, ...where, ...texts(body), ...oidcFlags(body, source, action), ...enabled];
      return [...restored(words, where), set];
    }
    case kinds.account: {
      const words = ["iam", "service-accounts"];
      const email = id.slice(id.lastIndexOf("/") + 1);
      if (action === "remove") return [[...words, verb, email, project]];
      const enable = live?.value["disabled"] === true ? [[...words, "enable", email, project]] : [];
      const name = action === "create" ? nameOf(id) : email;
      return [[...words, verb, name, ...texts(body), project], ...enable];
    }
    case kinds.role: {
      const [words, where] = [
        ["iam", "roles"],
        [nameOf(id), project],
      ];
      const file = action === "remove" ? [] : [`--file=${source}/role.json`];
      return [...restored(words, where), [...words, verb, ...where, ...file]];
    }
    default:
      return [memberWords(action, textAt(body, ["policy"]), textAt(body, ["role"]), textAt(body, ["member"]))];
  }
}

function bucketWords(action: Action, id: string, body: ValueMap, project: string, live: Live | undefined): string[][] {
  const [words, url] = [["storage", "buckets"], `gs://${nameOf(id)}`];
  if (action === "remove")
    return [
      ["storage", "rm", `${url}/**`],
      [...words, "delete", url],
    ];
  const settings = ["--uniform-bucket-level-access", "--no-public-access-prevention"];
  // gcloud cannot set a label when it creates a bucket.
  const label = [...words, "update", url, `--update-labels=${ownerLabel}=${textAt(body, ["labels", ownerLabel])}`];
  const location = `--location=${textAt(body, ["location"])}`;
  if (action === "create") return [[...words, "create", url, location, ...settings, project], label];
  const pays = valueAt(live?.value ?? null, ["billing", "requesterPays"]) === true ? ["--no-requester-pays"] : [];
  return [[...label, ...settings, ...pays]];
}

function memberWords(action: Action, policy: string, role: string, member: string): string[] {
  const verb = `${action === "remove" ? "remove" : "add"}-iam-policy-binding`;
  const [, project = "", email] = /^projects\/([^/]+)(?:\/serviceAccounts\/(.+))?$/.exec(policy) ?? [];
  const more = [`--member=${member}`, `--role=${role}`, "--condition=None"];
  if (policy.startsWith("buckets/")) return ["storage", "buckets", verb, `gs://${nameOf(policy)}`, ...more.slice(0, 2)];
  return email === undefined
    ? ["projects", verb, project, ...more]
    : ["iam", "service-accounts", verb, email, ...more, `--project=${project}`];
}

function flagsOf(body: ValueMap, names: readonly string[]): string[] {
  const dashed = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return names.map((name) => `--${dashed(name)}=${textAt(body, [name])}`);
}

function texts(body: ValueMap): string[] {
  return flagsOf(body, ["displayName", "description"]);
}

function oidcFlags(body: ValueMap, source: string, action: Action): string[] {
  const audiences = listAt(body, ["oidc", "allowedAudiences"]).map(String);
  // gcloud topic escaping: another separator, for audiences that contain a comma.
  const list = audiences.some((one) => one.includes(",")) ? `^~;~^${audiences.join("~;~")}` : audiences.join(",");
  const mapping: Value = body["attributeMapping"] ?? {};
  const mapped = Object.entries(mapping as ValueMap).map(([key, value]) => `${key}=${String(value)}`);
  const condition = textAt(body, ["attributeCondition"]);
  const isKeyed = textAt(body, ["oidc", "jwksJson"]) !== "";
  return [
    `--issuer-uri=${textAt(body, ["oidc", "issuerUri"])}`,
    `--allowed-audiences=${list}`,
    `--attribute-mapping=${mapped.join(",")}`,
    ...(condition === "" && action === "create" ? [] : [`--attribute-condition=${condition}`]),
    ...(isKeyed ? [`--jwk-json-path=${source}/keys.json`] : action === "update" ? ["--jwk-json-path=/dev/null"] : []),
  ];
}
