import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { copyProgram } from "./ccf.ts";
import { sample } from "./sample.ts";
import { temporary } from "./temporary.ts";

/** What a page of docs/ asks its reader to do or see, in order. */
type Step =
  | { readonly does: "run"; readonly script: string; readonly exit: number }
  /** `output` without its indentation; `at` and `length` are those of the text in the page. */
  | {
      readonly does: "see";
      readonly output: string;
      readonly at: number;
      readonly length: number;
      readonly indent: string;
    };

const preludes = fileURLToPath(new URL("../external/docs/preludes", import.meta.url));

/** `UPDATE_GOLDEN=1` writes what is printed now into the page; the diff is then for a person to read. */
const update = process.env["UPDATE_GOLDEN"] === "1";

/**
 * Follows a page of docs/ as its reader would, in a directory that holds what the page takes for granted: the release's
 * requests in `credrequests` and the signer's public key in `serviceaccount-signer.public`, and `ccf` on PATH.
 *
 * `<!-- prelude: NAME -->` names a script in test/external/docs/preludes that runs first, and that no reader sees: it creates
 * the clusters that a procedure starts with. What it writes to `../variables` is read before each block: the values of the
 * variables that the page names, or functions for blocks that no reader sees. PAGE is the page's path, and PRELUDES the directory
 * of these scripts.
 *
 * A page may tell a task once, for AWS, and then what differs: a section whose heading (`##` or deeper) ends with "on Google Cloud" or
 * "on Azure" is that cloud's. If CLOUD is `gcp` or `azure` and the page has sections of it, only these are followed, with the first
 * prelude in them; otherwise, all but the sections of other clouds. Without CLOUD, the whole page is followed.
 *
 * @param requests the directory with the release's requests; those for AWS if omitted.
 *
 * Every block marked `shell` is run by bash, but must end well, or as `<!-- exits N -->` before it says. A block after
 * `<!-- prints -->` must be what the run before it printed, on standard output and standard error. Variables keep their values
 * from block to block, as in a reader's terminal. Where `ccf apply` and `ccf destroy` would ask, the reader agrees. The release
 * that `ccf extract-release VERSION` reads is made of the files in `../releases/VERSION`, which a prelude writes. A block inside
 * an HTML comment is run too: it does what the reader does by hand, such as editing a file, or selects what a page shows of an
 * output.
 *
 * @returns the directory, as the page leaves it.
 */
export async function follow(
  page: string,
  environment: NodeJS.ProcessEnv = {},
  requests = join(sample, "credentials-requests"),
): Promise<string> {
  const file = fileURLToPath(new URL(`../../docs/${page}`, import.meta.url));
  const whole = readFileSync(file, "utf8");
  const text = partOf(whole, environment["CLOUD"]);
  let updated = whole;
  // Pages create key pairs in directories next to this one.
  const directory = join(temporary(), "work");
  mkdirSync(directory);
  cpSync(requests, join(directory, "credrequests"), { recursive: true });
  cpSync(join(sample, "serviceaccount-signer.public"), join(directory, "serviceaccount-signer.public"));
  const home = temporary();
  copyProgram(home);
  const path = environment["PATH"] ?? process.env["PATH"] ?? "";
  const env = { ...environment, PATH: `${home}${delimiter}${path}`, HOME: home, PAGE: file, PRELUDES: preludes };
  // `set -a` exports what a block assigns, and the next block reads it.
  const state = join(home, "variables");
  const recall = `for file in ../variables ${state}; do [ ! -e $file ] || . $file; done\nset -a\ntrap 'export -p > ${state}' EXIT`;
  let printed = "";
  let runs = 0;
  for (const step of [...preludeOf(text), ...stepsOf(text)]) {
    if (step.does === "see" && update) {
      const at = step.at + updated.length - text.length;
      const shown = printed.replaceAll(/^(?=.)/gm, step.indent);
      updated = `${updated.slice(0, at)}${shown}${updated.slice(at + step.length)}`;
      continue;
    }
    if (step.does === "see") {
      expect(printed, `${page} says what is printed`).toBe(step.output);
      continue;
    }
    const agrees = /\bccf (?:apply|destroy)\b/.test(step.script) ? agreement : "";
    const reads = /\bccf extract-release [^-]/.test(step.script) ? localRelease : "";
    const script = `set -euo pipefail\nexec 2>&1\n${recall}\n${agrees}${reads}\n${step.script}`;
    const { status, stdout } = await bash(script, { cwd: directory, env });
    printed = stdout;
    runs++;
    expect({ script: step.script, status, printed: status === step.exit ? "" : printed }).toEqual({
      script: step.script,
      status: step.exit,
      printed: "",
    });
  }
  if (update && updated !== whole) writeFileSync(file, updated);
  expect(runs, `${page} has commands`).toBeGreaterThan(0);
  return directory;
}

/**
 * Without a terminal, these two commands do not ask: `--yes` takes the place of the answer. The name of a cluster is that of its
 * package's directory.
 */
const agreement = `
ccf() {
  case "$1 $* " in
    *' --dry-run '* | *' --yes '*) command ccf "$@" ;;
    'apply '*) command ccf "$@" --yes ;;
    'destroy '*) command ccf "$@" --yes "$(basename "\${!#}")" ;;
    *) command ccf "$@" ;;
  esac
}`;

/** No page reaches quay.io: a version is the image that is made of the files in `../releases/VERSION`. */
const localRelease = `
ccf() {
  if [ "$1" != extract-release ]; then command ccf "$@"; return; fi
  node '${fileURLToPath(new URL("../external/docs/release.mjs", import.meta.url))}' "$2" "../releases/$2" "../images/$2"
  command ccf extract-release --from-file "../images/$2" --insecure-skip-verify --quiet "\${@:3}"
}`;

/** Runs a script with nothing on standard input. A stand-in in this process can answer it meanwhile. */
function bash(
  script: string,
  how: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<{ status: number; stdout: string }> {
  return new Promise((resolve) => {
    const child = execFile("bash", ["-c", script], { ...how, maxBuffer: 1 << 26 }, (error, stdout) =>
      resolve({ status: error === null ? 0 : typeof error.code === "number" ? error.code : -1, stdout }),
    );
    child.stdin?.end();
  });
}

/** The part of a page that is about a cloud, at the place where it is in the page: spaces replace the rest. */
function partOf(text: string, cloud: string | undefined): string {
  if (cloud === undefined) return text;
  const lines = text.split("\n");
  const owners = ownersOf(lines);
  const owner = owners.includes(cloud) ? cloud : undefined;
  return lines.map((line, at) => (owners[at] === owner ? line : " ".repeat(line.length))).join("\n");
}

/** The cloud whose section each line is in, by the headings. */
function ownersOf(lines: readonly string[]): (string | undefined)[] {
  let isCode = false;
  let section: { depth: number; cloud: string } | undefined;
  return lines.map((line) => {
    if (/^ *```/.test(line)) isCode = !isCode;
    const [, { length: depth } = "", cloud] = isCode
      ? []
      : (/^(##+) (?:.*\b[Oo]n (Google Cloud|Azure)$)?/.exec(line) ?? []);
    if (section !== undefined && depth > 0 && depth <= section.depth) section = undefined;
    if (section === undefined && cloud !== undefined) section = { depth, cloud: cloud === "Azure" ? "azure" : "gcp" };
    return section?.cloud;
  });
}

function preludeOf(text: string): Step[] {
  const [, name] = /^<!-- prelude: ([\w-]+) -->$/m.exec(text) ?? [];
  if (name === undefined) return [];
  return [{ does: "run", script: readFileSync(join(preludes, `${name}.sh`), "utf8"), exit: 0 }];
}

function stepsOf(text: string): Step[] {
  // A block in a list is indented.
  return [...text.matchAll(/(?:^ *<!-- (exits \d+|prints) -->\n+)?^( *)```(\w*)\n([\s\S]*?)^\2```$/gm)].flatMap(
    ({ 0: whole, index, 1: comment = "", 2: indent = "", 3: language, 4: body = "" }): Step[] => {
      const at = index + whole.length - `${indent}\`\`\``.length - body.length;
      const plain = body.replaceAll(new RegExp(`^${indent}`, "gm"), "");
      if (comment === "prints") return [{ does: "see", output: plain, at, length: body.length, indent }];
      if (language !== "shell") return [];
      return [{ does: "run", script: plain, exit: Number(/\d+/.exec(comment)?.[0] ?? 0) }];
    },
  );
}
