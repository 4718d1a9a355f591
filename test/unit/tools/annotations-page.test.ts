import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const page = readFileSync("docs/reference/annotations.md", "utf8");
const sources = ["src", "functions"]
  .flatMap((root) => readdirSync(root, { recursive: true, encoding: "utf8" }).map((path) => join(root, path)))
  .filter((path) => path.endsWith(".ts") && !path.startsWith("src/generated/"));
const texts = sources.map((path) => readFileSync(path, "utf8"));

/** What begins like an annotation and is the name of something else. */
const others = /^ghcr\.io\/|\/(?:[A-Z]\w*|v\d\w*|\.\.\.)?$/;

/** The strings in the code that a pattern matches as a whole, or their beginnings up to a value that is inserted. */
function strings(pattern: RegExp): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name)))].sort();
}

it("the page has every annotation and label in the code", () => {
  const names = strings(
    /["`]((?:[a-z0-9-]+\.)+(?:dev|io|com)\/[\w.-]+|azure\.workload\.identity\/[\w-]+|(?:in|ex)clude\.release\.openshift\.io\/|openshift\.io[/_][\w./-]+)(?=["`$])/g,
  );
  const annotations = names.filter((name) => !others.test(name) || /^(?:in|ex)clude\..*\/$/.test(name));
  expect(annotations.length).toBeGreaterThan(35);
  expect(annotations.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});

it("the page has every environment variable in the code", () => {
  const read = strings(/(?:env|environment)(?:\.|\[")([A-Z][A-Z0-9_]+)\b/g);
  const named = strings(
    /"((?:AWS|AZURE|CCF|GOOGLE|ARGOCD|REGISTRY|MSI|IDENTITY|NODE)_[A-Z0-9_]+|(?:HTTPS?|ALL|NO)_PROXY)"/g,
  );
  const destructured = texts.flatMap((text) => [
    ...text.matchAll(/const \{([^}]*)\} = (?:process\.env|environment);/g),
  ]);
  const variables = [
    ...read,
    ...named,
    ...destructured.flatMap(([, list = ""]) => list.match(/\b[A-Z][A-Z_]+\b/g) ?? []),
  ];
  expect(variables.length).toBeGreaterThan(30);
  expect([...new Set(variables)].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
