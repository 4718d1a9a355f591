import { removedOnly, takenOver } from "../../../apply/kinds.ts";
import type { Extra, Kind, KindWithoutCommand, Live, Reading } from "../../../apply/resource.ts";
import { readingOf } from "../../../apply/state-reader.ts";
import type { Difference } from "../../../core/difference.ts";
import { listAt, textAt, type ValueMap } from "../../../core/resource.ts";
import { compareText } from "../../../core/text.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { kinds, partName, policyId } from "../resources.ts";
import { type Context, changeIamTags, ifYoung, ownerByTags, settledLive, tagDifferences, tagsIn } from "./common.ts";

/** The provider through which IAM trusts the issuer. Client IDs and thumbprints of others stay: see {@link providerEntry}. */
export function provider(context: Context): KindWithoutCommand {
  const { client } = context;
  const read = ({ id }: { readonly id: string }) => providerReading(context, id);
  const differences: Kind["differences"] = ({ body, shared }, live) => {
    if (shared) return live === undefined ? [{ field: "provider", wanted: true, fixed: givenCure }] : [];
    return [
      ...lists.flatMap((field) => missingEntries(field, body, live?.value)),
      ...tagDifferences(context, tagsIn(body), live && tagsIn(live.value)),
    ];
  };

  return {
    read,
    readExtra: read,
    differences,
    async create(wanted) {
      const expect = /^EntityAlreadyExists$/;
      const created = await client.ask("iam:CreateOpenIDConnectProvider", wanted.body, { expect });
      context.young.add(wanted.id);
      if (created !== undefined) return settledLive({ read, differences }, wanted);
      return takenOver(wanted, await settledLive({ read, differences }, wanted, () => true), differences);
    },
    async update(wanted, { value }) {
      const [{ body }, what] = [wanted, { OpenIDConnectProviderArn: wanted.id }];
      for (const ClientID of listAt(body, ["ClientIDList"]))
        if (!listAt(value, ["ClientIDList"]).includes(ClientID))
          await client.send("iam:AddClientIDToOpenIDConnectProvider", { ...what, ClientID });
      if (missingEntries("ThumbprintList", body, value).length > 0) {
        const ThumbprintList = [...new Set([...entries("ThumbprintList", body), ...entries("ThumbprintList", value)])];
        await client.send("iam:UpdateOpenIDConnectProviderThumbprint", { ...what, ThumbprintList });
      }
      await changeIamTags(context, "OpenIDConnectProvider", what, tagsIn(body), tagsIn(value));
      return settledLive({ read, differences }, wanted);
    },
    inside: async ({ id, value }) =>
      otherClientIds(context, value).map((one) => {
        return { kind: kinds.clientId, name: partName(hostIn(id), one), isForeign: true };
      }),
    async remove({ id }) {
      const what = { OpenIDConnectProviderArn: id };
      await client.ask("iam:DeleteOpenIDConnectProvider", what, { expect: /^NoSuchEntity$/ });
    },
  };
}

function hostIn(arn: string): string {
  return arn.replace(/^.*:oidc-provider\//, "");
}

/** The client IDs that neither the package's provider has, nor OpenShift's tokens. */
function otherClientIds({ resources }: Context, value: ValueMap): string[] {
  const ofPackage = resources.wanted.filter(({ kind }) => kind === kinds.provider).map(({ body }) => body);
  const own = new Set([
    usualAudience,
    "sts.amazonaws.com",
    ...ofPackage.flatMap((body) => entries("ClientIDList", body)),
  ]);
  return entries("ClientIDList", value).filter((one) => !own.has(one));
}

const givenCure =
  "the configuration names it, so it must exist; create it, or remove spec.platform.aws.identityProviderARN, and render again";

const lists = ["ClientIDList", "ThumbprintList"] as const;
type Field = (typeof lists)[number];

/** Client IDs or thumbprints, in one form. IAM ignores the case of thumbprints. */
function entries(field: Field, value: ValueMap): string[] {
  const all = listAt(value, [field]).map(String);
  return (field === "ThumbprintList" ? all.map((one) => one.toLowerCase()) : all).sort(compareText);
}

/** What is missing. A package without thumbprints leaves them to IAM. */
function missingEntries(field: Field, body: ValueMap, value: ValueMap | undefined): Difference[] {
  const [own, found] = [entries(field, body), value === undefined ? [] : entries(field, value)];
  if (own.every((one) => found.includes(one))) return [];
  if (value === undefined) return [{ field, wanted: own }];
  return [{ field, found, wanted: [...new Set([...own, ...found])].sort(compareText) }];
}

/**
 * What is wrong with a provider that the configuration names, and that is never changed: it must take the tokens of the cluster. With
 * the audiences of the trust policies, that is certain; without them, the usual one shows it.
 *
 * @param demanded the audiences that each role demands, if any does.
 */
export function givenExtras(
  { kind, id, name }: WantedResource,
  live: Live,
  demanded: readonly (readonly string[])[],
): Extra[] {
  const found = entries("ClientIDList", live.value);
  const wrong = demanded.find((audiences) => !audiences.some((one) => found.includes(one)));
  if (wrong === undefined && (demanded.length > 0 || found.includes(usualAudience))) return [];
  const has = found.length === 0 ? "it has no client IDs" : `its client IDs are ${found.join(", ")}`;
  const base = { kind, id: `${id}#audience`, name, live, needs: [], breaksIssuer: true } as const;
  const yours = "the configuration names this provider, so add the client ID yourself";
  if (wrong !== undefined)
    return [{ ...base, kept: `${has}, but a role demands the audience ${wrong.join(" or ")}; ${yours}` }];
  const kept = `${has}, so AWS refuses tokens for the audience ${usualAudience}, and the package does not say which one the tokens have; if they have it, ${yours}`;
  return [{ ...base, kept, unread: true }];
}

/** The audience of the tokens that OpenShift's operators mount (OpenShift documentation, "Manual mode with short-term credentials"). */
const usualAudience = "openshift";

/** Reads a provider, by its ARN. */
export async function providerReading(context: Context, id: string): Promise<Reading> {
  const more = { ...ifYoung(context, id), expect: /^NoSuchEntity$/ };
  const answer = await context.client.ask("iam:GetOpenIDConnectProvider", { OpenIDConnectProviderArn: id }, more);
  const live: Live | undefined = answer && { id, value: answer, owner: ownerByTags(context, tagsIn(answer)) };
  return readingOf(live);
}

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
