import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Importing takes longer than most tests, so the files of the first group share the modules that they import, and must not mock a
 * module. The others have a process per file: they run real tools, or replace what the sources import. See "Tests" in
 * CONTRIBUTING.md for the directories.
 */
const groups = [
  { name: "shared", isolate: false, directories: ["unit", "program", "exhaustive"] },
  { name: "isolated", isolate: true, directories: ["seam", "apply", "external"] },
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
    projects: groups.map(({ name, isolate, directories }) => ({
      extends: true,
      test: { name, isolate, include: directories.map((one) => `test/${one}/**/*.test.ts`) },
    })),
    sequence: { sequencer: LongestFirst },
    // Most tests wait for programs.
    maxWorkers: "100%",
    globalSetup: ["test/helpers/resident/build.ts"],
    setupFiles: ["test/helpers/setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    experimental: { fsModuleCache: true },
    reporters: ["default", "./test/helpers/closing-line.ts"],
  },
});
