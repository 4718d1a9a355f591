import { join } from "node:path";
import { expect, it } from "vitest";
import type { Target } from "../../../src/apply/resource.ts";
import { ResultFiles } from "../../../src/cli/cloud/result.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

it("a prefix of an edited export does not lead out of the directory of results", () => {
  const root = temporary();
  const target = { facts: { account: "1" }, prefix: "../../x\\y" } as Partial<Target> as Target;
  const files = new ResultFiles({ file: undefined, directory: join(root, "a/results") });
  files.clear("pkg", target);
  const written = files.write("pkg", target, () => ({ digest: "", verdict: "drift", documents: "fetched" }));
  expect([written, Object.keys(readTree(root))]).toEqual([[], ["a/results/1-.._.._x_y.json"]]);
});
