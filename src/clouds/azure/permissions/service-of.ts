import { namedAction } from "../../../permissions/permissions.ts";

/**
 * The resource provider of an action: the first part of its name (Microsoft Learn, "Azure resource provider operations"). The name
 * of a role does not say which resource providers it is for, so the role itself is named.
 */
export function serviceOf(action: string): string | undefined {
  const { kind, name = "" } = namedAction(action) ?? {};
  if (kind === "role") return name;
  return name.includes("/") ? name.split("/", 1)[0] : "every service";
}
