/*
 * Where the program starts. `ccf --version` answers from the smallest part of the program: scripts ask for it before anything
 * else. All other code is in other parts.
 */
const [first, ...more] = process.argv.slice(2);
if (first === "--version" && more.length === 0) void import("./cli/terminal/print-version.ts");
else void import("./start.ts");
