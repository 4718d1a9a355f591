import { firstByKey } from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import type { Glob } from "./glob.ts";
import { effectiveStatements, type Holder } from "./identity.ts";
import { namedAction } from "./permissions.ts";
import { type PermissionTerms, type RoleDefinitions, serviceOf } from "./terms.ts";

/** What of a cloud's notation the words of questions are compared with. */
export type Notation = Pick<PermissionTerms, "actionForm" | "actionsIgnoreCase" | "separator" | "nameForm">;

/**
 * Names that people use for what another action authorizes, and these actions: any of them is enough for a part of what the name
 * stands for. A name may begin with its service, as an action does.
 */
export type Operations = Readonly<Record<string, readonly Glob[]>>;

/** The actions that identities have by name or by wildcard, themselves or through roles that are known. */
export class ActionNames {
  readonly #notation: Notation;
  /** Names, and sets of names, in one of their spellings. */
  readonly #names = new Map<string, string>();
  readonly #sets = new Map<string, string>();
  readonly #lists = new WeakSet<object>();

  constructor(notation: Notation) {
    this.#notation = notation;
  }

  /** @param definitions of the roles of the cloud; undefined if it has none. */
  addHolder(holder: Pick<Holder, "permissions">, definitions: RoleDefinitions | undefined): void {
    for (const { actions, except = [], undecided } of effectiveStatements(
      { ...holder, managedPolicies: [] },
      definitions,
    )) {
      if (undecided === undefined) this.add([actions, except]);
    }
  }

  /** @param lists of actions; each is read once. */
  add(lists: readonly (readonly string[])[]): void {
    for (const list of lists) {
      if (this.#lists.has(list)) continue;
      this.#lists.add(list);
      for (const written of list) this.#add(namedAction(written)?.name ?? written);
    }
  }

  #add(action: string): void {
    const { actionForm, actionsIgnoreCase } = this.#notation;
    if (!actionForm.test(action)) return;
    const key = actionsIgnoreCase ? action.toLowerCase() : action;
    const map = /[*?]/.test(action) ? this.#sets : this.#names;
    // Of several spellings the same one, whatever is read first: that with lower case first, as clouds write services.
    const known = map.get(key);
    if (known === undefined || compareText(action, known) > 0) map.set(key, action);
  }

  /** How many different actions, and sets of actions, are named. */
  get count(): number {
    return this.#names.size + this.#sets.size;
  }

  get names(): readonly string[] {
    return [...this.#names.values()];
  }

  get sets(): readonly Glob[] {
    return [...this.#sets.values()];
  }

  /** The services of the actions, in one of their spellings, sorted. */
  get services(): readonly string[] {
    const services = [...this.names, ...this.sets].map((action) => serviceOf(action, this.#notation));
    const named = services.filter((service) => !/[*?]/.test(service)).sort((a, b) => compareText(b, a));
    return [...firstByKey(named, (service) => service.toLowerCase()).values()].sort(compareText);
  }
}

/** The actions that authorize what people call by a name, with or without its service: `HeadObject`, `s3:head-object`. */
export function authorizing(name: string, operations: Operations, { separator }: Notation): readonly Glob[] {
  const asked = plain(name);
  const found = Object.entries(operations).flatMap(([operation, actions]) => {
    const short = operation.slice(operation.indexOf(separator) + 1);
    return plain(operation) === asked || plain(short) === asked ? actions : [];
  });
  return [...new Set(found)];
}

// Commands write "head-object", and some references "Blobs_Delete" or "Delete Blob".
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, "");
}
