import { expect, it } from "vitest";
import { bundledFiles, generatedFiles, renderedPackage, roleBundles } from "../../helpers/cluster-package.ts";

it("a rendered package is small enough to read: per role, 3 KB plus twice its permissions, and 10 KB in addition", () => {
  const directory = renderedPackage();
  const roles = roleBundles(directory);
  const files = generatedFiles(directory);
  const secretOf = (path: string) => path.replace(/^aws\/roles\/(.+)\.yaml$/, "manifests/$1-credentials.yaml");
  const sizeOf = (paths: readonly string[]) =>
    paths.reduce((sum, path) => sum + Buffer.byteLength(files[path] ?? ""), 0);
  expect(Object.keys(roles)).toHaveLength(3);
  for (const [path, text] of Object.entries(roles)) {
    expect(Object.keys(files)).toContain(secretOf(path));
    const permissions = Buffer.byteLength(bundledFiles(text)["permissions-policy.json"] ?? "");
    expect(sizeOf([path, secretOf(path)]) - 2 * permissions, path).toBeLessThan(3 * 1024);
  }
  const ofRoles = Object.keys(roles).flatMap((path) => [path, secretOf(path)]);
  expect(sizeOf(Object.keys(files).filter((path) => !ofRoles.includes(path)))).toBeLessThan(10 * 1024);
});
