import { spawnSync } from "node:child_process";

const canReadYaml = spawnSync("python3", ["-c", "import yaml"]).status === 0;

/** What a test needs that reads YAML with Python; the name says which part is missing. */
export const pythonYaml: readonly string[] = [canReadYaml ? "python3" : "python3-yaml"];

// What JSON cannot hold (a date, say) becomes a text that no other reader would give.
const program = `
import json, sys, yaml
files = json.load(sys.stdin)
json.dump({path: list(yaml.safe_load_all(text)) for path, text in files.items()}, sys.stdout, default=repr)
`;

/** Reads YAML files with PyYAML, a reader of YAML 1.1: the documents of each file. */
export function readWithPython(files: Readonly<Record<string, string>>): Record<string, unknown[]> {
  const done = spawnSync("python3", ["-c", program], {
    input: JSON.stringify(files),
    encoding: "utf8",
    env: { PATH: process.env["PATH"], PYTHONIOENCODING: "utf-8" },
    maxBuffer: 1 << 28,
  });
  if (done.status !== 0) throw new Error(done.stderr);
  return JSON.parse(done.stdout) as Record<string, unknown[]>;
}
