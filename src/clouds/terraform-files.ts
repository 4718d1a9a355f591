import { type Finding, finding } from "../core/finding.ts";
import { jsonFile } from "../core/json.ts";
import type { Value, ValueMap } from "../core/resource.ts";
import { quoteWhole } from "../core/text.ts";
import type { WantedResource } from "../core/wanted-resource.ts";
import {
  addressOf,
  Expression,
  moduleDirectory,
  type TerraformBody,
  type TerraformModule,
  type TerraformResource,
  type TerraformValue,
} from "./terraform.ts";

/** The versions of Terraform and OpenTofu that have everything that the files use: `import` blocks are the newest. */
const requiredVersion = ">= 1.5.0";

/** The files of a module, by path in an export. Do not write them if a finding is an error. */
export interface TerraformFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
}

/** What the files of a module contain besides the resources. */
export interface TerraformOptions {
  /** The name of the `module` block that calls the module, if the file with its `import` blocks is wanted, too. */
  readonly imported?: string | undefined;
  /** Whether a plan fails if it would delete what the tokens of a running cluster depend on. Default: true */
  readonly preventDestroy?: boolean | undefined;
}

/** The module of a package in Terraform's JSON syntax, without variables and without provider blocks. */
export function terraformFiles(
  module: TerraformModule,
  { imported, preventDestroy = true }: TerraformOptions = {},
): TerraformFiles {
  const { provider, resources, outputs } = module;
  const required = { [provider.name]: { source: provider.source, version: provider.version } };
  const data = Object.entries(module.data).map(([type, body]) => [type, { current: written(body) }]);
  const context: Context = { module, needs: dependenciesIn(module), preventDestroy };
  const contents: Record<string, ValueMap> = {
    versions: { terraform: { required_version: requiredVersion, required_providers: required } },
    issuer: { data: Object.fromEntries(data), ...resourceBlocks(context, "issuer") },
    identities: resourceBlocks(context, "identities"),
    outputs: { output: written(outputs as unknown as TerraformBody) },
  };
  const files = Object.entries(contents)
    .filter(([, content]) => Object.keys(content).length > 0)
    .map(([name, content]): [string, string] => [`${moduleDirectory}/${name}.tf.json`, jsonFile(content)]);
  const addresses = addressFindings(resources);
  if (imported === undefined) return { files: new Map(files), findings: addresses };
  const imports = importFile(imported, resources);
  return { files: new Map([...files, imports.file]), findings: [...addresses, ...imports.findings] };
}

/** What the block of each resource is written from. */
interface Context {
  readonly module: TerraformModule;
  readonly needs: ReturnType<typeof dependenciesIn>;
  readonly preventDestroy: boolean;
}

function resourceBlocks(context: Context, file: TerraformResource["file"]): ValueMap {
  const blocks: Record<string, Record<string, ValueMap>> = {};
  for (const resource of context.module.resources.filter((one) => one.file === file)) {
    const ofType = blocks[resource.type] ?? {};
    ofType[resource.label] = resourceBlock(context, resource);
    blocks[resource.type] = ofType;
  }
  return Object.keys(blocks).length === 0 ? {} : { resource: blocks };
}

function resourceBlock({ module, needs: all, preventDestroy }: Context, resource: TerraformResource): ValueMap {
  const needs = all.get(resource) ?? [];
  const { body, isProtected, ignored = [] } = resource;
  const { condition, message } = module.account;
  // Terraform plans nothing if one precondition fails.
  const isFirst = resource === module.resources[0];
  const lifecycle: TerraformBody = {
    ...(isProtected && preventDestroy ? { prevent_destroy: true } : {}),
    ...(ignored.length === 0 ? {} : { ignore_changes: ignored }),
    ...(isFirst ? { precondition: { condition, error_message: message } } : {}),
  };
  return {
    ...(written(body) as ValueMap),
    ...(needs.length === 0 ? {} : { depends_on: needs }),
    ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle: written(lifecycle) }),
  };
}

/** The addresses of what must exist before each resource, without those that follow from others. */
function dependenciesIn({ wanted, resources }: TerraformModule): ReadonlyMap<TerraformResource, readonly string[]> {
  const byId = new Map(wanted.map((one) => [one.id, one]));
  const lasts = new Map(resources.map((one) => [one.wanted.id, addressOf(one)]));
  const found = new Map<TerraformResource, readonly string[]>();
  let before: TerraformResource | undefined;
  for (const resource of resources) {
    // Several resources of one wanted resource follow each other.
    const sibling = before?.wanted === resource.wanted ? addressOf(before) : undefined;
    const only = resource.after ?? sibling;
    found.set(resource, only === undefined ? directNeeds(resource.wanted, byId, lasts) : [only]);
    before = resource;
  }
  return found;
}

function directNeeds(
  { needs }: WantedResource,
  byId: ReadonlyMap<string, WantedResource>,
  addresses: ReadonlyMap<string, string>,
): string[] {
  const implied = new Set<string>();
  for (const id of needs) addNeeds(byId, id, implied);
  return needs.filter((id) => !implied.has(id)).flatMap((id) => addresses.get(id) ?? []);
}

function addNeeds(byId: ReadonlyMap<string, WantedResource>, id: string, found: Set<string>): void {
  for (const need of byId.get(id)?.needs ?? []) {
    if (found.has(need)) continue;
    found.add(need);
    addNeeds(byId, need, found);
  }
}

/** A value in JSON syntax. Keys of maps are templates, too (Terraform documentation, "JSON Configuration Syntax"). */
function written(value: TerraformValue): Value {
  if (value instanceof Expression) return `\${${value.text}}`;
  if (typeof value === "string") return literal(value);
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [literal(key), written(one)]));
}

/** A text of a template that Terraform does not evaluate. */
export function literal(text: string): string {
  return text.replace(/[$%](?=\{)/g, "$&$&");
}

/** The form of names in Terraform (Terraform documentation, "Identifiers"), with ASCII only. */
const identifier = /^[A-Za-z_][A-Za-z0-9_-]*$/;

function addressFindings(resources: readonly TerraformResource[]): Finding[] {
  const taken = new Map<string, TerraformResource>();
  return resources.flatMap((resource) => {
    const address = addressOf(resource);
    const { kind, name } = resource.wanted;
    const called = `${kind} ${quoteWhole(name)}`;
    if (!identifier.test(resource.label)) {
      const message = `the ${called} would be ${quoteWhole(address)} in Terraform, but a name in Terraform must start with a letter. Apply this package with "ccf apply".`;
      return [finding("error", "terraform-address-invalid", message)];
    }
    const other = taken.get(address);
    if (other === undefined) {
      taken.set(address, resource);
      return [];
    }
    const message = `the ${called} and the ${other.wanted.kind} ${quoteWhole(other.wanted.name)} would both be ${quoteWhole(address)} in Terraform. Rename one of the two, or apply this package with "ccf apply".`;
    return [finding("error", "terraform-address-taken", message)];
  });
}

const maxNamed = 8;

/** The `import` blocks for the root module, which alone may contain them. */
function importFile(name: string, resources: readonly TerraformResource[]) {
  const blocks = resources.flatMap((one) =>
    one.importId === undefined
      ? []
      : [{ to: `module.${name}.${addressOf(one)}`, id: literal(one.importId) } satisfies ValueMap],
  );
  const file: [string, string] = [`${moduleDirectory}/imports/imports-${name}.tf.json`, jsonFile({ import: blocks })];
  return { file, findings: [...moduleFindings(name), ...withoutImport(resources)] };
}

function moduleFindings(name: string): Finding[] {
  if (identifier.test(name)) return [];
  const message = `the ClusterIdentity is called ${quoteWhole(name)}, but the name of a module in Terraform must start with a letter. Export without "--import", and write the "import" blocks yourself.`;
  return [finding("error", "terraform-address-invalid", message)];
}

function withoutImport(resources: readonly TerraformResource[]): Finding[] {
  const left = resources.filter(({ importId }) => importId === undefined).map(addressOf);
  if (left.length === 0) return [];
  const more = left.length > maxNamed ? `, and ${left.length - maxNamed} more` : "";
  const message = `No "import" block for ${left.slice(0, maxNamed).join(", ")}${more}: the provider cannot import it, or the cloud assigned its ID. See docs/guides/terraform.md.`;
  return [finding("info", "terraform-import-incomplete", message)];
}
