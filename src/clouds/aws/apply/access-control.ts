import { takenOver } from "../../../apply/kinds.ts";
import { CloudError } from "../../../apply/requests.ts";
import type { Kind, KindWithoutCommand, Live, Owner, Reading } from "../../../apply/resource.ts";
import { liveIn, readingOf } from "../../../apply/state-reader.ts";
import { isMap, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import { differencesOf } from "../../fields.ts";
import { prefixOfTagKey } from "../cluster/resource-names.ts";
import { accessControlFields } from "../kinds/access-control.ts";
import type { Context } from "./common.ts";

/** What signs CloudFront's requests to the bucket. It cannot have tags, so its description is its mark. */
export function accessControl(context: Context): KindWithoutCommand {
  const { client, assigned } = context;
  const differences: Kind["differences"] = ({ body }, live) =>
    differencesOf(accessControlFields, configIn(body), live && configIn(live.value));

  async function read(name: string): Promise<Reading> {
    // A list may not contain yet what was just created.
    if (assigned.accessControl !== undefined) return controlReading(context, assigned.accessControl);
    const found = (await listControls(context)).find((one) => textAt(one, ["Name"]) === name);
    return found === undefined ? { state: "absent" } : controlReading(context, checkedId(textAt(found, ["Id"])));
  }

  return {
    read: ({ name }) => read(name),
    readExtra: ({ id }) => controlReading(context, id),
    differences,
    async create(wanted) {
      const expect = /^OriginAccessControlAlreadyExists$/;
      const answer = await client.ask("cloudfront:CreateOriginAccessControl", wanted.body, { expect });
      if (answer === undefined) {
        const live = liveIn(await read(wanted.name));
        const taken = takenOver(wanted, live, differences);
        assigned.accessControl = checkedId(live?.id ?? "");
        return taken;
      }
      const value = (answer["OriginAccessControl"] ?? {}) as ValueMap;
      assigned.accessControl = checkedId(textAt(value, ["Id"]));
      return controlLive(context, value);
    },
    async update(wanted, { id, etag = "" }) {
      await client.send("cloudfront:UpdateOriginAccessControl", { Id: id, IfMatch: etag, ...wanted.body });
      return liveIn(await controlReading(context, id));
    },
    async remove({ id, etag = "" }) {
      const more = { expect: /^NoSuchOriginAccessControl$/, repeat: /^OriginAccessControlInUse/ };
      await client.ask("cloudfront:DeleteOriginAccessControl", { Id: id, IfMatch: etag }, more);
      if (assigned.accessControl === id) delete assigned.accessControl;
    },
  };
}

function configIn(value: ValueMap): ValueMap {
  const config = valueAt(value, ["OriginAccessControlConfig"]);
  return isMap(config) ? config : {};
}

/** All access controls of the account, which may be some minutes old. */
export function listControls({ client }: Pick<Context, "client">): Promise<Value[]> {
  const next = { Marker: "NextMarker" };
  return client.list("cloudfront:ListOriginAccessControls", {}, ["OriginAccessControlList", "Items"], next);
}

/** An ID that AWS assigned, before it becomes part of a request or a policy. @throws CloudError if it has another form. */
export function checkedId(id: string): string {
  if (!/^[A-Z0-9]+$/.test(id))
    throw new CloudError(`AWS's answer contains an ID of an unknown form: ${JSON.stringify(id)}.`);
  return id;
}

/** Reads an access control by its ID. */
export async function controlReading(context: Context, Id: string): Promise<Reading> {
  const expect = /^NoSuchOriginAccessControl$/;
  const answer = await context.client.ask("cloudfront:GetOriginAccessControl", { Id }, { expect });
  const value = answer && ((answer["OriginAccessControl"] ?? {}) as ValueMap);
  return readingOf(value && { ...controlLive(context, value), etag: textAt(answer, ["ETag"]) });
}

function controlLive({ resources: { facts } }: Context, value: ValueMap): Live {
  return { id: textAt(value, ["Id"]), value, owner: ownerOf(facts.ownerTag, textAt(configIn(value), ["Description"])) };
}

/** Whose an access control is, by its description. */
export function ownerOf(ownerTag: string, description: string): Owner {
  if (description === ownerTag) return "own";
  return prefixOfTagKey(description) === undefined ? "none" : "other";
}
