import { listAt, type Value, type ValueMap } from "../core/resource.ts";
import type { WantedResource } from "../core/wanted-resource.ts";
import { fileIn, identityFile, identityKey } from "./rendered.ts";

/** The directory of the module in an export. */
export const moduleDirectory = "terraform";

/** An expression of Terraform. A text is escaped, but an expression is not. */
export class Expression {
  readonly text: string;

  /** @param text without `${` and `}`: `file("…")`. From the input, it may contain only IDs and names in a checked form. */
  constructor(text: string) {
    this.text = text;
  }
}

/** A value in Terraform's JSON syntax. */
export type TerraformValue = string | number | boolean | Expression | readonly TerraformValue[] | TerraformBody;

/** The attributes and blocks of a resource, or the entries of a map. */
export interface TerraformBody {
  readonly [name: string]: TerraformValue;
}

/** A resource of a provider. */
export interface TerraformResource {
  /** As the provider calls it: `aws_iam_role`. */
  readonly type: string;
  /** Its name in the module, unchecked: see {@link labelOf}. */
  readonly label: string;
  /** The file of the module that contains it. */
  readonly file: "issuer" | "identities";
  /** What it creates, alone or with others. */
  readonly wanted: WantedResource;
  readonly body: TerraformBody;
  /** The address of a resource that needs the same and must exist first. */
  readonly after?: string;
  /** Attributes whose changes are ignored after the creation. */
  readonly ignored?: readonly string[];
  /** Tokens of a running cluster depend on it, so a plan that would delete it fails. */
  readonly isProtected?: true;
  /** The ID by which the provider imports it; undefined if it cannot be imported, or the cloud assigns the ID. */
  readonly importId?: string;
}

/** What a package wants, in the terms of a provider. */
export interface TerraformModule {
  readonly provider: {
    /** Its local name: `aws`. */
    readonly name: string;
    /** Its address without the registry: `hashicorp/aws`. */
    readonly source: string;
    /** The versions that the mapping is checked with. */
    readonly version: string;
  };
  readonly wanted: readonly WantedResource[];
  /** In the order of `wanted`. */
  readonly resources: readonly TerraformResource[];
  /** What Terraform reads before it plans, by type: the attributes of `data.<type>.current`. */
  readonly data: Readonly<Record<string, TerraformBody>>;
  /** What must be true of the credentials, and the message if it is not. */
  readonly account: { readonly condition: Expression; readonly message: string };
  readonly outputs: Readonly<Record<string, TerraformOutput>>;
}

export interface TerraformOutput {
  readonly description: string;
  readonly value: TerraformValue;
}

/** Maps the files of an export, by path, to the resources of a provider. */
export type TerraformMapping = (files: ReadonlyMap<string, string>) => TerraformModule;

/** The address of a resource, within its module. */
export function addressOf({ type, label }: Pick<TerraformResource, "type" | "label">): string {
  return `${type}.${label}`;
}

/** An attribute of a resource that the cloud assigns. */
export function attributeOf(resource: Pick<TerraformResource, "type" | "label">, attribute: string): Expression {
  return new Expression(`${addressOf(resource)}.${attribute}`);
}

/**
 * The name of a resource in its module: stable, and readable. Addresses of Terraform have no dots and slashes.
 *
 * @param parts the Secret of the request, `<namespace>/<name>`, and what distinguishes resources of one type besides.
 */
export function labelOf(...parts: readonly string[]): string {
  return parts.map((part) => part.replace("/", "_").replace(/[^A-Za-z0-9_-]/g, "-")).join("_");
}

/** The content of a file of the export, so that a plan shows what the review showed. @param path in the export. */
export function contentOf(path: string): Expression {
  return new Expression(`file(${moduleFile(path)})`);
}

/** The MD5 of a file of the export, by which providers notice that a document was changed. @param path in the export. */
export function md5Of(path: string): Expression {
  return new Expression(`filemd5(${moduleFile(path)})`);
}

function moduleFile(path: string): string {
  return `"\${path.module}/../${path}"`;
}

/** Those fields of a body that it has, under the names of the provider. */
export function renamed(body: ValueMap, names: Readonly<Record<string, string>>): TerraformBody {
  return Object.fromEntries(
    Object.entries(names).flatMap(([field, name]) => (body[field] === undefined ? [] : [[name, body[field]]])),
  ) as TerraformBody;
}

/** Those fields of a body that the provider has under the same name. */
export function fieldsOf(body: ValueMap, ...names: readonly string[]): TerraformBody {
  return renamed(body, Object.fromEntries(names.map((name) => [name, name])));
}

/** The Secrets of the identities that resources belong to, `<namespace>/<name>`, by the IDs of the resources. */
export function secretsOf(
  files: ReadonlyMap<string, string>,
  wanted: readonly WantedResource[],
): ReadonlyMap<string, string> {
  return new Map(wanted.map(({ id, source }) => [id, identityKey(fileIn(files, `${source}/${identityFile}`))]));
}

/** The texts of a list in a body; empty if there is none. */
export function textsAt(body: Value, path: readonly string[]): string[] {
  return listAt(body, path).map(String);
}
