import { differing, takenOver } from "../../../apply/kinds.ts";
import { CloudError, until } from "../../../apply/requests.ts";
import type { Kind, KindWithoutCommand, Live, Owner, Reading } from "../../../apply/resource.ts";
import { liveIn, unread } from "../../../apply/state-reader.ts";
import { textAt, type ValueMap, valueAt } from "../../../core/resource.ts";
import { ownerLabel } from "../cluster/resource-names.ts";
import { kinds, nameOf } from "../resources.ts";
import { absent } from "./client.ts";
import type { Context } from "./common.ts";

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
      const url = `${client.connection.storage}/storage/v1/b?project=${resources.facts.projectId}`;
      const body = { name: wanted.name, ...wanted.body };
      const { status, value } = await client.send({ method: "POST", url, body, expect: /^conflict$/ });
      if (status < 300) return liveOf(context, value as ValueMap);
      return takenOver(wanted, liveIn(await read(wanted)), differences);
    },
    async update(wanted, { value }) {
      const { labels = {}, iamConfiguration = {} } = wanted.body;
      const open = valueAt(value, ["ipFilter", "mode"]) === "Enabled" ? { ipFilter: { mode: "Disabled" } } : {};
      const body = { labels, iamConfiguration, billing: { requesterPays: false }, ...open };
      const condition = `ifMetagenerationMatch=${textAt(value, ["metageneration"])}`;
      const url = `${bucketUrl(context, wanted.id)}?${condition}`;
      await client.send({ method: "PATCH", url, body, expect: /^conditionNotMet$/ });
      return liveIn(await read(wanted));
    },
    async remove({ id }) {
      for (const { name, generation } of (await contentOf(context, id)).objects) {
        const url = `${bucketUrl(context, id)}/o/${encodeURIComponent(name)}?generation=${generation}`;
        await client.send({ method: "DELETE", url, expect: absent });
      }
      await client.send({ method: "DELETE", url: bucketUrl(context, id), expect: absent });
      // Another project may take the name at once.
      await until(
        `${id} still exists after its deletion`,
        async () => liveIn(await bucketReading(context, id))?.owner !== "own",
      );
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

/** The URL of a bucket in the JSON API. */
export function bucketUrl({ client }: Pick<Context, "client">, id: string): string {
  return `${client.connection.storage}/storage/v1/b/${nameOf(id)}`;
}

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

/** Reads a bucket. Names of buckets are shared by all projects, and a bucket of others cannot be read. */
export async function bucketReading(context: Context, id: string): Promise<Reading> {
  const expect = new RegExp(`${absent.source}|^forbidden$`);
  const { status, value } = await context.client.send({ method: "GET", url: bucketUrl(context, id), expect });
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
  const found = await client.list(`${base}?versions=true`, "items", absent);
  const deleted = await client.list(`${base}?softDeleted=true`, "items", absent);
  const objects = found.map((one) => ({ name: textAt(one, ["name"]), generation: textAt(one, ["generation"]) }));
  if (objects.some(({ name, generation }) => name === "" || !/^\d+$/.test(generation)))
    throw new CloudError(`Google's list of the objects in the ${kinds.bucket} ${nameOf(id)} is not complete.`);
  const uploads = `${client.connection.storage}/${nameOf(id)}?uploads&max-uploads=1000`;
  const { text, status } = await client.send({ method: "GET", url: uploads, expect: absent });
  if (status < 300 && !text.includes("</ListMultipartUploadsResult>"))
    throw new CloudError(`Google's list of the uploads to the ${kinds.bucket} ${nameOf(id)} is not complete.`);
  const keys = [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name = ""]) => `${name} (being uploaded)`);
  return { objects, hidden: [...deleted.map((one) => textAt(one, ["name"])), ...keys] };
}
