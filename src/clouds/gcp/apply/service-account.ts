import { takenOver } from "../../../apply/kinds.ts";
import type { Kind, KindWithoutCommand, Reading } from "../../../apply/resource.ts";
import { liveIn, readingWith } from "../../../apply/state-reader.ts";
import { differing } from "../../../core/difference.ts";
import type { ValueMap } from "../../../core/resource.ts";
import { type Context, iamUrl, markedLive, readNamed, removeNamed } from "./common.ts";
import { emptyObject, named } from "./forms.ts";

/** The service account of one request. What was granted to it is in policies: see policies.ts. */
export function serviceAccount(context: Context): KindWithoutCommand {
  const { client } = context;
  const differences: Kind["differences"] = ({ body }, live) => differing(viewOf(body), live && viewOf(live.value));
  const read = async ({ id }: { readonly id: string }) => accountReading(context, id);

  return {
    read,
    readExtra: read,
    differences,
    async create(wanted) {
      const [parent, email = ""] = wanted.id.split(/\/(?=[^/]+$)/);
      const body = { accountId: email.replace(/@.*$/, ""), serviceAccount: wanted.body };
      context.young.add(wanted.id);
      const url = iamUrl(context, parent ?? "");
      const creation = { method: "POST", url, body, form: named(wanted.id), expect: /^ALREADY_EXISTS$/ } as const;
      const { status, value } = await client.send(creation);
      if (status < 300) return markedLive(context, value as ValueMap);
      const live = await accountReading(context, wanted.id);
      return live.state === "present" ? takenOver(wanted, live.live, differences) : undefined;
    },
    async update(wanted, { value }) {
      const url = iamUrl(context, wanted.id);
      const repeat = /NOT_FOUND|Unknown service account/;
      const body = { serviceAccount: wanted.body, updateMask: "displayName,description" };
      if (differences(wanted, markedLive(context, { ...value, disabled: false })).length > 0)
        await client.send({ method: "PATCH", url, body, form: named(wanted.id), repeat });
      if (value["disabled"] === true)
        await client.send({ method: "POST", url: `${url}:enable`, body: {}, form: emptyObject, repeat });
      return liveIn(await accountReading(context, wanted.id));
    },
    // Google refuses to delete an account that is gone as if a permission were missing, so only a read confirms it.
    remove: ({ id }) => removeNamed(context, id, emptyObject),
  };
}

/** Reads an account. One that this run created may be missing for a while. */
export async function accountReading(context: Context, id: string): Promise<Reading> {
  const more = context.young.has(id) ? { repeat: /NOT_FOUND|\(or it may not exist\)/ } : {};
  return readingWith(await readNamed(context, id, more), (value) => markedLive(context, value));
}

function viewOf({ displayName = "", description = "", disabled = false }: ValueMap): ValueMap {
  return { displayName, description, disabled };
}
