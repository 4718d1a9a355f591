import { readFileSync } from "node:fs";

/** A type of Terraform in the form of its protocol: `"string"`, or `["list", "string"]`. */
export type TerraformType = string | readonly [string, TerraformType];

interface Attribute {
  readonly type: TerraformType;
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
}

export interface Block {
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly blocks: Readonly<Record<string, NestedBlock>>;
}

interface NestedBlock extends Block {
  readonly nesting: "list" | "set" | "single";
  readonly min: number;
  readonly max: number;
}

/** What a provider offers, as far as exports use it. */
export interface ProviderSchemas {
  readonly source: string;
  readonly version: string;
  readonly resources: Readonly<Record<string, Block>>;
  readonly data: Readonly<Record<string, Block>>;
}

interface Written {
  readonly attributes: Readonly<Record<string, string>>;
  readonly blocks?: Readonly<
    Record<string, Written & { readonly nesting: NestedBlock["nesting"]; readonly min?: number; readonly max?: number }>
  >;
}

/** The schemas of the published providers, by local name: facts, extracted once. */
export const providers: Readonly<Record<string, ProviderSchemas>> = readSchemas();

function readSchemas(): Readonly<Record<string, ProviderSchemas>> {
  const { providers } = JSON.parse(readFileSync("testdata/terraform/provider-schemas.json", "utf8"));
  const all = Object.entries(providers as Record<string, ProviderSchemas>);
  return Object.fromEntries(
    all.map(([name, one]) => [name, { ...one, resources: blocksOf(one.resources), data: blocksOf(one.data) }]),
  );
}

function blocksOf(written: Readonly<Record<string, unknown>>): Record<string, Block> {
  return Object.fromEntries(Object.entries(written).map(([name, one]) => [name, blockOf(one as Written)]));
}

function blockOf({ attributes, blocks = {} }: Written): Block {
  return {
    attributes: Object.fromEntries(Object.entries(attributes).map(([name, text]) => [name, attributeOf(text)])),
    blocks: Object.fromEntries(
      Object.entries(blocks).map(([name, { nesting, min = 0, max = 0, ...block }]) => [
        name,
        { ...blockOf(block), nesting, min, max },
      ]),
    ),
  };
}

function attributeOf(text: string): Attribute {
  const [type = "", ...flags] = text.split(" ");
  return {
    type: JSON.parse(type.replace(/[a-z]+/g, '"$&"')),
    required: flags.includes("required"),
    optional: flags.includes("optional"),
    computed: flags.includes("computed"),
  };
}
