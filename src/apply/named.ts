import { shellWord } from "../core/shell.ts";
import { alternatives } from "../core/words.ts";

/*
 * How the values of an option name resources: as KIND/NAME or, if all resources of that name have one kind, as NAME. A name
 * can contain slashes; a kind cannot.
 */

/** What a resource is called, as a plan prints it. */
export interface Named {
  readonly kind: string;
  readonly name: string;
}

/** A resource in the form that names no resource of another kind. */
export function kindAndName({ kind, name }: Named): string {
  return `${kind}/${name}`;
}

/** The resources that values name, each once. A NAME that several kinds have names none of them. */
export function named<One extends Named>(values: readonly string[], resources: readonly One[]): One[] {
  const found = values.flatMap((value) => {
    const all = allNamed(value, resources);
    return formsOf(all).length === 1 ? all : [];
  });
  return [...new Set(found)];
}

/**
 * Why an option must not be followed: the first value that names no resource of any package, or resources of several kinds
 * in one of them. Undefined if there is none.
 *
 * @param packages the resources of each package.
 * @param noun what the resources are, in the singular: "resource of the package".
 */
export function namingProblem(
  option: string,
  values: readonly string[],
  packages: readonly (readonly Named[])[],
  noun: string,
): string | undefined {
  for (const value of values) {
    const found = packages.map((resources) => formsOf(allNamed(value, resources)));
    const forms = found.find(({ length }) => length > 1)?.map((form) => `${option} ${shellWord(form)}`);
    if (forms !== undefined)
      return `${option} ${value}: resources of several kinds have this name; use ${alternatives(forms)}`;
    if (found.every(({ length }) => length === 0)) return `${option} ${value}: no ${noun} has this name`;
  }
  return undefined;
}

function allNamed<One extends Named>(value: string, resources: readonly One[]): readonly One[] {
  const exact = resources.filter((one) => kindAndName(one) === value);
  return exact.length > 0 ? exact : resources.filter(({ name }) => name === value);
}

function formsOf(resources: readonly Named[]): string[] {
  return [...new Set(resources.map(kindAndName))];
}
