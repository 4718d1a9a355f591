import { jsonFile } from "../../core/json.ts";
import { listAt, textAt, type Value, type ValueMap } from "../../core/resource.ts";
import type { WantedResource } from "../../core/wanted-resource.ts";
import { commandsFile, commandsText } from "../commands-text.ts";
import { clusterFile } from "../rendered.ts";
import { shellQuote } from "../specification.ts";
import { updateRole } from "./kinds/role.ts";
import { providerFile, roleFiles } from "./rendered/facts.ts";
import { awsResources, kinds, type ResourceFacts } from "./resources.ts";

/*
 * The resources of a package as commands of the AWS CLI, to read. Their inputs are files of an export.
 */

/**
 * The files that an export contains in addition to those of the bundles, by path: the input that changes a role, computed
 * from the input that creates it, and the commands that create everything.
 *
 * @param files of the bundle ConfigMaps, by path; complete.
 */
export function derivedFiles(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const derived = new Map<string, string>();
  for (const [path, text] of files) {
    const directory = /^(aws\/roles\/[^/]+)\/create-role\.json$/.exec(path)?.[1];
    if (directory === undefined) continue;
    derived.set(`${directory}/update-role.json`, jsonFile(updateRole(JSON.parse(text) as ValueMap)));
  }
  // Without the facts about the cluster, it is not known where the resources belong.
  if (files.has(`aws/${clusterFile}`)) derived.set(`aws/${commandsFile}`, awsCommands(files));
  return derived;
}

function awsCommands(files: ReadonlyMap<string, string>): string {
  const { facts, wanted } = awsResources(files);
  return commandsText({
    form: "commands of the AWS CLI",
    place: `the account ${facts.accountId}`,
    notes: [`The region must be set: export AWS_REGION=${facts.region} AWS_DEFAULT_REGION=${facts.region}`],
    wanted,
    command: (one) => awsCommand(facts, one.kind)("create", one, undefined),
  });
}

type Action = "create" | "update" | "remove";

/** A resource as it is in the cloud. */
interface Live {
  readonly id: string;
  readonly value: ValueMap;
  readonly etag?: string;
}

/** The commands of the AWS CLI that do what a step does with a resource of a kind, as one line. */
export function awsCommand(facts: ResourceFacts, kind: string) {
  return (action: Action, wanted: WantedResource | undefined, live: Live | undefined): string[] => {
    const words =
      wanted !== undefined && action !== "remove"
        ? writing(action, wanted, live, facts)
        : removing(kind, live?.id ?? wanted?.id ?? "", live?.etag ?? "", facts);
    return [words.map((one) => `aws ${one.join(" ")}`).join(" && ")];
  };
}

const word = (text: string) => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : shellQuote(text));
const json = (value: Value) => shellQuote(JSON.stringify(value));
const input = (path: string) => ["--cli-input-json", `file://${path}`];

function writing(
  action: Action,
  { kind, id, name, body, source = "", shared }: WantedResource,
  live: Live | undefined,
  facts: ResourceFacts,
): string[][] {
  const file = (one: string) => input(`${source}/${one}`);
  switch (kind) {
    case kinds.bucket: {
      const { TagSet } = merged(body, live);
      const block = ["s3api put-public-access-block", ...file("put-public-access-block.json")];
      if (action !== "create")
        return [["s3api put-bucket-tagging", ...owned(facts), "--tagging", json({ TagSet })], block];
      // With the tags in the same request, a failure leaves no bucket without the owner mark, and no existing bucket gets it.
      const configuration = { ...(body["CreateBucketConfiguration"] as ValueMap | undefined), Tags: TagSet };
      const create = [...file("create-bucket.json"), "--create-bucket-configuration", json(configuration)];
      return [["s3api create-bucket", ...create], block];
    }
    case kinds.bucketPolicy: {
      const path = `${source}/bucket-policy.json`;
      const filled = `"$(sed ${shellQuote(`s|:distribution/"|:distribution/<the ID of distribution ${name}>"|`)} ${path})"`;
      const isPublished = JSON.stringify(body).includes(':distribution/"');
      return [["s3api put-bucket-policy", ...owned(facts), "--policy", isPublished ? filled : `file://${path}`]];
    }
    case kinds.document: {
      const last = name.replace(/^.*\//, "");
      const file = `put-object-${last.replace(/\.json$/, "")}.json`;
      return [["s3api put-object", ...input(`${source}/${file}`), "--body", `${source}/${last}`]];
    }
    case kinds.accessControl: {
      const known = action === "create" ? [] : ["--id", live?.id ?? "", "--if-match", live?.etag ?? ""];
      return [[`cloudfront ${action}-origin-access-control`, ...known, ...file("create-origin-access-control.json")]];
    }
    case kinds.distribution: {
      const path = `${source}/create-distribution-with-tags.json`;
      const control = `s|"OriginAccessControlId": ""|"OriginAccessControlId": "<the ID of origin access control ${name}>"|`;
      const filled = `"$(sed ${shellQuote(control)} ${path})"`;
      if (action === "create") return [["cloudfront create-distribution-with-tags", "--cli-input-json", filled]];
      const config = (body["DistributionConfigWithTags"] as ValueMap)["DistributionConfig"] ?? {};
      const known = ["--id", live?.id ?? "", "--if-match", live?.etag ?? ""];
      return [["cloudfront update-distribution", ...known, "--distribution-config", json(config)]];
    }
    case kinds.provider: {
      const arn = ["--open-id-connect-provider-arn", word(id)];
      if (shared) return [["iam get-open-id-connect-provider", ...arn]];
      return action === "create"
        ? [["iam create-open-id-connect-provider", ...file(providerFile)]]
        : providerChanges(arn, body, live);
    }
    case kinds.role: {
      const trust = `file://${source}/${roleFiles.trust}`;
      if (action === "create")
        return [["iam create-role", ...file(roleFiles.create), "--assume-role-policy-document", trust]];
      return roleChanges(["--role-name", word(name)], body, trust, file("update-role.json"));
    }
    case kinds.inlinePolicy: {
      const document = `file://${source}/${roleFiles.permissions}`;
      return [["iam put-role-policy", ...file("put-role-policy.json"), "--policy-document", document]];
    }
    case kinds.attachedPolicy:
      return [["iam attach-role-policy", ...input(source)]];
    default:
      throw new Error(`a ${kind} is only ever removed`);
  }
}

function providerChanges(arn: string[], body: ValueMap, live: Live | undefined): string[][] {
  const found = listAt(live?.value ?? {}, ["ClientIDList"]);
  const added = listAt(body, ["ClientIDList"]).filter((one) => !found.includes(one));
  const prints = listAt(body, ["ThumbprintList"]).map((one) => word(String(one)));
  const update = ["iam update-open-id-connect-provider-thumbprint", ...arn, "--thumbprint-list", ...prints];
  return [
    ...added.map((one) => ["iam add-client-id-to-open-id-connect-provider", ...arn, "--client-id", word(String(one))]),
    ...(prints.length === 0 ? [] : [update]),
    ["iam tag-open-id-connect-provider", ...arn, "--tags", json(body["Tags"] ?? [])],
  ];
}

function roleChanges(role: string[], body: ValueMap, trust: string, update: string[]): string[][] {
  const boundary = textAt(body, ["PermissionsBoundary"]);
  return [
    ["iam update-assume-role-policy", ...role, "--policy-document", trust],
    ["iam update-role", ...update],
    boundary === ""
      ? ["iam delete-role-permissions-boundary", ...role]
      : ["iam put-role-permissions-boundary", ...role, "--permissions-boundary", word(boundary)],
    ["iam tag-role", ...role, "--tags", json(body["Tags"] ?? [])],
  ];
}

function owned({ bucket = "", accountId }: ResourceFacts, name = bucket): string[] {
  return ["--bucket", name, "--expected-bucket-owner", accountId];
}

function merged(body: ValueMap, live: Live | undefined): { readonly TagSet: readonly Value[] } {
  const own = listAt(body, ["Tagging", "TagSet"]);
  const keys = own.map((tag) => textAt(tag, ["Key"]));
  const others = listAt(live?.value ?? {}, ["Tags"]).filter((tag) => !keys.includes(textAt(tag, ["Key"])));
  return { TagSet: [...own, ...others] };
}

/** The commands that remove what has an ID in the cloud; that of a part follows a `#`. */
function removing(kind: string, id: string, etag: string, facts: ResourceFacts): string[][] {
  const [arn = "", part = ""] = id.split(/#(.*)/s);
  const role = ["--role-name", word(arn.slice(arn.lastIndexOf("/") + 1))];
  const provider = ["--open-id-connect-provider-arn", word(arn)];
  const match = ["--id", word(id), "--if-match", word(etag)];
  switch (kind) {
    case kinds.bucket: {
      const bucket = word(arn.replace(/^.*:s3:::/, ""));
      return [
        ["s3 rm", `s3://${bucket}`, "--recursive"],
        ["s3api delete-bucket", ...owned(facts, bucket)],
      ];
    }
    case kinds.publishedKey:
      return [["s3api put-object", ...owned(facts), "--key keys.json --body", `<keys.json without ${part}>`]];
    case kinds.accessControl:
      return [["cloudfront delete-origin-access-control", ...match]];
    case kinds.distribution:
      return [["cloudfront delete-distribution", ...match]];
    case kinds.provider:
      return [["iam delete-open-id-connect-provider", ...provider]];
    case kinds.clientId:
      return [["iam remove-client-id-from-open-id-connect-provider", ...provider, "--client-id", word(part)]];
    case kinds.thumbprint:
      return [
        ["iam update-open-id-connect-provider-thumbprint", ...provider, "--thumbprint-list", `<all but ${part}>`],
      ];
    case kinds.role:
      return [["iam delete-role", ...role]];
    case kinds.inlinePolicy:
      return [["iam delete-role-policy", ...role, "--policy-name", word(part)]];
    case kinds.attachedPolicy:
      return [["iam detach-role-policy", ...role, "--policy-arn", word(part)]];
    default:
      throw new Error(`a ${kind} goes with what it is part of`);
  }
}
