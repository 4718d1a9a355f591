import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect } from "vitest";

/** Expects the text of a golden file. `npm run test:update` accepts the present text: review the diff. */
export function expectGolden(path: string, actual: string): void {
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, actual);
  }
  expect(actual, path).toBe(readFileSync(path, "utf8"));
}
