import { matches } from "../../../permissions/glob.ts";
import { type ActionPart, type Atom, atomsOf, namedAction } from "../../../permissions/permissions.ts";
import { listed, type Reading } from "../../../rules/granted.ts";
import { knownRoles } from "./known-roles.ts";

/*
 * Actions with which an identity can extend what it may do. A role applies to everything in its scopes, so each of them applies
 * to every identity, machine, or storage account there. The names are Microsoft's ("Azure permissions").
 */

/** Actions that change who may do what. */
export const assigning: readonly string[] = [
  "Microsoft.Authorization/roleAssignments/write",
  "Microsoft.Authorization/roleDefinitions/write",
  "Microsoft.Authorization/roleAssignmentScheduleRequests/write",
  "Microsoft.Authorization/elevateAccess/action",
];

/** Actions with which an identity can act as another managed identity. */
export const actingAs: readonly string[] = [
  "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/write",
  "Microsoft.ManagedIdentity/userAssignedIdentities/assign/action",
];

/** Actions that return keys, or tokens that are made from keys. */
export const listingKeys: readonly string[] = [
  "Microsoft.Storage/storageAccounts/listKeys/action",
  "Microsoft.Storage/storageAccounts/regenerateKey/action",
  "Microsoft.Storage/storageAccounts/listAccountSas/action",
  "Microsoft.Storage/storageAccounts/listServiceSas/action",
  "Microsoft.ContainerRegistry/registries/listCredentials/action",
];

/** Actions that run commands in virtual machines. */
export const runningCommands: readonly string[] = [
  "Microsoft.Compute/virtualMachines/runCommand/action",
  "Microsoft.Compute/virtualMachines/runCommands/write",
  "Microsoft.Compute/virtualMachines/extensions/write",
  "Microsoft.Compute/virtualMachineScaleSets/extensions/write",
  "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/runCommand/action",
  "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/runCommands/write",
  "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/extensions/write",
];

/** Actions that a rule looks for, and the first part that grants any of them. */
export interface Risk {
  /** For a message: the actions in quotes, each with the wildcard or the role that it comes with. */
  readonly said: string;
  readonly part: Atom;
}

/** Finds actions, granted by themselves, through a wildcard, or through a role whose definition is known; undefined if none. */
export function findRisk({ allowed }: Reading, actions: readonly string[]): Risk | undefined {
  const found = [...allowed.values()].flat().flatMap((part) => {
    const { kind, name = "" } = namedAction(part.action) ?? {};
    // An edited file of an unknown form may grant everything.
    if (kind === undefined) return [{ part, said: "anything, in a form that cannot be read" }];
    const parts = kind === "role" ? atomsOf(knownRoles().get(name.toLowerCase())?.grants ?? [], "Allow") : [part];
    const risks = actions.filter((action) => parts.some((one) => contains(one, action)));
    if (risks.length === 0) return [];
    const through =
      risks.length === 1 && risks[0]?.toLowerCase() === name.toLowerCase() ? "" : ` through ${listed([name])}`;
    return [{ part, said: `${few(risks)}${through}` }];
  });
  const [first] = found;
  return first === undefined ? undefined : { part: first.part, said: found.map(({ said }) => said).join("; ") };
}

function contains({ action, except = [] }: ActionPart, name: string): boolean {
  const text = `permission ${name}`.toLowerCase();
  const isIn = (set: string) => matches(set.toLowerCase(), text);
  return isIn(action) && !except.some(isIn);
}

/** The most actions of a role in a message. */
const maxNamed = 3;

function few(actions: readonly string[]): string {
  const more = actions.length - maxNamed;
  return more > 0 ? `${listed(actions.slice(0, maxNamed))} and ${more} more` : listed(actions);
}
