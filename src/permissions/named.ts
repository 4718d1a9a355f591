import type { Grant } from "./permissions.ts";

/** What a list of names allows, on a whole project or subscription. */
export function namedGrants(kind: "role" | "permission" | "data permission", names: readonly string[]): Grant[] {
  return names.length === 0 ? [] : [{ ...everywhere, actions: names.map((name) => `${kind} ${name}`) }];
}

/** Like {@link namedGrants}, for a cloud without wildcards: the meaning of a `*` or `?` in a name is not known. */
export function literalGrants(kind: "role" | "permission", names: readonly string[]): Grant[] {
  return names.some((name) => /[*?]/.test(name))
    ? undecidedGrants(
        `its list of ${kind}s contains a wildcard, which this cloud does not support: ${JSON.stringify(names)}`,
      )
    : namedGrants(kind, names);
}

const everywhere = { effect: "Allow", principals: [""], resources: ["*"], condition: [] } as const;

/** What stands for something of an unknown form: it may allow something or deny something. */
export function undecidedGrants(undecided: string): Grant[] {
  const grant = { ...everywhere, actions: ["*"], undecided };
  return [grant, { ...grant, effect: "Deny" }];
}
