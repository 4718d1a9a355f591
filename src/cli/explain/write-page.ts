import { html } from "../../page/html.ts";
import { mermaid } from "../../page/mermaid.ts";
import type { ClusterPart, Made, Page } from "../../page/page.ts";
import { svg } from "../../page/picture.ts";
import { readTime, shellWord } from "../terminal/arguments.ts";
import { version } from "../terminal/version.ts";

/** What the flags of `ccf explain` say about a page. */
export interface PageFlags {
  readonly output: "html" | "svg" | "mermaid";
  readonly against: string | undefined;
  readonly commit: string | undefined;
  readonly time: string | undefined;
}

/** The day of `--time`, on which acceptances are judged; undefined without it. */
export function dayOfTime(time: string | undefined): string | undefined {
  return time === undefined ? undefined : new Date(readTime(time) * 1000).toISOString().slice(0, 10);
}

/**
 * The page about clusters, or its picture.
 *
 * @param selected the arguments of the command line that select them.
 */
export function writePage(clusters: readonly ClusterPart[], selected: readonly string[], flags: PageFlags): string {
  const page: Page = { clusters, made: madeWith(selected, flags) };
  if (flags.output === "html") return html(page);
  return flags.output === "svg" ? svg(page) : `${mermaid(page).join("\n")}\n`;
}

function madeWith(selected: readonly string[], flags: PageFlags): Made {
  const today = dayOfTime(flags.time);
  const { output, against, commit, time } = flags;
  const given = Object.entries({ against, commit, time }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, shellWord(value)],
  );
  return {
    version,
    command: ["ccf explain", ...selected.map(shellWord), "-o", output, ...given].join(" "),
    ...(commit === undefined ? {} : { commit }),
    ...(today === undefined ? {} : { today }),
  };
}
