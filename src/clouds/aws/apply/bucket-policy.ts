import { goesWith } from "../../../apply/kinds.ts";
import { CloudError } from "../../../apply/requests.ts";
import type { Extra, Inside, Kind, KindWithoutCommand, Live, Owner, Reading } from "../../../apply/resource.ts";
import { liveIn } from "../../../apply/state-reader.ts";
import { readJson } from "../../../core/json.ts";
import { isMap, listAt, textAt, type Value, type ValueMap } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { readStatementId } from "../issuer/issuer-bundle.ts";
import { kinds, partName } from "../resources.ts";
import { bucketReading, ownedBy } from "./bucket.ts";
import { type Context, grantsOf, ifYoung, policyDifferences, policyTerms, policyText, settledLive } from "./common.ts";

/** Who may read the documents: our statement in the policy of the bucket. Statements of others stay. */
export function bucketPolicy(context: Context): KindWithoutCommand {
  const { client } = context;
  const differences: Kind["differences"] = ({ body }, live) => {
    // What AWS assigns stays empty, so that a run that goes on after an interruption has the same steps.
    if (live === undefined) return policyDifferences("policy", body["Policy"] ?? null, undefined);
    return policyDifferences("policy", filledIn(context, body), ownPart(live.value["Policy"] ?? null, body));
  };

  async function read(wanted: WantedResource): Promise<Reading> {
    const bucket = await bucketReading(context, wanted.part ?? "");
    return bucket.state === "present" ? policyReading(context, wanted, bucket.live.owner) : bucket;
  }

  async function put(wanted: WantedResource, live: Live | undefined): Promise<Live | undefined> {
    const own = filledIn(context, wanted.body);
    const found = live?.value["Policy"] ?? null;
    const others = otherStatements(found, wanted.body);
    const Statement = [...listAt(own, ["Statement"]), ...others];
    // What others set besides, such as its Id, stays.
    const { Version: _, ...more }: ValueMap = { ...(isMap(found) ? found : {}), ...own, Statement };
    const version = versionAfter(found, wanted.body);
    const Policy = policyText(version === "" ? more : { Version: version, ...more });
    const input = { ...ownedBy(context, wanted.id), Policy };
    await client.send("s3:PutBucketPolicy", input, ifYoung(context, wanted.part ?? ""));
    return settledLive({ read, differences }, wanted);
  }

  return {
    ...goesWith("bucket"),
    read,
    differences,
    create: (wanted) => put(wanted, undefined),
    update: put,
  };
}

/** The policy, with the ID of the distribution, which only AWS knows. */
function filledIn({ assigned }: Context, { Policy = {} }: ValueMap): ValueMap {
  const end = `:distribution/${assigned.distribution ?? ""}`;
  const text = policyText(Policy).replace(/:distribution\/(?=")/g, end);
  return JSON.parse(text) as ValueMap;
}

const sidsIn = ({ Policy = {} }: ValueMap) => listAt(Policy, ["Statement"]).map((one) => textAt(one, ["Sid"]));

function statementsOf(policy: Value): readonly Value[] {
  const statement = (policy as ValueMap | null)?.["Statement"] ?? [];
  return Array.isArray(statement) ? statement : [statement];
}

/** Our statements in a policy: they have our identifiers. */
function ownPart(policy: Value, body: ValueMap): ValueMap {
  const Statement = statementsOf(policy).filter((one) => sidsIn(body).includes(textAt(one, ["Sid"])));
  const found = textAt(policy, ["Version"]);
  // Our statements mean the same in every version.
  return { Version: found === versionAfter(policy, body) ? versionIn(body) : found, Statement };
}

const versionIn = ({ Policy = {} }: ValueMap) => textAt(Policy, ["Version"]);

/**
 * The version that a policy has after a change; "" for none. With statements of others, it stays, because they may mean something else
 * in another one (IAM User Guide, "IAM JSON policy elements: Version"), and a newer one is never replaced.
 */
function versionAfter(policy: Value, body: ValueMap): string {
  const [found, own] = [textAt(policy, ["Version"]), versionIn(body)];
  const isNewer = /^\d{4}-\d\d-\d\d$/.test(found) && found > own;
  return isNewer || otherStatements(policy, body).length > 0 ? found : own;
}

function otherStatements(policy: Value, body: ValueMap): Value[] {
  return statementsOf(policy).filter((one) => !sidsIn(body).includes(textAt(one, ["Sid"])));
}

/** Reads the policy of the bucket. @param owner whose the bucket is. */
export async function policyReading(context: Context, wanted: WantedResource, owner: Owner): Promise<Reading> {
  const expect = /^NoSuchBucketPolicy$/;
  const answer = await context.client.ask("s3:GetBucketPolicy", ownedBy(context, wanted.id), { expect });
  if (answer === undefined) return { state: "absent", parent: owner };
  const json = readJson(textAt(answer, ["Policy"]));
  // A write would replace statements of others that could not be read.
  if (!("value" in json))
    throw new CloudError(
      `The policy of the bucket ${wanted.name} ${json.problem}, so its statements are not known. Correct it, and run the same command again.`,
    );
  return { state: "present", live: { id: wanted.id, value: { Policy: json.value }, owner } };
}

/** The statements in the policy of a bucket, also of a previous one, that the package does not have. */
export async function statementsInside(context: Context, bucket: string): Promise<Inside[]> {
  const body = { Policy: { Statement: [{ Sid: readStatementId }] } };
  const policy = {
    kind: kinds.bucketPolicy,
    id: `${bucket}#policy`,
    name: ownedBy(context, bucket).Bucket,
    body,
    needs: [],
  };
  const live = liveIn(await policyReading(context, policy, "own"));
  const others = live === undefined ? [] : extraStatements(policy, live);
  return others.map(({ kind, name }) => ({ kind, name, isForeign: true }));
}

/** Statements that others added: they may let more people read or write the documents, or fewer. */
export function extraStatements(wanted: WantedResource, live: Live): Extra[] {
  const others = otherStatements(live.value["Policy"] ?? null, wanted.body);
  return others.flatMap((statement, index): Extra[] => {
    const [term = "an empty statement", ...more] = policyTerms({ Version: "2012-10-17", Statement: [statement] });
    // It denies what no reader of documents does: they use https.
    if (/^deny .* if Bool aws:securetransport "false"$/.test(term)) return [];
    const id = `${wanted.id}#${index}`;
    const name = partName(wanted.name, more.length === 0 ? term : `${term}, and ${more.length} more`);
    const grants = grantsOf({ Version: "2012-10-17", Statement: [statement] });
    const kept = "the package does not have this statement, so another program added it; remove it yourself";
    return [
      {
        kind: kinds.bucketPolicy,
        id,
        name,
        live: { ...live, id },
        needs: [],
        part: wanted.id,
        kept,
        grants,
        foreign: true,
      },
    ];
  });
}
