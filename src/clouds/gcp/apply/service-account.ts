import { takenOver } from "../../../apply/kinds.ts";
import type { KindWithoutCommand, Reading } from "../../../apply/resource.ts";
import { liveIn, readingWith } from "../../../apply/state-reader.ts";
import type { ValueMap } from "../../../core/resource.ts";
import { accountKind } from "../kinds/service-account.ts";
import { asked, type Context, compare, markedLive, readNamed, removeNamed } from "./common.ts";
import { emptyObject, named } from "./forms.ts";

/** The service account of one request. What was granted to it is in policies: see policies.ts. */
export function serviceAccount(context: Context): KindWithoutCommand {
  const { client } = context;
  const { fields, requests } = accountKind;
  const differences = compare(fields);
  const read = async ({ id }: { readonly id: string }) => accountReading(context, id);

  return {
    read,
    readExtra: read,
    differences,
    async create(wanted) {
      context.young.add(wanted.id);
      const request = asked(context, requests.create(wanted.id, wanted.body));
      const { status, value } = await client.send({ ...request, form: named(wanted.id), expect: /^ALREADY_EXISTS$/ });
      if (status < 300) return markedLive(context, value as ValueMap);
      const live = await accountReading(context, wanted.id);
      return live.state === "present" ? takenOver(wanted, live.live, differences) : undefined;
    },
    async update(wanted, { value }) {
      const repeat = /NOT_FOUND|Unknown service account/;
      if (differences(wanted, markedLive(context, { ...value, disabled: false })).length > 0)
        await client.send({
          ...asked(context, requests.update(wanted.id, wanted.body)),
          ...{ form: named(wanted.id), repeat },
        });
      if (value["disabled"] === true)
        await client.send({ ...asked(context, requests.enable(wanted.id)), form: emptyObject, repeat });
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
