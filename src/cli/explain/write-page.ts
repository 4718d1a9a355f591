import { html } from "../../report/html.ts";
import { mermaid } from "../../report/mermaid.ts";
import type { Made, Page } from "../../report/page.ts";
import { svg } from "../../report/picture.ts";
import { readTime } from "../terminal/read-time.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { version } from "../terminal/version.ts";
import { readClusterPart } from "./cluster-part.ts";

/** What the flags of `ccf explain` say about a page. */
export interface PageFlags {
  readonly output: "html" | "svg" | "mermaid";
  readonly against: string | undefined;
  readonly commit: string | undefined;
  readonly time: string | undefined;
}

/**
 * The page about the clusters of some directories, or its picture.
 *
 * @param directories rendered packages and exports; at least one.
 */
export function writePage(directories: readonly string[], flags: PageFlags): string {
  const today = flags.time === undefined ? undefined : dayOf(readTime(flags.time));
  const { against, output } = flags;
  const clusters = directories.map((directory) => readClusterPart(directory, { against, today }));
  const page: Page = { clusters, made: madeWith(directories, flags, today) };
  if (output === "html") return html(page);
  return output === "svg" ? svg(page) : `${mermaid(page).join("\n")}\n`;
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

function madeWith(directories: readonly string[], flags: PageFlags, today: string | undefined): Made {
  const { output, against, commit, time } = flags;
  const given = Object.entries({ against, commit, time }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, shellWord(value)],
  );
  return {
    version,
    command: ["ccf explain", ...directories.map(shellWord), "-o", output, ...given].join(" "),
    ...(commit === undefined ? {} : { commit }),
    ...(today === undefined ? {} : { today }),
  };
}
