import type { Extra, Live, Reading } from "../../../apply/resource.ts";
import { listAt, textAt, type Value, valueAt } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { kinds, policyId } from "../resources.ts";
import { extraStatements } from "./bucket-policy.ts";
import { type Context, documentIn } from "./common.ts";
import { extraKeys } from "./document.ts";
import { extraEntries, givenExtras } from "./provider.ts";
import { trustedProviders } from "./role.ts";
import { extraAttached, extraInline } from "./role-policies.ts";

/** A role with everything that hangs on it. */
export interface WholeRole {
  readonly live: Live;
  /** The inline policies, in the form of the API. */
  readonly inline: readonly Value[];
  /** The ARNs of the attached policies. */
  readonly attached: readonly string[];
  /** When and where it was last used, if AWS says so. */
  readonly used: Value;
}

/** What the package owns besides what it wants, by its owner mark, and what its resources have besides what it states. */
export function findExtras(
  context: Context,
  readings: ReadonlyMap<string, Reading>,
  roles: ReadonlyMap<string, WholeRole>,
): Extra[] {
  const { wanted } = context.resources;
  const ids = new Set(wanted.map(({ id }) => id));
  const names = new Set(wanted.flatMap(({ kind, name }) => (kind === kinds.role ? name : [])));
  const issuer = wanted.filter(({ kind }) => kind === kinds.provider).map(({ id }) => id);
  const inside = wanted.flatMap((one): Extra[] => {
    const reading = readings.get(one.id);
    if (reading?.state !== "present") return [];
    const { live } = reading;
    switch (one.kind) {
      case kinds.provider:
        return one.shared ? givenExtras(one, live, audiencesOf(wanted, one)) : extraEntries(one, live);
      case kinds.bucketPolicy:
        return extraStatements(one, live);
      case kinds.document:
        return extraKeys(one, live);
      case kinds.role:
        return policiesOf(one.id, roles.get(one.id)).filter(({ id }) => !ids.has(id));
      default:
        return [];
    }
  });
  const others = [...roles].flatMap(([id, whole]): Extra[] => {
    const { live } = whole;
    // A role with another path has the name of a wanted one.
    if (names.has(textAt(live.value, ["RoleName"])) || live.owner !== "own") return [];
    const kept =
      live.refusal && `${live.refusal.reason.replace(/; .*$/s, "")}; if no cluster uses it, remove it yourself`;
    const role: Extra = { kind: kinds.role, id, name: textAt(live.value, ["RoleName"]), live, needs: issuer };
    if (kept !== undefined) return [{ ...role, kept }];
    // Its own policy goes with it. Others may need the rest, so that is said.
    const own = policyId(id, role.name);
    return [role, ...policiesOf(id, whole).filter((one) => one.id !== own)];
  });
  return [...inside, ...others];
}

function policiesOf(arn: string, whole: WholeRole | undefined): Extra[] {
  if (whole === undefined) return [];
  const { owner } = whole.live;
  return [
    ...whole.inline.map((one) => extraInline(arn, one, owner)),
    ...whole.attached.map((one) => extraAttached(arn, one, owner)),
  ];
}

/** The audiences that the trust policies of the package demand of a provider's tokens, for each statement that demands any. */
function audiencesOf(wanted: readonly WantedResource[], { id, name }: WantedResource): string[][] {
  const roles = wanted.filter(({ kind }) => kind === kinds.role);
  const statements = roles.flatMap(({ body }) => listAt(body, ["AssumeRolePolicyDocument", "Statement"]));
  const own = statements.filter((one) => textAt(one, ["Principal", "Federated"]) === id);
  return own.flatMap((one) => {
    const stated = [valueAt(one, ["Condition", "StringEquals", `${name}:aud`]) ?? []].flat();
    return stated.length === 0 ? [] : [stated.map(String)];
  });
}

/** That roles may be the package's is not known: a run goes on, but a status cannot tell. @param why undefined if it is known. */
export function otherRoles(why: string | undefined): Extra[] {
  if (why === undefined) return [];
  const live: Live = { id: "roles", value: {}, owner: "none" };
  return [{ kind: kinds.role, id: "roles", name: "with another name", live, needs: [], kept: why, unread: true }];
}

/** What a reader must know of roles: who loses credentials if something is removed. */
export function roleNotes(
  { resources }: Context,
  roles: ReadonlyMap<string, WholeRole>,
  listed: readonly Value[],
): string[] {
  const { facts, wanted } = resources;
  const ids = new Set(wanted.map(({ id }) => id));
  const used = [...roles].flatMap(([id, { live, used }]) => {
    const date = textAt(used, ["LastUsedDate"]);
    if (ids.has(id) || live.owner !== "own" || date === "") return [];
    return `role ${textAt(live.value, ["RoleName"])} was last used at ${date} in ${textAt(used, ["Region"])}; whatever still uses it loses its credentials if it is removed`;
  });
  const isGiven = wanted.some(({ kind, shared }) => kind === kinds.provider && shared);
  const others = listed.filter(
    (one) => !ids.has(textAt(one, ["Arn"])) && roles.get(textAt(one, ["Arn"]))?.live.owner !== "own",
  );
  const trusting = others.flatMap((one) => {
    const [provider] = trustedProviders(documentIn(textAt(one, ["AssumeRolePolicyDocument"])));
    if (isGiven || provider === undefined || provider !== facts.provider) return [];
    return `role ${textAt(one, ["RoleName"])}, which the package does not own, trusts its provider; whatever uses it loses its credentials if the provider is removed`;
  });
  return [...used, ...trusting];
}
