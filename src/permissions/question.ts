import { firstByKey } from "../core/resource.ts";
import { compareText, quote } from "../core/text.ts";
import { listed } from "../core/words.ts";
import type { Glob } from "./glob.ts";
import { everythingIn, serviceOf } from "./terms.ts";
import { type ActionNames, authorizing, type Notation, type Operations } from "./vocabulary.ts";

/** A cloud whose identities are asked. */
export interface AskedCloud {
  /** Its title: "AWS". */
  readonly cloud: string;
  readonly notation: Notation;
  readonly operations: Operations;
  /** The actions that its identities have. */
  readonly names: ActionNames;
}

/** What a word asks for. */
export interface Question {
  /** What the identities of the answer can, as the end of a sentence: `do s3:DeleteObject`. */
  readonly said: string;
  /** The actions, any of which counts, by the title of the cloud; a cloud without actions has no answer. */
  readonly actions: ReadonlyMap<string, readonly Glob[]>;
  /**
   * How the actions were found: the word is one, it is a name for what they authorize, it is a service, it is a part of their names, or
   * nothing names it and it is taken for a name; `none` if it cannot be one.
   */
  readonly is: "action" | "operation" | "service" | "part" | "guess" | "none";
}

/**
 * Finds what a word asks for: an action with or without wildcards, an operation of an API, a service, or a part of a name. Parts of
 * names are looked for among the actions that identities have, and among those that authorize an operation.
 */
export function questionOf(word: string, clouds: readonly AskedCloud[]): Question {
  const found: Find = (is, actionsOf) => {
    const actions = new Map(
      clouds.flatMap((cloud) => {
        const some = actionsOf(cloud);
        return some.length === 0 ? [] : [[cloud.cloud, some] as const];
      }),
    );
    return actions.size === 0 ? undefined : { is, actions, said: saidOf(word, is, [...actions.values()].flat()) };
  };
  return (
    found("operation", (cloud) => authorizing(word, cloud.operations, cloud.notation)) ??
    found("action", ({ notation }) => (notation.actionForm.test(word) ? [word] : [])) ??
    (isWord(word) ? serviceOrPart(word, found) : undefined) ??
    found("guess", guessOf(word)) ?? { is: "none", actions: new Map(), said: saidOf(word, "none", []) }
  );
}

type Find = (is: Question["is"], actionsOf: (cloud: AskedCloud) => readonly Glob[]) => Question | undefined;

// What is a service of one cloud is perhaps only a part of names in another.
function serviceOrPart(word: string, found: Find): Question | undefined {
  const services = found("service", servicesOf(word));
  const some = found("part", (cloud) => services?.actions.get(cloud.cloud) ?? partsOf(word)(cloud));
  return services?.actions.size === some?.actions.size ? services : some;
}

/** Whether a text can be an action, a part of the name of one, or an operation: `DeleteObject`, `s3`, `Delete Blob`. */
export function isWord(text: string): boolean {
  return /^(?:[\w./:$-]{2,}|\w+(?: \w+)+)$/.test(text);
}

function servicesOf(word: string): (cloud: AskedCloud) => readonly Glob[] {
  return ({ names, notation, operations }) => {
    const isAsked = (service: string) => service.toLowerCase() === word.toLowerCase();
    const service = names.services.find(isAsked) ?? servicesIn(operations, notation).find(isAsked);
    return service === undefined ? [] : [everythingIn(service, notation)];
  };
}

// Services whose actions only operations tell.
function servicesIn(operations: Operations, notation: Notation): readonly string[] {
  return Object.values(operations).flatMap((actions) => actions.map((action) => serviceOf(action, notation)));
}

function partsOf(word: string): (cloud: AskedCloud) => readonly Glob[] {
  const part = word.toLowerCase();
  return ({ names, operations, notation }) => {
    const all = [...names.names, ...names.sets, ...Object.values(operations).flat()];
    const found = all.filter((name) => name.toLowerCase().includes(part));
    const fold = (name: string) => (notation.actionsIgnoreCase ? name.toLowerCase() : name);
    const byKey = firstByKey(found.sort(compareText), fold);
    return [...byKey.values()];
  };
}

// An action by exactly this name, of any service of which identities have something: only wildcards can allow what nothing names.
function guessOf(word: string): (cloud: AskedCloud) => readonly Glob[] {
  return ({ notation, names }) =>
    notation.nameForm?.test(word) === true
      ? names.services.map((service) => `${service}${notation.separator}${word}`)
      : [];
}

/** How many actions an answer names. */
const maxNamed = 3;

function saidOf(word: string, is: Question["is"], actions: readonly Glob[]): string {
  if (is === "action") return `do ${word}`;
  const names = listed([...new Set(actions)].sort(compareText), maxNamed);
  if (is === "operation") return `do ${word} (authorized as ${names})`;
  if (is === "service") return `do something in ${word} (${names})`;
  return `do something named ${quote(word)}${is === "part" ? ` (${names})` : ""}`;
}
