// Makes types, validators and documents from their sources, so that nobody writes twice what a schema or a table says.
// `node tools/generate.mjs` writes them, `--check` fails where what is committed differs from what would be made.
import { readFileSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import Ajv from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import { dump } from "js-yaml";
import { compile } from "json-schema-to-typescript";

/** @typedef {Record<string, any>} Schema */
/** @typedef {{ severity: string, cause: string, cure: string }} Explanation */

const root = new URL("../", import.meta.url);
const schemas = [
  { name: "cluster-identity", validator: "validateClusterIdentity", words: "clusterIdentityWords" },
  { name: "aws-credentials-request", validator: "validateAwsCredentialsRequest", words: "awsCredentialsRequestWords" },
];
// A cloud checks its part of a ClusterIdentity itself.
const platforms = [
  { definition: "aws", checks: "aws-platform", validator: "validateAwsPlatform", words: "awsPlatformWords" },
];

const check = process.argv.includes("--check");
/** @type {string[]} */
const drifted = [];
const loaded = await Promise.all(schemas.map(async (one) => ({ ...one, schema: await readSchema(one.name) })));
for (const { name, schema } of loaded) await put(`src/generated/${name}.ts`, await types(schema, name));
for (const one of loaded.flatMap(checkedOf)) {
  await put(`src/generated/validate-${one.checks}.js`, await validator(one));
  await put(`src/generated/validate-${one.checks}.d.ts`, declarations(one));
}
await put("src/generated/aws-scripts.ts", await scripts());
await put("docs/reference/findings.md", await findingsDocument());
await put("docs/reference/validation-rules.md", await rulesDocument());
// The registry imports what was made before.
for (const fn of await functionsOfRegistry()) {
  await put(`functions/${fn.name}/definition.yaml`, definition(fn, /** @type {Schema} */ (loaded[0]?.schema)));
}
if (check && drifted.length > 0) {
  console.error(`Generated files differ from their sources: ${drifted.join(", ")}. Run: npm run generate`);
  process.exitCode = 1;
}

/** @param {string} path @param {string} text */
async function put(path, text) {
  const url = new URL(path, root);
  const committed = await readFile(url, "utf8").catch(() => undefined);
  if (committed === text) return;
  drifted.push(path);
  if (check) return;
  await mkdir(new URL(".", url), { recursive: true });
  await writeFile(url, text);
}

/** The scripts of an export, as texts of the program: it is one file, and reads none. */
async function scripts() {
  const directories = ["src/clouds/scripts/", "src/clouds/aws/scripts/"].map((one) => new URL(one, root));
  const found = await Promise.all(directories.map(async (one) => (await readdir(one)).map((name) => ({ name, one }))));
  const sorted = found.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
  const texts = await Promise.all(sorted.map(({ name, one }) => readFile(new URL(name, one), "utf8")));
  const lines = sorted.map(({ name }, place) => `  ${JSON.stringify(name)}: ${JSON.stringify(texts[place])},`);
  return `// Made from src/clouds/scripts and src/clouds/aws/scripts by "npm run generate"; never edited.

/** The scripts, by name. */
export const awsScripts: Readonly<Record<string, string>> = {
${lines.join("\n")}
};
`;
}

/** @param {string} name @returns {Promise<Schema>} */
async function readSchema(name) {
  return JSON.parse(await readFile(new URL(`schemas/${name}.schema.json`, root), "utf8"));
}

/**
 * A schema with every reference replaced by what it refers to: then the place that a validation error names is one place
 * of the whole schema, and the words for it can be looked up.
 *
 * @param {any} part
 * @param {Schema} whole
 * @returns {any}
 */
function resolved(part, whole) {
  if (Array.isArray(part)) return part.map((one) => resolved(one, whole));
  if (part === null || typeof part !== "object") return part;
  const { $ref, ...rest } = part;
  const target = $ref === undefined ? {} : whole["definitions"][$ref.replace("#/definitions/", "")];
  const { definitions, ...merged } = { ...target, ...rest };
  return Object.fromEntries(Object.entries(merged).map(([key, value]) => [key, resolved(value, whole)]));
}

/**
 * What is checked by itself: a schema or, of a ClusterIdentity, what no cloud owns and each cloud's part.
 *
 * @param {{ name: string, validator: string, words: string, schema: Schema }} one
 */
function checkedOf(one) {
  const schema = resolved(one.schema, one.schema);
  if (one.name !== "cluster-identity") return [{ ...one, checks: one.name, schema }];
  return [{ ...one, checks: one.name, schema: withoutPlatforms(schema) }, ...platformsOf(schema)];
}

/**
 * The schema of a ClusterIdentity that leaves what is below `spec.platform` to its cloud.
 *
 * @param {Schema} whole
 * @returns {Schema}
 */
function withoutPlatforms(whole) {
  const { spec } = whole["properties"];
  const { properties, additionalProperties, ...platform } = spec["properties"]["platform"];
  return {
    ...whole,
    properties: { ...whole["properties"], spec: { ...spec, properties: { ...spec["properties"], platform } } },
  };
}

/** @param {Schema} whole */
function platformsOf(whole) {
  const { properties } = whole["properties"]["spec"]["properties"]["platform"];
  return platforms.map(({ definition, ...one }) => ({
    ...one,
    name: "cluster-identity",
    schema: /** @type {Schema} */ ({ ...properties[definition], $id: `${whole["$id"]}/${definition}` }),
  }));
}

/** @param {string} source */
function banner(source) {
  return `// Made from ${source} by tools/generate.mjs. Do not edit.\n`;
}

/** @param {Schema} schema @param {string} name */
async function types(schema, name) {
  const text = await compile(schema, schema["title"], {
    bannerComment: banner(`schemas/${name}.schema.json`),
    additionalProperties: false,
    unknownAny: true,
    style: { printWidth: 120 },
  });
  return text;
}

/** @param {{ name: string, validator: string, words: string, schema: Schema }} one */
async function validator({ name, validator, words, schema }) {
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    keywords: ["x-must"],
    messages: false,
    unicodeRegExp: false,
    code: { source: true, esm: true, lines: true },
  });
  ajv.addSchema(bare(schema));
  const code = standaloneCode(ajv, { [validator]: schema["$id"] });
  // The validator takes one small function from ajv at run time; it is put in place, so that it needs nothing.
  const result = await build({
    stdin: { contents: `${code}\n`, resolveDir: new URL(".", root).pathname, loader: "js" },
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
    minifySyntax: true,
  });
  const table = { musts: Object.fromEntries(mustsOf(schema)), knownFields: Object.fromEntries(fieldsOf(schema)) };
  const text = textOf(result).replaceAll(new URL(".", root).pathname, "");
  return `${banner(`schemas/${name}.schema.json`)}${text}export const ${words} = () => (${JSON.stringify(table, null, 2)});\n`;
}

/**
 * A schema without what only people read: validators carry parts of their schema with them.
 *
 * @param {any} part
 * @returns {any}
 */
function bare(part) {
  if (Array.isArray(part)) return part.map(bare);
  if (part === null || typeof part !== "object") return part;
  const prose = ["title", "default", "x-must"];
  const entries = Object.entries(part).filter(
    ([key, value]) => !prose.includes(key) && !(key === "description" && typeof value === "string"),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, bare(value)]));
}

// What a field must be, by the place of its rule in the schema: validation errors carry that place.
/** @param {any} schema @returns {[string, string][]} */
function mustsOf(schema, pointer = "#", found = /** @type {[string, string][]} */ ([])) {
  if (schema === null || typeof schema !== "object") return found;
  if (typeof schema["x-must"] === "string") found.push([pointer, schema["x-must"]]);
  for (const [key, value] of Object.entries(schema)) {
    mustsOf(value, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, found);
  }
  return found;
}

// The fields of every mapping that allows no others.
/** @param {any} schema @returns {[string, string[]][]} */
function fieldsOf(schema, pointer = "#", found = /** @type {[string, string[]][]} */ ([])) {
  if (schema === null || typeof schema !== "object") return found;
  if (schema.additionalProperties === false) found.push([pointer, Object.keys(schema.properties ?? {})]);
  for (const [key, value] of Object.entries(schema)) fieldsOf(value, `${pointer}/${key}`, found);
  return found;
}

/** @param {{ name: string, validator: string, words: string, schema: Schema }} one */
function declarations({ name, validator, words, schema }) {
  return `${banner(`schemas/${name}.schema.json`)}import type { SchemaValidator, SchemaWords } from "../core/validation.ts";
import type { ${schema["title"]} } from "./${name}.ts";

export const ${validator}: SchemaValidator<${schema["title"]}>;
export const ${words}: () => SchemaWords;
`;
}

/** @param {{ outputFiles: { text: string }[] }} result */
function textOf(result) {
  return result.outputFiles.map((file) => file.text).join("");
}

/** @param {string} path */
function load(path) {
  return loadText(`export * from "./${path}";`);
}

/** @param {string} contents */
async function loadText(contents) {
  const bundled = await build({
    stdin: { contents, resolveDir: new URL(".", root).pathname, loader: "js" },
    bundle: true,
    platform: "node",
    format: "esm",
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(textOf(bundled))}`);
}

/** @returns {Promise<readonly { name: string, summary: string, emits: readonly unknown[] }[]>} */
async function functionsOfRegistry() {
  return (await load("functions/registry.ts")).functions;
}

/**
 * A function as a KRMFunctionDefinition (kustomize's enhancement proposal 2906, "KRM plugin catalog").
 *
 * @param {{ name: string, summary: string, emits: readonly unknown[] }} fn
 * @param {Schema} schema of its configuration
 */
function definition({ name, summary, emits }, schema) {
  const home = "https://github.com/cloud-credential-functions/cloud-credential-functions";
  const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  const text = dump(
    {
      apiVersion: "config.kubernetes.io/v1alpha1",
      kind: "KRMFunctionDefinition",
      metadata: { name },
      spec: {
        group: "fn.cloudcredential.dev",
        names: { kind: schema["title"] },
        description: summary,
        publisher: "cloud-credential-functions",
        home,
        maintainers: ["cloud-credential-functions"],
        tags: [emits.length > 0 ? "generator" : "validator", "openshift", "okd", "aws"],
        versions: [
          {
            name: "v1alpha1",
            idempotent: true,
            usage: `${home}/blob/v${version}/functions/${name}/README.md`,
            license: "Apache-2.0",
            schema: { openAPIV3Schema: openApi(resolved(schema, schema)) },
            runtime: {
              container: {
                image: `ghcr.io/cloud-credential-functions/${name}:v${version}`,
                requireNetwork: false,
                requireStorageMount: false,
              },
            },
          },
        ],
      },
    },
    { noRefs: true, lineWidth: 120 },
  );
  return `${banner("schemas/ and functions/registry.ts").replace("//", "#")}${text}`;
}

/**
 * A JSON Schema in the words that OpenAPI 3.0 has for it.
 *
 * @param {any} part
 * @returns {any}
 */
function openApi(part) {
  if (Array.isArray(part)) return part.map(openApi);
  if (part === null || typeof part !== "object") return part;
  const entries = Object.entries(part).flatMap(([key, value]) => {
    if (["$schema", "$id", "propertyNames", "x-must"].includes(key)) return [];
    return key === "const" ? [["enum", [value]]] : [[key, openApi(value)]];
  });
  return Object.fromEntries(entries);
}

/** The findings of every module, sorted by code below a heading for each group. */
async function findingsDocument() {
  const { findingGroups } = await load("src/cli/validate/all-findings.ts");
  const groups = Object.entries(/** @type {Record<string, Record<string, Explanation>>} */ (findingGroups));
  const contents = groups.map(([title]) => `- [${title}](#${anchor(title)})`);
  const sections = groups.map(([title, findings]) => {
    const entries = Object.entries(findings).sort(([a], [b]) => (a < b ? -1 : 1));
    const texts = entries.map(
      ([code, { severity, cause, cure }]) => `### ${code}\n\n*${severity}*. ${cause}\n\n**Cure:** ${cure}\n`,
    );
    return `## ${title}\n\n${texts.join("\n")}`;
  });
  return `<!-- Made from every findings.ts by tools/generate.mjs. Do not edit. -->

# Findings

Everything that a function or a command has to say about its input is a finding. In a ResourceList it is a result:
\`severity\`, \`message\`, where it applies \`resourceRef\`, \`field\` and \`file\`, and the code of this page in \`tags.code\`.
Codes are stable: a check may rely on them. One error makes the run fail, and then nothing is changed; warnings and notes
do not. A severity that depends on the case is in the text. What rules find is in [validation-rules.md](validation-rules.md).

${contents.join("\n")}

${sections.join("\n")}`;
}

/**
 * The anchor that code hosts give to a heading.
 *
 * @param {string} heading
 */
function anchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");
}

/** Every rule with its examples, sorted by code. */
async function rulesDocument() {
  const { inspectors, rulesFor } = await load("src/clouds/inspectors.ts");
  const rules = /** @type {readonly Record<string, string>[]} */ (rulesFor(...inspectors));
  const readings = {
    package: "the package",
    live: "a live cluster (`--live`, or objects with a `metadata.uid`)",
    "install-config": "the install-config (`--install-config`)",
  };
  const sections = rules.map(({ code, severity, reads: from, summary, why, cure }) => {
    const example = (/** @type {string} */ kind) =>
      readFileSync(new URL(`testdata/rules/${code}/${kind}.yaml`, root), "utf8");
    const reads = readings[/** @type {keyof typeof readings} */ (from)];
    return `## ${code}

*${severity}*, read from ${reads}. ${summary}

${why}

**Cure:** ${cure}

Wrong:

\`\`\`yaml
${example("bad")}\`\`\`

Right:

\`\`\`yaml
${example("good")}\`\`\`
`;
  });
  return `<!-- Made from src/rules/checks/, src/clouds/*/rules/ and testdata/rules/ by tools/generate.mjs. Do not edit. -->

# Validation rules

What \`validate-credentials\` and \`ccf validate\` look for beside what the generators refuse and warn of
([findings.md](findings.md)). How a rule's finding is accepted, with a reason, is in [validate.md](../guides/validate.md). Codes are
stable. The examples are the tests: each wrong one breaks its own rule once and no other, each right one none.

${sections.join("\n")}`;
}
