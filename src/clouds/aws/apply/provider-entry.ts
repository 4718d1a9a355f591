import { removedOnly } from "../../../apply/parts.ts";
import type { Extra, KindWithoutCommand, Live, Reading } from "../../../apply/resource.ts";
import { textAt } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { kinds, partName, policyId } from "../resources.ts";
import type { Context } from "./common.ts";
import { entries, providerReading } from "./provider.ts";

type Field = "ClientIDList" | "ThumbprintList";

/** A client ID or a thumbprint of the provider that is not in the package. It is only ever removed. */
export function providerEntry(context: Context, field: Field): KindWithoutCommand {
  const { client } = context;

  async function readExtra({ id }: Pick<Extra, "id">): Promise<Reading> {
    const [arn = "", entry = ""] = id.split(/#(.*)/s);
    const reading = await providerReading(context, arn);
    if (reading.state !== "present" || !entries(field, reading.live.value).includes(entry)) return { state: "absent" };
    return { state: "present", live: liveEntry(reading.live, entry) };
  }

  return {
    ...removedOnly,
    readExtra,
    async remove({ id, value }) {
      const OpenIDConnectProviderArn = id.replace(/#.*$/s, "");
      const entry = textAt(value, ["Entry"]);
      if (field === "ClientIDList") {
        const input = { OpenIDConnectProviderArn, ClientID: entry };
        await client.send("iam:RemoveClientIDFromOpenIDConnectProvider", input);
        return;
      }
      const now = await providerReading(context, OpenIDConnectProviderArn);
      const all = now.state === "present" ? entries(field, now.live.value) : [];
      const ThumbprintList = all.filter((one) => one !== entry);
      await client.send("iam:UpdateOpenIDConnectProviderThumbprint", { OpenIDConnectProviderArn, ThumbprintList });
    },
  };
}

function liveEntry({ id, owner }: Live, entry: string): Live {
  return { id: policyId(id, entry), value: { Entry: entry }, owner };
}

/** The client IDs and thumbprints that the provider has besides those of the package. */
export function extraEntries({ id, name, body }: WantedResource, live: Live): Extra[] {
  const of = (field: Field, kind: string) => {
    const own = entries(field, body);
    // A package without thumbprints leaves them to IAM.
    const others = own.length === 0 ? [] : entries(field, live.value).filter((one) => !own.includes(one));
    return others.map((one): Extra => {
      const entry = liveEntry(live, one);
      return { kind, id: entry.id, name: partName(name, one), live: entry, needs: [id], part: id };
    });
  };
  return [...of("ClientIDList", kinds.clientId), ...of("ThumbprintList", kinds.thumbprint)];
}
