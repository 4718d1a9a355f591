import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { run } from "./ccf.ts";
import { type Fields, renderedPackage, sampleRequests, succeed } from "./cluster-package.ts";
import { keptTemporary, temporary } from "./temporary.ts";

const kept: ReturnType<typeof keptTemporary>[] = [];
afterAll(() => {
  for (const { remove } of kept.splice(0)) remove();
});

/** Exports a package with this change, once for all tests of a file; gives a fresh copy of its `aws` at each call. */
export function exports(change?: (spec: Fields) => void, requests = () => sampleRequests): (under?: string) => string {
  let made: string | undefined;
  return (under = "out") => {
    if (made === undefined) {
      const home = keptTemporary();
      kept.push(home);
      const out = join(home.directory, "out");
      succeed(run(["export", renderedPackage(requests(), change), "--output-dir", out]));
      made = join(out, "aws");
    }
    const copy = join(temporary(), under, "aws");
    cpSync(made, copy, { recursive: true });
    return copy;
  };
}
