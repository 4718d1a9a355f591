import { withStreams, writeLines } from "./krm/stdio.ts";

/*
 * Where the program starts. `ccf --version` needs nothing but the version: scripts ask for it before anything else. All other code is
 * in other parts of the program.
 */
const args = process.argv.slice(2);
if (args.length === 1 && args[0] === "--version") void writeVersion();
else void import("./start.ts").then(({ start }) => start(args));

async function writeVersion(): Promise<void> {
  const { version } = await import("./cli/terminal/version.ts");
  process.exitCode = withStreams(() => {
    writeLines(1, [version]);
    return 0;
  });
}
