// Generates types, validators, and pages from schemas and tables, so that each fact has one source.
// `node tools/generate.mjs` writes the files. `--check` fails if a committed file differs from what would be written.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { build, transform } from "esbuild";
import { dump } from "js-yaml";
import { compile } from "json-schema-to-typescript";
import { clouds } from "../.dependency-cruiser.mjs";
import { anchor } from "./anchor.mjs";

/** @typedef {Record<string, any>} Schema */
/** @typedef {{ severity: string, cause: string, cure: string }} Explanation */
/** @typedef {Record<"code" | "severity" | "reads" | "isOptional" | "summary" | "why" | "cure", string>} Rule */

const root = new URL("../", import.meta.url);
const schemas = [
  "cluster-identity",
  "credentials-request",
  "review-policy",
  "workload-identity",
  ...clouds.map((cloud) => `${cloud}-provider-spec`),
].map(validated);
// Each cloud validates its own part of a ClusterIdentity.
const platforms = clouds.map((cloud) => ({
  ...validated(`${cloud}-platform`),
  definition: cloud,
  checks: `${cloud}-platform`,
}));

const check = process.argv.includes("--check");
/** @type {string[]} */
const drifted = [];
const loaded = await Promise.all(schemas.map(async (one) => ({ ...one, schema: await readSchema(one.name) })));
const groups = await findingGroups();
await put("src/generated/finding-codes.ts", findingCodes(groups));
for (const { name, schema } of loaded) await put(`src/generated/${name}.ts`, await types(schema, name));
for (const one of loaded.flatMap(checkedOf)) {
  await put(`src/generated/validate-${one.checks}.js`, await validator(one));
  await put(`src/generated/validate-${one.checks}.d.ts`, declarations(one));
}
await put("src/generated/schema-facts.ts", schemaFacts(/** @type {Schema} */ (loaded[0]?.schema)));
await put("src/generated/auditors-page.ts", await auditorsPage());
for (const [path, text] of await gcpRoles()) await put(path, text);
for (const [path, text] of await azureRoles()) await put(path, text);
await put("docs/reference/cluster-identity.md", clusterIdentityDocument(/** @type {Schema} */ (loaded[0]?.schema)));
await put("docs/reference/findings.md", await findingsDocument(groups));
await put("docs/reference/validation-rules.md", await rulesDocument());
await put("docs/reference/commands.md", await commandsDocument());
// The registry imports the files that were written above.
for (const fn of await functionsOfRegistry()) {
  await put(`functions/${fn.name}/definition.yaml`, definition(fn));
}
if (check && drifted.length > 0) {
  console.error(`Generated files are out of date: ${drifted.join(", ")}. Run: npm run generate`);
  process.exitCode = 1;
}

/**
 * The names of what is generated from a schema.
 *
 * @param {string} name
 */
function validated(name) {
  const pascal = name.replace(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase());
  return {
    name,
    validator: `validate${pascal}`,
    words: `${pascal.replace(/^./, (letter) => letter.toLowerCase())}Words`,
  };
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

/**
 * The style and the script of the page for auditors, minified, with the hashes for its Content Security Policy.
 *
 * @returns {Promise<string>}
 */
async function auditorsPage() {
  const source = "src/page/browser/";
  /** @param {string[]} names */
  const minified = async (...names) => {
    const texts = await Promise.all(names.map((name) => readFile(new URL(`${source}${name}`, root), "utf8")));
    const { code } = await transform(texts.join("\n"), {
      loader: "css",
      minify: true,
      charset: "ascii",
      target: "chrome110",
    });
    return code.trim();
  };
  // The search asks the code of `ccf report --who-may`, so it is a bundle.
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`${source}script.js`, root))],
    ...{ bundle: true, write: false, minify: true, charset: "ascii", format: "iife", target: "es2022" },
  });
  const [pageStyle, pictureStyle, pageScript] = [
    await minified("picture.css", "page.css"),
    await minified("picture.css"),
    (outputFiles[0]?.text ?? "").trim(),
  ];
  const hash = (/** @type {string} */ text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;
  return `${banner(source)}
/** The style of the page for auditors, and the hash that its policy allows. */
export const pageStyle = ${JSON.stringify(pageStyle)};
export const pageStyleHash = ${JSON.stringify(hash(pageStyle))};

/** The style of the picture as a file of its own. */
export const pictureStyle = ${JSON.stringify(pictureStyle)};

/** The script of the page, and the hash that its policy allows. */
export const pageScript = ${JSON.stringify(pageScript)};
export const pageScriptHash = ${JSON.stringify(hash(pageScript))};
`;
}

/**
 * The predefined roles of GCP, from what Google says about them: all permissions for comparisons, and for rules those with
 * which an identity can act as another one or change a policy. The name of the directory is the date.
 *
 * @returns {Promise<[path: string, text: string][]>}
 */
async function gcpRoles() {
  const directory = new URL("src/clouds/gcp/roles/", root);
  const [date = "", ...more] = await readdir(directory);
  if (more.length > 0)
    throw new Error("src/clouds/gcp/roles must contain one directory, named by the date of its files");
  const names = (await readdir(new URL(`${date}/`, directory))).sort();
  const roles = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(new URL(`${date}/${name}`, directory), "utf8"))),
  );
  const { isRisk, packed } = await load("src/clouds/gcp/permissions/terms.ts");
  const source = `src/clouds/gcp/roles/${date}`;
  const table = (/** @type {(permission: string) => boolean} */ isOf) =>
    roles.map(({ name, includedPermissions }) => {
      const text = packed(includedPermissions.filter(isOf));
      return `  ${JSON.stringify(name)}: ${JSON.stringify(text)},`;
    });
  return [
    [
      "src/generated/gcp-roles.ts",
      `${banner(source)}
/** The month of the definitions. */
export const gcpRolesDate = ${JSON.stringify(date)};

/** The permissions of predefined roles, packed, by the name of the role. */
export const gcpRoles: Readonly<Record<string, string>> = {
${table(() => true).join("\n")}
};
`,
    ],
    [
      "src/generated/gcp-role-risks.ts",
      `${banner(source)}
/** The permissions of predefined roles with which an identity can extend what it may do, packed, by the name of the role. */
export const gcpRoleRisks: Readonly<Record<string, string>> = {
${table(isRisk).join("\n")}
};
`,
    ],
  ];
}

/**
 * The built-in roles of Azure, from what Microsoft says about them: their IDs for renders, and their definitions for comparisons.
 * A file without permissions only names a role. Each directory is named by the date of its files.
 *
 * @returns {Promise<[path: string, text: string][]>}
 */
async function azureRoles() {
  const directory = new URL("src/clouds/azure/roles/", root);
  const files = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith(".json")).sort();
  const roles = await Promise.all(
    files.map(async (name) => {
      const [{ roleName, name: id, permissions }] = JSON.parse(await readFile(new URL(name, directory), "utf8"));
      return { name: roleName, id, date: name.split("/")[0], permissions };
    }),
  );
  const ids = roles.map(({ name, id }) => `  ${JSON.stringify(name)}: ${JSON.stringify(id)},`).sort();
  const lines = roles
    .filter(({ permissions }) => permissions !== undefined)
    .map((role) => `  ${JSON.stringify(role)},`);
  return [
    [
      "src/generated/azure-role-ids.ts",
      `${banner("src/clouds/azure/roles")}
/** The IDs of the built-in roles that requests name, by the name of the role: the same in every tenant and cloud. */
export const azureRoleIds: Readonly<Record<string, string>> = {
${ids.join("\n")}
};
`,
    ],
    [
      "src/generated/azure-roles.ts",
      `${banner("src/clouds/azure/roles")}
/** A built-in role. */
export interface AzureRole {
  readonly name: string;
  /** A UUID. */
  readonly id: string;
  /** The month of its definition. */
  readonly date: string;
  readonly permissions: readonly Readonly<
    Record<"actions" | "notActions" | "dataActions" | "notDataActions", readonly string[]>
  >[];
}

/** The built-in roles whose definitions are known. */
export const azureRoles: readonly AzureRole[] = [
${lines.join("\n")}
];
`,
    ],
  ];
}

/** @param {string} name @returns {Promise<Schema>} */
async function readSchema(name) {
  return JSON.parse(await readFile(new URL(`schemas/${name}.schema.json`, root), "utf8"));
}

/**
 * A schema with every reference replaced by its target. The schema path of a validation error then points to one place, and
 * the rule at that place can be looked up.
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
 * The parts of a schema that get a validator each. A ClusterIdentity has one for the fields that no cloud owns, and one for
 * each cloud.
 *
 * @param {{ name: string, validator: string, words: string, schema: Schema }} one
 */
function checkedOf(one) {
  const schema = resolved(one.schema, one.schema);
  if (one.name !== "cluster-identity") return [{ ...one, checks: one.name, schema }];
  return [{ ...one, checks: one.name, schema: withoutPlatforms(schema) }, ...platformsOf(schema)];
}

/**
 * The schema of a ClusterIdentity, without the fields below `spec.platform`: the cloud validates those.
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
function notice(source) {
  return `Code generated by tools/generate.mjs from ${source}; DO NOT EDIT.`;
}

/** @param {string} source */
function banner(source) {
  return `// ${notice(source)}\n`;
}

/** @param {Schema} schema @param {string} name */
async function types(schema, name) {
  return await compile(without(schema, ["examples"]), schema["title"], {
    bannerComment: banner(`schemas/${name}.schema.json`),
    additionalProperties: false,
    unknownAny: true,
    style: { printWidth: 120 },
  });
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
  // The validator imports a small function from ajv. It is bundled, so that the validator has no dependencies at run time.
  const result = await build({
    stdin: { contents: `${code}\n`, resolveDir: new URL(".", root).pathname, loader: "js" },
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
    minifySyntax: true,
  });
  const table = { musts: Object.fromEntries(mustsOf(schema)), knownFields: Object.fromEntries(fieldsOf(schema)) };
  const text = textOf(result)
    .replaceAll(new URL(".", root).pathname, "")
    // ajv finds duplicates with the entries as keys, and "__proto__" would not become a key.
    .replaceAll(/let (indices\d+) = \{\};/g, "let $1 = Object.create(null);");
  return `${banner(`schemas/${name}.schema.json`)}${text}export const ${words} = () => (${JSON.stringify(table, null, 2)});\n`;
}

/**
 * A schema without its prose: a validator contains parts of its schema.
 *
 * @param {any} part
 * @returns {any}
 */
function bare(part) {
  return without(part, ["title", "default", "examples", "x-must"], ["description"]);
}

/**
 * A schema without some of its keywords.
 *
 * @param {any} part
 * @param {readonly string[]} keywords
 * @param {readonly string[]} [prose] keywords that are removed only if they are strings: a field may have the same name
 * @returns {any}
 */
function without(part, keywords, prose = []) {
  if (Array.isArray(part)) return part.map((one) => without(one, keywords, prose));
  if (part === null || typeof part !== "object") return part;
  const entries = Object.entries(part).filter(
    ([key, value]) => !keywords.includes(key) && !(prose.includes(key) && typeof value === "string"),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, without(value, keywords, prose)]));
}

// The `x-must` rules, by their path in the schema: validation errors contain that path.
/** @param {any} schema @returns {[string, string][]} */
function mustsOf(schema, pointer = "#", found = /** @type {[string, string][]} */ ([])) {
  if (schema === null || typeof schema !== "object") return found;
  if (typeof schema["x-must"] === "string") found.push([pointer, schema["x-must"]]);
  for (const [key, value] of Object.entries(schema)) {
    mustsOf(value, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, found);
  }
  return found;
}

// The fields of every mapping that does not allow others.
/** @param {any} schema @returns {[string, string[]][]} */
function fieldsOf(schema, pointer = "#", found = /** @type {[string, string[]][]} */ ([])) {
  if (schema === null || typeof schema !== "object") return found;
  if (schema.additionalProperties === false) found.push([pointer, Object.keys(schema.properties ?? {})]);
  for (const [key, value] of Object.entries(schema)) fieldsOf(value, `${pointer}/${key}`, found);
  return found;
}

/**
 * What code needs of the schema of a ClusterIdentity in addition to its validators: the defaults of fields, the values of an
 * enumeration, and the forms of values that can also come from elsewhere.
 *
 * @param {Schema} schema
 */
function schemaFacts(schema) {
  const fields = fieldsBelow(resolved(schema, schema), []).map(({ path, rule }) => [path.join("."), rule]);
  /** @type {Record<string, Schema>} */
  const rules = Object.fromEntries(fields);
  const forms = {
    isIssuerUrl: "spec.issuer.url",
    isResourcePrefix: "spec.resourcePrefix",
    isAwsRegion: "spec.platform.aws.region",
    isGcpPoolId: "spec.platform.gcp.pool",
  };
  const defaults = Object.entries(rules).filter(([path, rule]) => isScalar(rule["default"]) && !path.includes("<key>"));
  const functions = Object.entries(forms).map(([name, path]) => {
    const { pattern, maxLength } = /** @type {Schema} */ (rules[path]);
    const fits = `${new RegExp(pattern, "u")}.test(text)`;
    return `/** Whether a text is valid in \`${path}\`. */
export function ${name}(text: string): boolean {
  return ${maxLength === undefined ? fits : `text.length <= ${maxLength} && ${fits}`};
}
`;
  });
  return `${banner("schemas/cluster-identity.schema.json")}
/** The defaults of the fields of a ClusterIdentity. */
export const defaults = {
${defaults.map(([path, rule]) => `  ${JSON.stringify(path)}: ${JSON.stringify(rule["default"])},`).join("\n")}
} as const;

/** The values of \`spec.release.featureSet\`. */
export const featureSets = ${JSON.stringify(rules["spec.release.featureSet"]?.["enum"])} as const;

${functions.join("\n")}`;
}

/** @param {unknown} value */
function isScalar(value) {
  return value !== undefined && (typeof value !== "object" || value === null);
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
    plugins: [
      {
        name: "nothing that is loaded only when a command runs",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\./ }, ({ kind, path }) =>
            kind === "dynamic-import" ? { path, external: true } : undefined,
          ),
      },
    ],
  });
  return import(`data:text/javascript,${encodeURIComponent(textOf(bundled))}`);
}

/** @returns {Promise<readonly { name: string, summary: string, emits: readonly unknown[] }[]>} */
async function functionsOfRegistry() {
  return (await load("functions/registry.ts")).functions;
}

/**
 * The KRMFunctionDefinition of a function (kustomize enhancement proposal 2906, "KRM plugin catalog"). It refers to the schema
 * of the configuration, which all functions share.
 *
 * @param {{ name: string, summary: string, emits: readonly unknown[] }} fn
 */
function definition({ name, summary, emits }) {
  const home = "https://github.com/cloud-credential-functions/cloud-credential-functions";
  const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  const text = dump(
    {
      apiVersion: "config.kubernetes.io/v1alpha1",
      kind: "KRMFunctionDefinition",
      metadata: { name },
      spec: {
        group: "fn.cloudcredential.dev",
        names: { kind: "ClusterIdentity" },
        description: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
        publisher: "cloud-credential-functions",
        home,
        maintainers: ["cloud-credential-functions"],
        tags: [
          emits.length > 0 ? "generator" : "validator",
          "openshift",
          "okd",
          ...platforms.map(({ definition }) => definition),
        ],
        versions: [
          {
            name: "v1alpha1",
            idempotent: true,
            usage: `${home}/blob/v${version}/functions/${name}/README.md`,
            license: "Apache-2.0",
            schema: { openAPIV3Schema: { $ref: `${home}/raw/v${version}/schemas/cluster-identity.schema.json` } },
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
  return `${banner("functions/registry.ts").replace("//", "#")}${text}`;
}

/** @returns {Promise<readonly [title: string, findings: Record<string, Explanation>][]>} the findings of every module */
async function findingGroups() {
  return Object.entries((await load("src/cli/all-findings.ts")).findingGroups);
}

/**
 * The union of all codes, as a type: what reports a finding loads no explanation.
 *
 * @param {Awaited<ReturnType<typeof findingGroups>>} groups
 */
function findingCodes(groups) {
  const codes = groups.flatMap(([, findings]) => Object.keys(findings)).sort();
  return `${banner("every findings.ts")}
/** The stable name of a kind of finding. docs/reference/findings.md explains each. Once released, a code keeps its meaning. */
export type FindingCode =
${codes.map((code) => `  | ${JSON.stringify(code)}`).join("\n")};
`;
}

/**
 * A section for each group of findings, sorted by code.
 *
 * @param {Awaited<ReturnType<typeof findingGroups>>} groups
 */
async function findingsDocument(groups) {
  // With what single clouds add.
  const { explanations } = await load("src/cli/all-findings.ts");
  const contents = groups.map(([title]) => `- [${title}](#${anchor(title)})`);
  const sections = groups.map(([title, findings]) => {
    const entries = Object.entries(findings).sort(([a], [b]) => (a < b ? -1 : 1));
    const texts = entries.map(([code]) => {
      const { severity, cause, cure } = explanations[code];
      return `### ${code}\n\n*${severity}*. ${cause}\n\n**Fix:** ${cure}\n`;
    });
    return `## ${title}\n\n${texts.join("\n")}`;
  });
  return `<!-- ${notice("every findings.ts")} -->

# Findings

Functions and commands report what they find in their input as *findings*. In a ResourceList, a finding is a result with
\`severity\`, \`message\`, and, if they apply, \`resourceRef\`, \`field\`, and \`file\`. Its code is in \`tags.code\`.

Codes are stable: your checks can rely on them. If there is an error, the run fails and changes nothing. Warnings and notes
do not fail a run. If the severity depends on the case, the text below says how. Findings of rules are in
[validation-rules.md](validation-rules.md).

${contents.join("\n")}

${sections.join("\n")}`;
}

/**
 * The anchor of a heading on a page: if an earlier heading has the same anchor, it gets a number.
 *
 * @param {readonly string[]} headings of the page, in order
 * @param {string} heading
 */
function anchorAmong(headings, heading) {
  const earlier = headings.slice(0, headings.indexOf(heading)).filter((one) => anchor(one) === anchor(heading));
  return earlier.length === 0 ? anchor(heading) : `${anchor(heading)}-${earlier.length}`;
}

/** Every rule with its examples: those for every cloud first, then those of each cloud, and each group sorted by code. */
async function rulesDocument() {
  const { inspectors, rulesFor } = await load("src/clouds/inspectors.ts");
  const general = /** @type {readonly Rule[]} */ (rulesFor());
  const groups = [
    { title: "All clouds", rules: general },
    ...["aws", "gcp", "azure"].map((cloud) => {
      const inspector = inspectors.find((/** @type {{ name: string }} */ { name }) => name === cloud);
      const rules = /** @type {readonly Rule[]} */ (rulesFor(inspector)).filter((rule) => !general.includes(rule));
      return { title: inspector.title, rules };
    }),
  ];
  const readings = {
    package: "the package",
    packages: "all packages of a run",
    live: "a live cluster (`--live`, or objects with a `metadata.uid`)",
    "install-config": "the install-config (`--install-config`)",
  };
  const contents = groups.map(
    ({ title, rules }) =>
      `**${title}**\n\n${rules.map(({ code, summary }) => `- [${code}](#${anchor(code)}): ${summary}\n`).join("")}`,
  );
  /** @param {Rule} rule */
  const section = ({ code, severity, reads: from, isOptional, summary, why, cure }) => {
    const example = (/** @type {string} */ kind) =>
      readFileSync(new URL(`testdata/rules/${code}/${kind}.yaml`, root), "utf8");
    const reads = readings[/** @type {keyof typeof readings} */ (from)];
    return `### ${code}

*${severity}*${isOptional ? ", optional" : ""}, read from ${reads}. ${summary}

${why}

**Fix:** ${cure}

Wrong:

\`\`\`yaml
${example("bad")}\`\`\`

Right:

\`\`\`yaml
${example("good")}\`\`\`
`;
  };
  const sections = groups.map(({ title, rules }) => `## ${title}\n\n${rules.map(section).join("\n")}`);
  return `<!-- ${notice("src/rules/checks/, src/clouds/*/rules/, and testdata/rules/")} -->

# Validation rules

The rules that \`validate-credentials\` and \`ccf validate\` check, in addition to the errors and warnings of the generators
([findings.md](findings.md)). To accept a finding with a reason, see [validate.md](../guides/validate.md).

An *optional* rule is off. To turn it on, list its code in \`spec.optionalRules\` of the ClusterIdentity.

Codes are stable. The examples are also the tests: each wrong example breaks its own rule once and no other rule. Each right
example breaks no rule. The rules for all clouds come first, then those for AWS, GCP, and Azure.

${contents.join("\n")}

${sections.join("\n")}`;
}

/** Every command, in the order of `ccf --help`. */
async function commandsDocument() {
  const { commands } = await load("src/cli/commands.ts");
  const { topics } = await load("src/cli/topics.ts");
  const help = await load("src/cli/help.ts");
  const functions = await functionsOfRegistry();
  const contents = commands.map(
    (/** @type {Command} */ { name, summary }) => `- [ccf ${name}](#${anchor(`ccf ${name}`)}): ${markdown(summary)}`,
  );
  const sections = commands.map((/** @type {Command} */ one) => commandSection(one, topics, help));
  const shared = topics.map(
    (/** @type {Topic} */ { title, summary }) => `- [${title}](#${anchor(title)}): ${markdown(summary)}`,
  );
  const links = functions.map(
    ({ name, summary }) => `- [${name}](../../functions/${name}/README.md): ${markdown(summary)}`,
  );
  return `<!-- ${notice("src/cli/*/definition.ts")} -->

# Commands

\`ccf COMMAND --help\` prints the same text at the terminal. \`ccf help\` lists the commands, and \`ccf --version\` prints the version.
\`ccf help TOPIC\` explains what several commands have in common.

Every command exits with 0 for success or the answer yes, with 2 for the answer no, and with 1 if it failed or cannot tell. So a
script that checks something can treat 2 as the answer, and 1 as an error. Findings, progress, and errors go to standard error.
With \`-o json\`, a failure is one JSON object on standard output, too: [failure.schema.json](../../schemas/failure.schema.json).

${contents.join("\n")}

What several commands have in common:

${shared.join("\n")}

KRM functions, which kpt and kustomize run: \`ccf FUNCTION < LIST\` reads a ResourceList and prints a ResourceList. They exit
with 0 or 1.

${links.join("\n")}

${[...sections, ...topics.map((/** @type {Topic} */ one) => topicSection(one, help))].join("\n")}`;
}

/** @typedef {import("../src/cli/definition.ts").Command} Command */

/** @typedef {import("../src/cli/topics.ts").Topic} Topic */
/** @typedef {typeof import("../src/cli/help.ts")} Help */

/** @param {Command} command @param {readonly Topic[]} topics @param {Help} help */
function commandSection(command, topics, help) {
  const { name, description, arguments: given, flags, sections = {}, exitCodes, examples } = command;
  const code = (/** @type {string} */ text) => `\`${text}\``;
  const argumentRows = given.map((one) => {
    const choices = one.choices === undefined ? "" : ` One of ${one.choices.map(code).join(", ")}.`;
    return [code(one.name), `${sentence(one.text)}${choices}`];
  });
  const optionTables = [...help.optionGroups(flags)].map(
    ([title, own]) => `**${title}**\n\n${table(["option", "meaning"], own.map(optionRow))}`,
  );
  const shared = topics.flatMap((topic) => {
    const names = help.flagsIn(topic, flags).map((flag) => optionRow(flag)[0]);
    return names.length === 0 ? [] : [`**[${topic.title}](#${anchor(topic.title)})**: ${names.join("; ")}`];
  });
  const codes = Object.entries(exitCodes ?? { 0: "success", 1: "failure" });
  return `${[
    `## ccf ${name}`,
    markdown(description),
    `\`\`\`text\n${help.usageOf(command).join("\n")}\n\`\`\``,
    ...(given.length === 0 ? [] : [table(["argument", "meaning"], argumentRows)]),
    ...optionTables,
    ...shared,
    ...blocks(sections, help),
    `**Exit codes**\n\n${table(["code", "meaning"], codes)}`,
    `**Examples**\n\n\`\`\`sh\n${examples.map(help.exampleLines).join("\n")}\n\`\`\``,
  ].join("\n\n")}\n`;
}

/** @param {Topic} topic @param {Help} help */
function topicSection({ title, description, flags, sections }, help) {
  return `${[
    `## ${title}`,
    markdown(description),
    table(["option", "meaning"], Object.entries(flags).map(optionRow)),
    ...blocks(sections, help),
  ].join("\n\n")}\n`;
}

/** @param {Topic["sections"]} sections @param {Help} help */
function blocks(sections, { sectionLines }) {
  return Object.entries(sections).map(
    ([title, entries]) => `**${title}**\n\n\`\`\`text\n${sectionLines(entries, 100).join("\n")}\n\`\`\``,
  );
}

/** @param {readonly [string, Command["flags"][string]]} flag */
function optionRow([long, { text, short, value, choices, also, fallback, many }]) {
  const all = [...(choices ?? []), ...(also === undefined ? [] : [also.shown])].map((one) => `\`${one}\``);
  const repeated = many !== undefined && !/repeated|separated/.test(text) ? ["May be repeated."] : [];
  const facts = [
    sentence(text),
    ...(all.length === 0 ? [] : [`One of ${all.join(", ")}.`]),
    ...(fallback === undefined ? [] : [`Default: \`${fallback}\`.`]),
    ...repeated,
  ];
  const name = `--${long}${value === undefined ? "" : ` ${value}`}`;
  return [`${short === undefined ? "" : `\`-${short}\`, `}\`${name}\``, facts.join(" ")];
}

/** @param {string} text without a period, as in the help */
function sentence(text) {
  return `${markdown(text).replace(/^[a-z](?!\w*[A-Z`])/, (letter) => letter.toUpperCase())}.`;
}

/** @param {string[]} head @param {string[][]} rows */
function table(head, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/**
 * Every field of a ClusterIdentity, in the order of the schema.
 *
 * @param {Schema} schema
 */
function clusterIdentityDocument(schema) {
  const whole = resolved(schema, schema);
  const fields = fieldsBelow(whole, []).slice(1);
  const groups = fields.filter(({ rule }) => isGroup(rule));
  const of = (/** @type {Field} */ group) =>
    fields.filter(({ path, rule }) => !isGroup(rule) && path.slice(0, -1).join() === group.path.join());
  const top = fields.filter(({ path, rule }) => path.length === 1 && !isGroup(rule));
  const headings = groups.flatMap((group) => [group, ...of(group)]).map(({ path }) => fieldName(path));
  const contents = groups.map(({ path }) => `- [${fieldName(path)}](#${anchorAmong(headings, fieldName(path))})`);
  return `<!-- ${notice("schemas/cluster-identity.schema.json")} -->

# ClusterIdentity

One ClusterIdentity configures one cluster. It is in \`cluster-identity.yaml\` in the package; \`ccf init\` writes the first
version. The [JSON schema](../../schemas/cluster-identity.schema.json) has the same content. To get completion in an editor
with the YAML language server, copy the schema to the directory that contains the package, not into the package. Then start
the file with this line:

\`\`\`yaml
# yaml-language-server: $schema=../cluster-identity.schema.json
\`\`\`

## Example

This example only illustrates the fields: it sets more of them than most clusters need. It cannot be rendered with the sample
requests, because they do not contain the requests that its overrides name. The schema requires \`apiVersion\`, \`kind\`,
\`metadata.name\`, and \`spec.platform.aws.accountID\`. A render also requires:

- \`spec.platform.aws.region\`, unless the package contains \`Infrastructure/cluster\` with the region in its status;
- \`spec.issuer.signingKeys\`, for \`generate-oidc-issuer\`.

\`\`\`yaml
${yaml(whole["examples"][0])}\`\`\`

## Fields

${top.map(({ path, rule }) => `- ${fieldName(path)}: \`${rule["const"]}\``).join("\n")}
${contents.join("\n")}

${groups.map((group) => sectionOf(group, of(group))).join("\n")}`;
}

/** @typedef {{ path: readonly string[], rule: Schema, isRequired: boolean }} Field `<key>` is any key, `[]` any list item */

/**
 * @param {Schema} rule
 * @param {readonly string[]} path
 * @returns {Field[]}
 */
function fieldsBelow(rule, path, isRequired = false) {
  const { properties = {}, additionalProperties, items, required = [] } = rule;
  const last = path.at(-1);
  return [
    { path, rule, isRequired },
    ...Object.entries(properties).flatMap(([name, one]) => fieldsBelow(one, [...path, name], required.includes(name))),
    ...(additionalProperties?.properties === undefined ? [] : fieldsBelow(additionalProperties, [...path, "<key>"])),
    ...(items?.properties === undefined ? [] : fieldsBelow(items, [...path.slice(0, -1), `${last}[]`])),
  ];
}

/** @param {Schema} rule */
function isGroup({ properties }) {
  return properties !== undefined;
}

/** @param {readonly string[]} path */
function fieldName(path) {
  return `\`${path.join(".")}\``;
}

/**
 * Prose of the schema as Markdown: code in code marks, and pages as links.
 *
 * @param {string} prose
 */
function markdown(prose) {
  const code = /(?<!\w)'([^']+)'(?!\w)|((?:[\w./-]*<[^<>]+>[\w-]*)+|(?:spec|metadata)(?:\.\w+)+)|docs\/([\w/-]+\.md)/g;
  return prose.replace(code, (_, quoted, plain, page) =>
    page === undefined
      ? `\`${quoted ?? plain}\``
      : `[docs/${page}](${page.replace("reference/", "").replace(/^(?=guides|integrations)/, "../")})`,
  );
}

/** @param {Field} group @param {readonly Field[]} fields */
function sectionOf({ path, rule }, fields) {
  const must = rule["x-must"] === undefined ? [] : [`**Rule:** ${markdown(rule["x-must"])}.\n`];
  return [`## ${fieldName(path)}\n`, `${markdown(rule["description"])}\n`, ...must, ...fields.map(entryOf)].join("\n");
}

/** @param {Field} field */
function entryOf({ path, rule, isRequired }) {
  const item = rule["items"] ?? {};
  const choices = rule["enum"] ?? item["enum"];
  const key = rule["propertyNames"]?.["x-must"];
  const facts = [
    ["Type", `${typeName(rule)}${isRequired ? ", required" : ""}`],
    ["Default", rule["default"] === undefined ? undefined : `\`${JSON.stringify(rule["default"])}\``],
    ["Allowed values", choices?.map((/** @type {unknown} */ one) => `\`${one}\``).join(", ")],
    ["Rule", rule["x-must"]],
    ["Rule for each key", key],
    ["Rule for each item", item["properties"] === undefined ? item["x-must"] : undefined],
  ];
  const lines = facts.flatMap(([name, text]) =>
    text === undefined ? [] : [`- **${name}:** ${name.startsWith("Rule") ? markdown(text) : text}`],
  );
  return `### ${fieldName(path)}

${markdown(rule["description"])}

${lines.join("\n")}

\`\`\`yaml
${yaml({ [/** @type {string} */ (path.at(-1))]: rule["examples"][0] })}\`\`\`
`;
}

/** @param {Schema} rule @returns {string} */
function typeName({ type, items, additionalProperties }) {
  if (type === "array") return `list of ${items.properties === undefined ? `${items.type}s` : "objects"}`;
  if (type !== "object") return type;
  if (additionalProperties === true) return "map";
  return `map of ${additionalProperties.properties === undefined ? `${additionalProperties.type}s` : "objects"}`;
}

/** @param {unknown} value */
function yaml(value) {
  return dump(value, { noRefs: true, lineWidth: 120, quoteStyle: "double" });
}
