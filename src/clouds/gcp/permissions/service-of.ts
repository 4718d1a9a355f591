import { namedAction } from "../../../permissions/permissions.ts";

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
