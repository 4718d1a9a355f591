import { fstatSync } from "node:fs";

const [red, green, yellow, cyan] = [31, 32, 33, 36];

const severities: Readonly<Record<string, number>> = { error: red, warning: yellow, info: cyan };

/** A finding's line with its severity in color. */
export function paintSeverity(line: string): string {
  return line.replace(/^(error|warning|info):/, (prefix, severity) => inColor(severities[severity], prefix));
}

const changes: Readonly<Record<string, number>> = {
  ...{ added: green, changed: yellow, removed: red },
  ...{ "+": green, "~": yellow, "-": red },
};

/** The line of a changed file or permission, in the color of the change. */
export function paintChange(line: string): string {
  return line.replace(/^(?: {2}([+~-])|(added|changed|removed) ) .*$/, (all, mark, word) =>
    inColor(changes[mark ?? word], all),
  );
}

// SGR codes (ECMA-48).
function inColor(color: number | undefined, text: string): string {
  return `\u001b[${color}m${text}\u001b[0m`;
}

/** Whether a stream shows colors: terminals do, unless `TERM=dumb` or NO_COLOR is set (https://no-color.org). */
export function hasColors(descriptor: 1 | 2): boolean {
  const { NO_COLOR = "", TERM } = process.env;
  return NO_COLOR === "" && TERM !== "dumb" && isTerminal(descriptor);
}

// Check the descriptor first, because Node's module for terminals loads streams and sockets.
/** Whether a stream is a terminal. */
export function isTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice() && process.getBuiltinModule("node:tty").isatty(descriptor);
  } catch {
    return false;
  }
}
