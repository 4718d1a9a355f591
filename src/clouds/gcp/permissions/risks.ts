import { entryOf } from "../../../core/resource.ts";
import { gcpRoleRisks } from "../../../generated/gcp-role-risks.ts";
import { type Atom, namedAction } from "../../../permissions/permissions.ts";
import { listed, type Reading } from "../../../rules/granted.ts";
import { unpacked } from "./packed.ts";

/*
 * Permissions with which an identity can extend what it may do. A request applies to the whole project, so each of them
 * applies to every service account, or to every resource, of the project.
 */

/** Predefined roles that exist to give such permissions (Google Cloud documentation, "IAM roles and permissions"). */
const administrative: Readonly<Record<string, readonly string[]>> = {
  "roles/iam.roleAdmin": ["iam.roles.update"],
  "roles/iam.securityAdmin": ["resourcemanager.projects.setIamPolicy", "iam.serviceAccounts.setIamPolicy"],
  "roles/iam.serviceAccountAdmin": ["iam.serviceAccounts.setIamPolicy"],
  "roles/iam.serviceAccountKeyAdmin": ["iam.serviceAccountKeys.create"],
  "roles/iam.serviceAccountOpenIdTokenCreator": ["iam.serviceAccounts.getOpenIdToken"],
  "roles/iam.serviceAccountTokenCreator": [
    "iam.serviceAccounts.getAccessToken",
    "iam.serviceAccounts.getOpenIdToken",
    "iam.serviceAccounts.implicitDelegation",
    "iam.serviceAccounts.signBlob",
    "iam.serviceAccounts.signJwt",
  ],
  "roles/iam.workloadIdentityUser": ["iam.serviceAccounts.getAccessToken", "iam.serviceAccounts.getOpenIdToken"],
  "roles/resourcemanager.projectIamAdmin": ["resourcemanager.projects.setIamPolicy"],
};

/** The permissions of a predefined role that rules look for, as far as they are known. */
function risksOf(role: string): readonly string[] {
  return entryOf(administrative, role) ?? unpacked(entryOf(gcpRoleRisks, role) ?? "");
}

/** Permissions that a rule looks for, and the first part that grants any of them. */
export interface Risk {
  /** For a message: the permissions in quotes, each with the role that it comes with. */
  readonly said: string;
  readonly part: Atom;
}

/**
 * Finds permissions, granted by themselves or through a role; undefined if there are none.
 *
 * @param is whether the rule looks for a permission.
 */
export function findRisk({ allowed }: Reading, is: (permission: string) => boolean): Risk | undefined {
  const found = [...allowed.values()].flat().flatMap((part) => {
    const { kind, name = "" } = namedAction(part.action) ?? {};
    // An edited file of an unknown form may grant everything.
    if (kind === undefined) return [{ part, said: "anything, in a form that cannot be read" }];
    if (kind === "permission") return is(name) ? [{ part, said: listed([name]) }] : [];
    const permissions = risksOf(name).filter(is);
    return permissions.length === 0 ? [] : [{ part, said: `${few(permissions)} through ${listed([name])}` }];
  });
  const [first] = found;
  return first === undefined ? undefined : { part: first.part, said: found.map(({ said }) => said).join("; ") };
}

/** The most permissions of a role in a message. */
const maxNamed = 3;

function few(permissions: readonly string[]): string {
  const more = permissions.length - maxNamed;
  return more > 0 ? `${listed(permissions.slice(0, maxNamed))} and ${more} more` : listed(permissions);
}
