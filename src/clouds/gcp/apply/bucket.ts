import { hidingRule } from "../../../apply/document.ts";
import { takenOver } from "../../../apply/kinds.ts";
import type { Extra, Kind, KindWithoutCommand, Live, Owner, Reading } from "../../../apply/resource.ts";
import { liveIn, unread } from "../../../apply/state-reader.ts";
import { differing } from "../../../core/difference.ts";
import { listAt, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { ownerLabel } from "../cluster/resource-names.ts";
import { bucketRequests, objectRequests } from "../kinds/bucket.ts";
import { nameOf } from "../resources.ts";
import { absent } from "./client.ts";
import { asked, type Context } from "./common.ts";
import { bucket as bucketForm, nothing, objects as objectsForm, uploads as uploadsForm } from "./forms.ts";

/** The bucket of the issuer. Its mark is a label, and the project. It is removed only if it has nothing but our documents. */
export function bucket(context: Context): KindWithoutCommand {
  const { client, resources } = context;
  const fixed = { location: "a bucket cannot be moved; delete it, or set spec.platform.gcp.bucket to another name" };
  const differences: Kind["differences"] = ({ body }, live) =>
    differing(viewOf(body), live && viewOf(live.value), fixed);
  const read = ({ id }: { readonly id: string }) => bucketReading(context, id);

  return {
    read,
    readExtra: read,
    differences,
    async create(wanted) {
      const request = asked(context, bucketRequests.create(wanted.id, wanted.body, resources.facts.projectId));
      const { status, value } = await client.send({ ...request, form: bucketForm(wanted.name), expect: /^conflict$/ });
      if (status < 300) return liveOf(context, value as ValueMap);
      return takenOver(wanted, liveIn(await read(wanted)), differences);
    },
    async update(wanted, { value }) {
      const request = asked(context, bucketRequests.update(wanted.id, wanted.body, value));
      await client.send({ ...request, form: bucketForm(nameOf(wanted.id)), expect: /^conditionNotMet$/ });
      return liveIn(await read(wanted));
    },
    async remove({ id }) {
      for (const { name, generation } of (await contentOf(context, id)).objects) {
        const request = asked(context, objectRequests.delete(id, name, generation));
        await client.send({ ...request, form: nothing, expect: absent });
      }
      await client.send({ ...asked(context, bucketRequests.delete(id)), form: nothing, expect: absent });
    },
    async keep({ id }) {
      const own = new Set(documentPaths);
      const { objects, hidden } = await contentOf(context, id);
      const other = [...objects.map(({ name }) => name), ...hidden].find((name) => !own.has(name));
      return other === undefined
        ? undefined
        : `it has the object ${other}, which is not one of the package's documents`;
    },
  };
}

const documentPaths = [".well-known/openid-configuration", "keys.json"];

function liveOf({ resources: { facts } }: Context, value: ValueMap): Live {
  const label = textAt(value, ["labels", ownerLabel]);
  const owner: Owner = label === facts.prefix ? "own" : label === "" ? "none" : "other";
  const live: Live = { id: `buckets/${textAt(value, ["name"])}`, value, owner };
  const number = textAt(value, ["projectNumber"]);
  if (number === facts.projectNumber) return live;
  return {
    ...live,
    owner: "none",
    refusal: { reason: `it is in the project with the number ${number}; ${otherName}` },
  };
}

const otherName = "set spec.platform.gcp.bucket to another name, and render again";

/** Conditions that a current document never meets: it has no newer versions, and no custom time. */
const ofOthers = [
  ...["numNewerVersions", "daysSinceNoncurrentTime", "noncurrentTimeBefore"],
  ...["daysSinceCustomTime", "customTimeBefore"],
];

/** The lifecycle rules of the bucket that delete a document some day (Cloud Storage JSON API, Buckets, lifecycle). */
export function hidingRules(wanted: WantedResource, { value }: Live): Extra[] {
  return listAt(value, ["lifecycle", "rule"]).flatMap((rule, index) => {
    const condition = (name: string) => valueAt(rule, ["condition", name]);
    const [prefixes, suffixes] = [condition("matchesPrefix"), condition("matchesSuffix")];
    const fits = (list: Value | undefined, is: (part: string) => boolean) =>
      !Array.isArray(list) || list.map(String).some(is);
    const document = documentPaths.find(
      (path) => fits(prefixes, (part) => path.startsWith(part)) && fits(suffixes, (part) => path.endsWith(part)),
    );
    const classes = condition("matchesStorageClass");
    const isOfOthers =
      condition("isLive") === false ||
      ofOthers.some((name) => condition(name) !== undefined) ||
      (Array.isArray(classes) && !classes.includes(value["storageClass"] ?? null));
    if (textAt(rule, ["action", "type"]) !== "Delete" || isOfOthers || document === undefined) return [];
    return [hidingRule(wanted, String(index + 1), `deletes ${document}`)];
  });
}

/** Reads a bucket. Names of buckets are shared by all projects, and a bucket of others cannot be read. */
export async function bucketReading(context: Context, id: string): Promise<Reading> {
  const expect = new RegExp(`${absent.source}|^forbidden$`);
  const request = asked(context, bucketRequests.get(id));
  const { status, value } = await context.client.send({ ...request, form: bucketForm(nameOf(id)), expect });
  if (status === 404) return { state: "absent" };
  if (status < 300) return { state: "present", live: liveOf(context, value as ValueMap) };
  // Cloud Storage answers the same for a bucket of another project and for a bucket that the caller may not read.
  return unread(
    `It belongs to another project, or these credentials may not read it: use credentials with the permissions in admin-role.json, or ${otherName}.`,
  );
}

/** Beside what the package states: what decides whether everyone can read the documents. */
function viewOf(value: ValueMap): ValueMap {
  return {
    location: textAt(value, ["location"]).toUpperCase(),
    [`labels.${ownerLabel}`]: textAt(value, ["labels", ownerLabel]),
    uniformBucketLevelAccess: valueAt(value, ["iamConfiguration", "uniformBucketLevelAccess", "enabled"]) === true,
    publicAccessPrevention: textAt(value, ["iamConfiguration", "publicAccessPrevention"]),
    requesterPays: valueAt(value, ["billing", "requesterPays"]) === true,
    ipFilter: textAt(value, ["ipFilter", "mode"]) === "Enabled",
  };
}

/** Everything in a bucket: all versions of objects, and the names of what was deleted or is being uploaded. */
async function contentOf({ client }: Context, id: string) {
  const base = `${client.connection.storage}/storage/v1/b/${nameOf(id)}/o`;
  const found = await client.list(`${base}?versions=true`, "items", objectsForm, absent);
  const deleted = await client.list(`${base}?softDeleted=true`, "items", objectsForm, absent);
  const objects = found.map((one) => ({ name: textAt(one, ["name"]), generation: textAt(one, ["generation"]) }));
  const uploads = `${client.connection.storage}/${nameOf(id)}?uploads&max-uploads=1000`;
  const form = uploadsForm(nameOf(id));
  const { text } = await client.send({ method: "GET", url: uploads, form, expect: absent });
  const keys = [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name = ""]) => `${name} (being uploaded)`);
  return { objects, hidden: [...deleted.map((one) => textAt(one, ["name"])), ...keys] };
}
