import { quote } from "../../../core/text.ts";
import { matches } from "../../../permissions/glob.ts";
import { namedAction } from "../../../permissions/permissions.ts";
import type { PermissionTerms } from "../../../permissions/terms.ts";
import { impersonating } from "./packed.ts";

/**
 * How Google writes permissions (Google Cloud documentation, "IAM permissions reference", and "Full resource names"). A package
 * grants roles on the project, without conditions, so all of them reach every resource of the project.
 */
export const gcpTerms: PermissionTerms = {
  example: "compute.disks.delete",
  actionsIgnoreCase: false,
  // service.resource.verb; services of partners have a domain and a slash: example.com/disks.get. Without a wildcard, two dots.
  actionForm:
    /^(?:\*|(?=.*(?:[*?]|\..*\.))(?:[a-z*?][-A-Za-z0-9_*?]*(?:\.[-A-Za-z0-9_*?]+)*(?:\/[A-Za-z0-9*?]+)?\.[A-Za-z0-9_.*?]+|[a-z][-a-z0-9.]*\.[a-z]+\/\*))$/,
  appliesTo: (_, named, { account }) => {
    if (/^\*+$/.test(named)) return true;
    const project = /(?:^|\/)projects\/([^/]+)/.exec(named)?.[1];
    if (project === undefined || project === "_") return "the name of the resource does not contain its project";
    if (account === undefined) return "the project of the package is not known";
    if (matches(project, account)) return true;
    return /^[0-9*?]+$/.test(project) ? "the resource names its project by number" : false;
  },
  isKnownOperator: () => false,
  onlyReads: (action) => reading.test(action.slice(action.lastIndexOf(".") + 1)) && !impersonating.includes(action),
  isBeyond: () => true,
  describeBeyond: (_, { account }) =>
    `its roles apply to the whole project${account === undefined ? "" : ` ${quote(account)}`}`,
};

const reading = /^(?:get|list|search|read|view|fetch|show|useReadOnly)(?![a-z])/;

/**
 * The service of a permission or of a predefined role: the first part of its name (IAM documentation, "Permissions reference" and
 * "Roles overview"). A basic role concerns every service, and the name of a custom role says nothing.
 */
export function serviceOf(action: string): string | undefined {
  const { kind, name = "" } = namedAction(action) ?? {};
  const rest = kind === "role" ? /^roles\/(.+)$/s.exec(name)?.[1] : name;
  if (rest === undefined) return "custom roles";
  return rest.includes(".") ? rest.split(".", 1)[0] : "every service";
}
