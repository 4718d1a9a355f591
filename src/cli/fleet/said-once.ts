import type { Finding } from "../../core/finding.ts";
import { allByKey } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";

/** Something that is said of packages: a finding, or a text of one line or of more that belong together. */
type Said = Finding | string;

/** What packages share, and which packages these are. */
export interface Shared<T> {
  /** At least one, in the order of the run. */
  readonly directories: readonly string[];
  readonly said: readonly T[];
}

/** What is said of several packages: the same thing once, with the packages that it is true of. */
export class SaidOnce<T extends Said> {
  readonly #directories = new Map<string, { readonly said: T; readonly directories: string[] }>();

  /** @param directory the package, which the texts may name. */
  add(directory: string, said: readonly T[]): void {
    for (const one of said) {
      const key = JSON.stringify(withDirectory(one, directory, "\0"));
      const entry = this.#directories.get(key);
      if (entry === undefined) this.#directories.set(key, { said: one, directories: [directory] });
      else if (entry.directories.at(-1) !== directory) entry.directories.push(directory);
    }
  }

  /** What was said, by the packages that it is true of; a text that names its package names all of them instead. */
  groups(): Shared<T>[] {
    const groups = allByKey([...this.#directories.values()], ({ directories }) => JSON.stringify(directories));
    return [...groups.values()].map((group) => {
      const [{ directories } = { directories: [] }] = group;
      const [first = "", ...others] = directories;
      const words = directories.map(shellWord).join(" ");
      return {
        directories,
        said: group.map(({ said }) => (others.length === 0 ? said : withDirectory(said, first, words))),
      };
    });
  }
}

/** What is said with another text in place of a package's directory, where that is a word. */
function withDirectory<T extends Said>(said: T, directory: string, instead: string): T {
  const own = shellWord(directory);
  const change = (text: string) =>
    text
      .split(/(?<=[ \n])/)
      .map((word) =>
        word.startsWith(own) && /^["'.,;:)]*\s?$/.test(word.slice(own.length))
          ? `${instead}${word.slice(own.length)}`
          : word,
      )
      .join("");
  const one: Said = said;
  return (typeof one === "string" ? change(one) : { ...one, message: change(one.message) }) as T;
}
