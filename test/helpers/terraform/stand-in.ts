import { join } from "node:path";
import { loadPackageDefinition, Server, ServerCredentials, type ServiceDefinition } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { decode, ExtensionCodec, encode } from "@msgpack/msgpack";
import { keptTemporary } from "../temporary.ts";
import { type Account, type Attributes, assigned, idOf } from "./assigned.ts";
import type { AskedResource } from "./engine-list.ts";
import { type Block, type ProviderSchemas, providers } from "./schemas.ts";

// biome-ignore lint/suspicious/noExplicitAny: messages of every kind
type Any = any;

/** A value that is not known before the apply. */
class Unknown {}

const unknown = new Unknown();
const codec = new ExtensionCodec();
// go-cty, "MessagePack": extension 0 is an unknown value, and 12 one about which something is known.
codec.register({
  type: 0,
  encode: (value) => (value instanceof Unknown ? new Uint8Array([0]) : null),
  decode: () => unknown,
});
codec.register({ type: 12, encode: () => null, decode: () => unknown });

const read = (value: Any): Any => decode(value.msgpack, { extensionCodec: codec });
const written = (value: Any) => ({ msgpack: Buffer.from(encode(value, { extensionCodec: codec })) });

/** What a provider is configured with, as far as the root modules of integrations/terraform do it. */
const configurations: Readonly<Record<string, Block>> = {
  aws: { attributes: optional("region"), blocks: {} },
  google: { attributes: optional("project"), blocks: {} },
  azurerm: {
    attributes: {
      ...optional("subscription_id", "tenant_id", "environment", "resource_provider_registrations"),
      storage_use_azuread: { type: "bool", required: false, optional: true, computed: false },
    },
    blocks: { features: { nesting: "list", min: 0, max: 1, attributes: {}, blocks: {} } },
  },
};

function optional(...names: readonly string[]): Block["attributes"] {
  return Object.fromEntries(
    names.map((name) => [name, { type: "string", required: false, optional: true, computed: false } as const]),
  );
}

/**
 * A provider that Terraform talks to instead of a published one, with the same schemas. Its cloud is a map that keeps what was
 * created. It lives in the process of the test.
 */
export class StandIn {
  /** By type and ID, as the provider imports them. */
  readonly world = new Map<string, AskedResource>();
  /** The types of what was asked for, in order: "create aws_iam_role". */
  readonly calls: string[] = [];
  account: Account;
  readonly #name: string;
  readonly #schemas: ProviderSchemas;
  readonly #server = new Server();
  readonly #directory = keptTemporary();

  private constructor(name: string, account: Account) {
    this.#name = name;
    this.account = account;
    this.#schemas = providers[name] as ProviderSchemas;
  }

  /** @param name the local name of the provider: "aws" */
  static async start(name: string, account: Account): Promise<StandIn> {
    const one = new StandIn(name, account);
    const proto = join(import.meta.dirname, "provider.proto");
    const loaded = loadPackageDefinition(loadSync(proto, { keepCase: true, defaults: true, longs: Number })) as Any;
    one.#server.addService(loaded.tfplugin6.Provider.service as ServiceDefinition, one.#handlers() as Any);
    await new Promise<void>((resolve, reject) =>
      one.#server.bindAsync(`unix:${one.#socket}`, ServerCredentials.createInsecure(), (error) =>
        error === null ? resolve() : reject(error),
      ),
    );
    return one;
  }

  get #socket(): string {
    return join(this.#directory.directory, "provider.sock");
  }

  stop(): void {
    this.#server.forceShutdown();
    this.#directory.remove();
  }

  /** What makes Terraform use this provider. */
  get environment(): Record<string, string> {
    const address = `registry.terraform.io/${this.#schemas.source}`;
    const how = { Protocol: "grpc", ProtocolVersion: 6, Pid: process.pid, Test: true };
    return {
      TF_REATTACH_PROVIDERS: JSON.stringify({ [address]: { ...how, Addr: { Network: "unix", String: this.#socket } } }),
    };
  }

  #handlers() {
    const handle = (answer: (request: Any) => Any) => (call: Any, done: Any) => {
      try {
        done(null, answer(call.request));
      } catch (error) {
        done(error);
      }
    };
    const nothing = handle(() => ({}));
    return {
      GetProviderSchema: handle(() => ({
        provider: { version: 0, block: blockMessage(configurations[this.#name] as Block) },
        resource_schemas: schemaMessages(this.#schemas.resources),
        data_source_schemas: schemaMessages(this.#schemas.data),
      })),
      ...{ ValidateProviderConfig: nothing, ValidateResourceConfig: nothing, ValidateDataResourceConfig: nothing },
      ...{ ConfigureProvider: nothing, StopProvider: nothing },
      UpgradeResourceState: handle(({ raw_state }) => ({ upgraded_state: { json: raw_state.json } })),
      ReadResource: handle(({ type_name, current_state }) => ({
        new_state: written(this.#get(type_name, read(current_state)["id"])),
      })),
      PlanResourceChange: handle((request) => ({ planned_state: written(this.#plan(request)) })),
      ApplyResourceChange: handle((request) => ({ new_state: written(this.#apply(request)) })),
      ImportResourceState: handle((request) => this.#import(request)),
      ReadDataSource: handle(({ type_name, config }) => ({ state: written(this.#data(type_name, read(config))) })),
    };
  }

  #get(type: string, id: string): Attributes | null {
    return this.world.get(`${type} ${id}`)?.attributes ?? null;
  }

  #blockOf(type: string): Block {
    return this.#schemas.resources[type] as Block;
  }

  #plan({ type_name, prior_state, proposed_new_state }: Any): Any {
    const proposed = read(proposed_new_state);
    if (proposed === null || read(prior_state) !== null) return proposed;
    const computed = Object.entries(this.#blockOf(type_name).attributes).filter(([, one]) => one.computed);
    const open = computed.filter(([name]) => proposed[name] === null).map(([name]) => [name, unknown]);
    return { ...proposed, ...Object.fromEntries(open) };
  }

  #apply({ type_name: type, prior_state, planned_state }: Any): Any {
    const [prior, planned] = [read(prior_state), read(planned_state)];
    this.calls.push(`${planned === null ? "delete" : prior === null ? "create" : "update"} ${type}`);
    if (prior !== null) this.world.delete(`${type} ${prior.id}`);
    if (planned === null) return null;
    const attributes = Object.fromEntries(
      Object.entries(planned).map(([name, value]) => [
        name,
        value instanceof Unknown ? this.#assigned(type, planned, name) : value,
      ]),
    );
    this.world.set(`${type} ${attributes["id"]}`, { type, attributes });
    return attributes;
  }

  #assigned(type: string, planned: Any, name: string): string | null {
    const isText = this.#blockOf(type).attributes[name]?.type === "string";
    return isText ? assigned(type, planned, name, this.account) : null;
  }

  #import({ type_name, id }: Any): Any {
    const state = this.#get(type_name, id);
    const detail = `Cannot import non-existent remote object: ${type_name} ${id}`;
    if (state === null) return { diagnostics: [{ severity: 1, summary: "Not found", detail }] };
    return { imported_resources: [{ type_name, state: written(state) }] };
  }

  #data(type: string, config: Any): Any {
    const { id, tenant, partition } = this.account;
    const known: Readonly<Record<string, Any>> = {
      aws_caller_identity: { account_id: id },
      aws_partition: { partition },
      azurerm_client_config: { subscription_id: id.toUpperCase(), tenant_id: tenant },
      google_project: { number: id },
    };
    return { ...config, id: type, ...known[type] };
  }

  /** What exists, with the IDs by which it would be imported. */
  get created(): AskedResource[] {
    for (const [key, { type, attributes }] of this.world)
      if (key !== `${type} ${idOf(type, attributes, this.account)}`) throw new Error(`unexpected ID ${key}`);
    return [...this.world.values()];
  }
}

const nestings = { single: 1, list: 2, set: 3 } as const;

function schemaMessages(blocks: Readonly<Record<string, Block>>): Any {
  return Object.fromEntries(Object.entries(blocks).map(([name, block]) => [name, { block: blockMessage(block) }]));
}

function blockMessage({ attributes, blocks }: Block): Any {
  return {
    attributes: Object.entries(attributes).map(([name, { type, ...flags }]) => ({
      ...{ name, ...flags },
      type: Buffer.from(JSON.stringify(type)),
    })),
    block_types: Object.entries(blocks).map(([type_name, { nesting, min, max, ...block }]) => ({
      ...{ type_name, nesting: nestings[nesting], min_items: min, max_items: max },
      block: blockMessage(block),
    })),
  };
}
