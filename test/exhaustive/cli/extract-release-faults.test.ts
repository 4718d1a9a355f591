import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { moments } from "../../helpers/effort.ts";
import { changesIn, startWithFault } from "../../helpers/fault.ts";
import { runBeside } from "../../helpers/release-image/beside.ts";
import { imageOf, layer, manifests, releaseFiles } from "../../helpers/release-image/image.ts";
import { TestRegistry } from "../../helpers/release-image/registry.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

let registry: TestRegistry;
let image: string;
beforeAll(async () => {
  registry = await TestRegistry.start();
  image = `${registry.host}/ocp/release:4.20.3`;
  const namespace = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: openshift-a\n";
  const files = { ...releaseFiles, "0000_10_namespace.yaml": namespace };
  registry.push("ocp/release", imageOf([await layer(manifests(files))]), "4.20.3");
});
afterAll(() => registry.stop());

const environment = { HOME: "/nonexistent" };

describe("ccf extract-release that ends at any change of the file system", () => {
  const extract = (directory: string) => ["extract-release", image, "--output-dir", directory];

  it.each(["kill", "ENOSPC", "EIO"])("with %s is completed by the same command", async (fault) => {
    const whole = join(temporary(), "out");
    const calls = changesIn(await startWithFault("count", 0, extract(whole), environment));
    const expected = readTree(whole);
    for (const at of moments(calls, { most: 12 })) {
      const directory = join(temporary(), "out");
      const ended = await startWithFault(fault, at, extract(directory), environment);
      if (fault === "kill") expect(ended.signal, `change ${at}`).toBe("SIGKILL");
      // An error of the cleanup alone does not make the directory incomplete.
      else if (ended.status === 0) expect(readTree(directory), `change ${at}`).toEqual(expected);
      else expect(ended.stderr, `change ${at}`).toContain(fault);
      if (existsSync(directory))
        for (const [path, text] of Object.entries(readTree(directory)))
          if (!path.startsWith(".ccf-")) expect(text, `${path} after change ${at}`).toBe(expected[path]);
      const again = await runBeside(extract(directory));
      expect(again.status, `${again.stderr} after change ${at}`).toBe(0);
      expect(readTree(directory), `change ${at}`).toEqual(expected);
      expect(readdirSync(directory).filter((name) => name.startsWith("."))).toEqual([]);
    }
  });
});
