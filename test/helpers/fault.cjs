// Loaded before dist/ccf: at the call number FAULT_AT that changes the file system, kills the process (FAULT=kill) or
// fails with the error code that FAULT names. With FAULT=count it prints how many such calls there were.
/** @type {Record<string, any>} */
const fs = require("node:fs");

const fault = process.env["FAULT"];
const at = Number(process.env["FAULT_AT"]);
let calls = 0;
const names = "openSync writeSync fsyncSync fchmodSync mkdirSync renameSync linkSync unlinkSync rmSync rmdirSync";
for (const name of names.split(" ")) {
  const original = fs[name];
  /** @param {any[]} args */
  const faulty = (...args) => {
    if (name === "writeSync" && args[0] <= 2) return original(...args);
    // A file that is opened to be read is not changed.
    if (name === "openSync" && (Number(args[1] === "r" ? 0 : (args[1] ?? 0)) & 3) === 0) return original(...args);
    calls += 1;
    if (calls !== at) return original(...args);
    if (fault === "kill") {
      // Half of a write is done when the end comes.
      if (name === "writeSync") original(args[0], args[1], 0, Math.ceil(args[1].length / 2));
      process.kill(process.pid, "SIGKILL");
    }
    throw Object.assign(new Error(`${fault}: made by a test, ${name}`), { code: fault, syscall: name });
  };
  fs[name] = faulty;
}
process.on("exit", () => {
  if (fault === "count") process.stderr.write(`calls: ${calls}\n`);
});
