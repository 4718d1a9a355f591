import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The tiers of tests, fastest first: see "Tests" in CONTRIBUTING.md. Importing takes longer than most tests, so files without
 * isolation share the modules that they import and must not mock a module. Tests of real tools run in a process per file.
 */
const tiers = [
  { name: "unit", isolate: false },
  { name: "program", isolate: false },
  // One file, which adds rows to the tables of clouds.
  { name: "seam", isolate: true },
  { name: "exhaustive", isolate: false },
  { name: "apply", isolate: true },
  { name: "external", isolate: true },
];

/**
 * The files that take longest: these start first, so that no core waits for one of them at the end. The first builds the images,
 * for which others with containers would have to wait.
 */
const longest = [
  "integrations/containers",
  "docs/pages",
  "apply/gcp-faults",
  "tools/npm-package",
  "tools/pre-commit",
  "apply/azure-faults",
  "apply/aws-faults",
  "tools/node-versions",
  "krm/inherited-names",
  "docs/site",
  "azure/engine",
  "aws/apply-moto",
  "upgrade/release-verdicts",
  "tools/standalone",
  "page/fleet",
  "page/browser",
  "terraform/terraform",
  "cli/export-faults",
  "cli/faults",
  "cli/create-key-pair",
  "cli/check-issuer",
  "tools/kpt",
  "tools/aws-cli",
  "integrations/kpt-packages",
  "cli/growth",
  "cli/hostile-names",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  test: {
    projects: tiers.map(({ name, isolate }) => ({
      extends: true,
      test: { name, isolate, include: [`test/${name}/**/*.test.ts`] },
    })),
    sequence: { sequencer: LongestFirst },
    // Most tests wait for programs.
    maxWorkers: "100%",
    setupFiles: ["test/helpers/setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ["default", "./test/helpers/closing-line.ts"],
  },
});
