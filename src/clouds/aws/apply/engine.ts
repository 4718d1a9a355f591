import { withCommands } from "../../../apply/kinds.ts";
import { invalidPackage, otherAccount, Prefixes } from "../../../apply/requests.ts";
import type { Access, KindWithoutCommand, Target } from "../../../apply/resource.ts";
import { Once } from "../../../apply/state-reader.ts";
import { textAt } from "../../../core/resource.ts";
import { partitions } from "../cluster/regions.ts";
import { bucketNameProblem, prefixOfTagKey, readIamArn } from "../cluster/resource-names.ts";
import { awsCommand } from "../commands.ts";
import { type AwsResources, awsResources, kinds as names } from "../resources.ts";
import { accessControl } from "./access-control.ts";
import { AwsClient } from "./account.ts";
import { bucket } from "./bucket.ts";
import { bucketPolicy, statementsInside } from "./bucket-policy.ts";
import { type AwsConnection, connect } from "./client.ts";
import type { Context } from "./common.ts";
import { distribution } from "./distribution.ts";
import { document, publishedKey } from "./document.ts";
import { provider, providerEntry } from "./provider.ts";
import { Reader } from "./read-state.ts";
import { role } from "./role.ts";
import { attachedPolicy, inlinePolicy } from "./role-policies.ts";

type AwsAccess = Pick<Access, "environment" | "assumeRole" | "externalId" | "removeTags">;

/** Opens the cloud of packages. Packages that one of these opens share their credentials and what they read of an account. */
export function awsEngine(
  access: AwsAccess,
  connection?: AwsConnection,
): (files: ReadonlyMap<string, string>) => Target {
  const [clients, lists] = [new Once(), new Once()];
  const prefixes = new Prefixes();
  return (files) => {
    const resources = awsResources(files);
    checkResources(resources);
    const { accountId, partition, region, prefix } = resources.facts;
    prefixes.add(`account ${accountId}`, { prefix, mark: resources.facts.ownerMark }, resources.wanted);
    const account = `${partition} ${accountId}`;
    const once = lists.get(account, () => new Once());
    const client = clients.get(
      `${account} ${region}`,
      () => new AwsClient(connection ?? connect(resources.facts, access), once),
    );
    return targetOf({ client, resources, removeTags: access.removeTags, young: new Set(), assigned: {} });
  };
}

function targetOf(context: Context): Target {
  const { facts, wanted, documents } = context.resources;
  const { accountId: account, partition, region, prefix } = facts;
  const all: Readonly<Record<string, KindWithoutCommand>> = {
    [names.bucket]: { ...bucket(context), inside: ({ id }) => statementsInside(context, id) },
    [names.bucketPolicy]: bucketPolicy(context),
    [names.document]: document(context),
    [names.publishedKey]: publishedKey(context),
    [names.accessControl]: accessControl(context),
    [names.distribution]: distribution(context),
    [names.provider]: provider(context),
    [names.clientId]: providerEntry(context, "ClientIDList"),
    [names.thumbprint]: providerEntry(context, "ThumbprintList"),
    [names.role]: role(context),
    [names.inlinePolicy]: inlinePolicy(context),
    [names.attachedPolicy]: attachedPolicy(context),
  };
  const kinds = withCommands(all, (name) => awsCommand(facts, name));
  return {
    place: `AWS ${account} ${region}`,
    facts: { cloud: "aws", partition, account, region },
    prefix,
    wanted,
    kinds,
    // IAM User Guide, "Changes that I make are not always immediately visible".
    settles: 15,
    documents,
    check: () => checkAccount(context),
    read: (how) => new Reader(context, kinds, how).read(),
    statesTag: (key) => prefixOfTagKey(key) !== undefined || statedTags(context.resources).has(key.toLowerCase()),
    next: (directory) => nextSteps(context, directory),
  };
}

/** Keys of tags have no case in IAM. */
function statedTags({ wanted }: AwsResources): Set<string> {
  const tags = wanted.flatMap(({ body }) => [body["Tags"] ?? [], (body["Tagging"] as { TagSet?: [] })?.TagSet ?? []]);
  return new Set((tags.flat() as { Key: string }[]).map(({ Key }) => Key.toLowerCase()));
}

/** Asks who makes the requests, before anything else. */
async function checkAccount({ client, resources: { facts } }: Context): Promise<void> {
  const caller = await client.once.get("caller", () => client.send("sts:GetCallerIdentity", {}));
  const [account, partition] = [textAt(caller, ["Account"]), textAt(caller, ["Arn"]).split(":")[1] ?? ""];
  if (account !== facts.accountId)
    throw otherAccount(`The credentials are for the account ${account}`, facts.accountId);
  if (partition !== facts.partition)
    throw otherAccount(`The credentials are for the partition ${partition}`, facts.partition);
}

function nextSteps({ resources: { facts }, assigned }: Context, directory: string): string[] {
  const { domain } = assigned;
  if (domain === undefined || !/^[a-z0-9.-]+$/.test(domain)) return [];
  if (facts.ownDomain !== undefined)
    return [`DNS: ${facts.ownDomain} must be a CNAME record that points to ${domain}.`];
  if (facts.provider !== undefined) return [];
  return [
    "CloudFront assigned the domain of the issuer. Add it to the package, then apply again:",
    `  ccf set spec.platform.aws.issuerHosting.distributionDomain=${domain} ${directory}`,
  ];
}

/** Files of an export may have been edited together with their digests: credentials must not go elsewhere. */
function checkResources({ facts, wanted }: AwsResources): void {
  const { accountId, partition, region, prefix, bucket: name, provider: arn, previousIssuers } = facts;
  const isHome =
    /^\d{12}$/.test(accountId) && partitions.some(({ id }) => id === partition) && /^[a-z0-9-]+$/.test(region);
  const own = (one: string) => readIamArn(one)?.accountId === accountId && readIamArn(one)?.partition === partition;
  const arns = [
    ...(arn === undefined ? [] : [arn]),
    ...previousIssuers.map(({ provider }) => provider),
    ...wanted.filter(({ kind }) => kind === names.role).map(({ id }) => id),
  ];
  const wrong = arns.find((one) => !own(one));
  const hosts = [name, ...previousIssuers.map(({ bucket }) => bucket)].find((one) => one && bucketNameProblem(one));
  const problem =
    !isHome || prefixOfTagKey(facts.ownerTag) !== prefix
      ? "cluster.json does not name an account"
      : (hosts ?? wrong) === undefined
        ? undefined
        : `a file names the resource ${hosts ?? wrong}`;
  if (problem !== undefined || prefix === "") throw invalidPackage(problem ?? "it has no prefix");
}
