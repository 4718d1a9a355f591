import { createHash } from "node:crypto";
import { posix } from "node:path";
import { type Account, type Attributes, assigned } from "./assigned.ts";
import type { AskedResource } from "./engine-list.ts";
import { type Block, providers, type TerraformType } from "./schemas.ts";

// biome-ignore lint/suspicious/noExplicitAny: JSON of every form
type Any = any;

/** A resource of a module, as it is written. */
export interface ModuleResource {
  readonly type: string;
  readonly label: string;
  readonly file: string;
  readonly body: Readonly<Record<string, Any>>;
}

const metaArguments = ["depends_on", "lifecycle"];

/** The resources of the module of an export. */
export function resourcesIn(files: ReadonlyMap<string, string>): ModuleResource[] {
  return [...files].flatMap(([path, text]) => {
    if (!/^terraform\/[^/]+\.tf\.json$/.test(path)) return [];
    const types = Object.entries<Record<string, Any>>(JSON.parse(text).resource ?? {});
    return types.flatMap(([type, ofType]) =>
      Object.entries<Any>(ofType).map(([label, body]) => ({ type, label, file: path, body })),
    );
  });
}

/** What Terraform would ask the provider to create, by a reader of the few expressions that exports contain. */
export function evaluated(
  files: ReadonlyMap<string, string>,
  account: Account,
  resources: readonly ModuleResource[] = resourcesIn(files),
): AskedResource[] {
  const attributesOf = ({ body }: ModuleResource): Attributes =>
    Object.fromEntries(
      Object.entries(body)
        .filter(([name]) => !metaArguments.includes(name))
        .map(([name, value]) => [name, plain(value)]),
    );
  const plain = (value: Any): Any => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value === "object")
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [textOf(key), plain(one)]));
    return typeof value === "string" ? textOf(value) : value;
  };
  const textOf = (text: string): string => {
    if (/^\$\{.*\}$/.test(text)) return expression(text.slice(2, -1));
    if (/(?<![$])\$\{|(?<!%)%\{/.test(text)) throw new Error(`an expression inside of a text: ${text}`);
    return text.replace(/\$\$\{/g, "${").replace(/%%\{/g, "%{");
  };
  const expression = (text: string): string => {
    const [, call = "", argument] = /^(file|filemd5)\("\$\{path\.module\}\/([^"]+)"\)$/.exec(text) ?? [];
    const content = files.get(posix.join("terraform", argument ?? ""));
    if (call !== "" && content === undefined) throw new Error(`no file ${argument}`);
    if (call === "file") return content ?? "";
    if (call === "filemd5")
      return createHash("md5")
        .update(content ?? "")
        .digest("hex");
    const replaced = /^replace\((.*), ("(?:[^"\\]|\\.)*"), ("(?:[^"\\]|\\.)*")\)$/.exec(text);
    if (replaced !== null) {
      const [, of = "", from = "", to = ""] = replaced;
      const inner = JSON.parse(to).replace(/\$\{([^}]+)\}/g, (_: string, one: string) => expression(one));
      return expression(of).replaceAll(JSON.parse(from), inner);
    }
    const [type = "", label, attribute = ""] = text.split(".");
    const resource = resources.find((one) => one.type === type && one.label === label);
    if (resource === undefined) throw new Error(`no resource ${text}`);
    return assigned(type, attributesOf(resource), attribute, account);
  };
  return resources.map((one) => ({ type: one.type, attributes: attributesOf(one) }));
}

/** What a provider would not accept about its resources: unknown and missing attributes, and values of another type. */
export function schemaProblems(resources: readonly ModuleResource[]): string[] {
  return resources.flatMap(({ type, label, body }) => {
    const schema = Object.values(providers).flatMap((one) => one.resources[type] ?? [])[0];
    const own = Object.fromEntries(Object.entries(body).filter(([name]) => !metaArguments.includes(name)));
    return schema === undefined ? [`unknown resource ${type}`] : blockProblems(`${type}.${label}`, own, schema);
  });
}

function blockProblems(at: string, body: Any, { attributes, blocks }: Block): string[] {
  const missing = Object.entries(attributes).filter(([name, { required }]) => required && body[name] === undefined);
  const missingBlocks = Object.entries(blocks).filter(([name, { min }]) => min > 0 && body[name] === undefined);
  const problems = Object.entries<Any>(body).flatMap(([name, value]): string[] => {
    const [attribute, block] = [attributes[name], blocks[name]];
    if (attribute !== undefined && !(attribute.required || attribute.optional)) return [`${at}.${name} is read-only`];
    if (attribute !== undefined) return hasType(value, attribute.type) ? [] : [`${at}.${name} has another type`];
    if (block === undefined) return [`${at} has no ${name}`];
    return [value].flat().flatMap((one, index) => blockProblems(`${at}.${name}[${index}]`, one, block));
  });
  return [...problems, ...[...missing, ...missingBlocks].map(([name]) => `${at} lacks ${name}`)];
}

function hasType(value: Any, type: TerraformType): boolean {
  if (typeof type === "string") return typeof value === (type === "bool" ? "boolean" : type);
  const [kind, inner] = type;
  if (kind === "map") return !Array.isArray(value) && Object.values(value).every((one) => hasType(one, inner));
  return Array.isArray(value) && value.every((one) => hasType(one, inner));
}
