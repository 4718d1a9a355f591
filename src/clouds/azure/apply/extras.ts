import type { Extra, Live, Reading } from "../../../apply/resource.ts";
import { textAt, type ValueMap, valueAt } from "../../../core/resource.ts";
import { atoms, describeAction, namedAction } from "../../../permissions/permissions.ts";
import { knownRoles, permissionGrants, readPermissions } from "../permissions/terms.ts";
import { type AzureResources, builtInRoleName, nameOf, kinds as names, same } from "../resources.ts";
import { idIn, ownerByTag } from "./common.ts";
import { principalOf } from "./identity.ts";
import { roleIn } from "./role-assignment.ts";
import { roleOwner } from "./role-definition.ts";
import { isIn } from "./storage-account.ts";

/** What was listed in a subscription and in the resource group. */
export interface Listed {
  /** Of the wanted resources, by ID. */
  readonly readings: ReadonlyMap<string, Reading>;
  /** The identities of the package and others that it owns, by ID in lowercase. */
  readonly identities: ReadonlyMap<string, Live>;
  readonly accounts: readonly ValueMap[];
  readonly roles: readonly ValueMap[];
  readonly assignments: readonly ValueMap[];
}

/** What the package owns besides what it wants: role assignments of its identities, custom roles, and storage accounts. */
export function findExtras(resources: AzureResources, listed: Listed): Extra[] {
  const assignments = extraAssignments(resources, listed);
  const going = new Set(assignments.map(({ id }) => id.toLowerCase()));
  return [...assignments, ...extraRoles(resources, listed, going), ...extraAccounts(resources, listed)];
}

/** The IDs that wanted resources have in the cloud. */
function taken({ readings }: Listed): Set<string> {
  const live = [...readings.values()].flatMap((one) => (one.state === "present" ? [one.live.id.toLowerCase()] : []));
  return new Set(live);
}

function extraAssignments({ wanted }: AzureResources, listed: Listed): Extra[] {
  const { identities, roles, assignments } = listed;
  const known = taken(listed);
  const owners = new Map([...identities].map(([id, { value }]) => [principalOf(value), id]));
  return assignments.flatMap((one): Extra[] => {
    const id = idIn(one);
    const identity = identities.get(owners.get(principalOf(one)) ?? "");
    if (identity === undefined || known.has(id.toLowerCase())) return [];
    const part = wanted.find((own) => same(own.id, identity.id))?.id;
    const role = roles.find((found) => same(nameOf(idIn(found)), roleIn(one)));
    const roleText = role === undefined ? builtInRoleName(roleIn(one)) : textAt(role, ["properties", "roleName"]);
    const name = `${nameOf(identity.id)}: ${roleText} at ${textAt(one, ["properties", "scope"])}`;
    const needs = [part ?? identity.id, ...(role === undefined ? [] : [idIn(role)])];
    const live = { id, value: one, owner: identity.owner };
    const condition = textAt(one, ["properties", "condition"]);
    const when = condition === "" ? [] : [`if ${condition}`];
    const grants = [...grantsOf(role, roleIn(one)), ...when];
    return [{ kind: names.assignment, id, name, live, needs, grants, ...(part === undefined ? {} : { part }) }];
  });
}

/** What a role allows. @param role its definition, if it is a custom role of the subscription; otherwise, it is built in. */
function grantsOf(role: ValueMap | undefined, guid: string): string[] {
  const grants =
    role === undefined
      ? knownRoles().get(guid.toLowerCase())?.grants
      : permissionGrants(readPermissions(valueAt(role, ["properties", "permissions"])) ?? []);
  if (grants === undefined) return [`allows what the role ${builtInRoleName(guid)} allows, which is not read`];
  return grants
    .filter(({ effect }) => effect === "Allow")
    .flatMap((grant) => {
      if (grant.undecided !== undefined) return [`may allow anything: ${grant.undecided}`];
      const named = atoms(grant).map((part) => ({ ...part, action: namedAction(part.action)?.name ?? part.action }));
      return named.map((part) => `allows ${describeAction(part)}`);
    });
}

function extraRoles({ wanted, facts }: AzureResources, listed: Listed, going: ReadonlySet<string>): Extra[] {
  const { roles, assignments } = listed;
  const known = taken(listed);
  const own = wanted.filter(({ kind }) => kind === names.role).map(({ id }) => nameOf(id));
  return roles.flatMap((role): Extra[] => {
    const id = idIn(role);
    if (roleOwner(role, facts) !== "own" || known.has(id.toLowerCase())) return [];
    if (own.some((guid) => same(guid, nameOf(id)))) return [];
    const user = assignments.find(
      (one) => roleIn(one) === nameOf(id).toLowerCase() && !going.has(idIn(one).toLowerCase()),
    );
    const kept = user && `it is assigned to ${principalOf(user)} at ${textAt(user, ["properties", "scope"])}`;
    const live: Live = { id, value: role, owner: "own" };
    const name = textAt(role, ["properties", "roleName"]);
    return [{ kind: names.role, id, name, live, needs: [], ...(kept === undefined ? {} : { kept }) }];
  });
}

/**
 * What belongs only to previous issuers: the trust in them, and then what hosts their documents.
 *
 * @param credentials of the package's identities and of others that it owns.
 */
export function findPrevious(
  { facts }: AzureResources,
  { accounts }: Pick<Listed, "accounts">,
  credentials: readonly Live[],
): Extra[] {
  const previous = (facts.previousIssuers ?? []).filter((issuer) => issuer !== facts.issuer);
  const hosts = accounts.flatMap((account): Extra[] => {
    const [id, name] = [idIn(account), nameOf(idIn(account))];
    const live: Live = { id, value: account, owner: ownerByTag(account, facts) };
    const issuers = previous.filter((issuer) => isIn(issuer, name));
    if (live.owner !== "own" || issuers.length === 0) return [];
    if (!same(name, facts.storageAccount)) return [{ kind: names.account, id, name, live, needs: [] }];
    const containers = issuers.map(nameOf).filter((one) => one !== facts.container);
    return containers.map((one) => {
      const containerId = `${id}/blobServices/default/containers/${one}`;
      return { kind: names.container, id: containerId, name: one, live: { ...live, id: containerId }, needs: [] };
    });
  });
  const trust = credentials.flatMap((live): Extra[] => {
    const issuer = textAt(live.value, ["properties", "issuer"]);
    if (!previous.includes(issuer)) return [];
    const identity = nameOf(live.id.replace(/\/federatedIdentityCredentials\/.*$/i, ""));
    const name = `${identity}: ${textAt(live.value, ["properties", "subject"])} of ${issuer}`;
    return [{ kind: names.credential, id: live.id, name, live, needs: hosts.map(({ id }) => id) }];
  });
  return [...hosts, ...trust];
}

// The account of a previous issuer stays until the move ends: ccf destroy --previous.
function extraAccounts({ wanted, facts }: AzureResources, { accounts }: Listed): Extra[] {
  const groups = wanted.filter(({ kind }) => kind === names.group).map(({ id }) => id);
  return accounts.flatMap((account): Extra[] => {
    const [id, owner] = [idIn(account), ownerByTag(account, facts)];
    if (owner !== "own" || wanted.some((one) => same(one.id, id))) return [];
    if ((facts.previousIssuers ?? []).some((issuer) => isIn(issuer, nameOf(id)))) return [];
    return [{ kind: names.account, id, name: nameOf(id), live: { id, value: account, owner }, needs: groups }];
  });
}
