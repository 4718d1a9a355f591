import { createHash } from "node:crypto";
import type { Any } from "../cluster.ts";

/** A PUT request that a deployment makes. */
export interface Put {
  readonly url: string;
  readonly body: Any;
}

/** What a deployment made. */
export interface Deployed {
  readonly puts: readonly Put[];
  readonly outputs: Any;
}

/** The ID that Azure assigns to the principal of an identity, or to its application, in this stand-in. */
export function assignedId(id: string, property: "principalId" | "clientId"): string {
  const hash = createHash("sha256").update(`${property} ${id.toLowerCase()}`).digest("hex");
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, "$1-$2-$3-$4-$5");
}

/**
 * Deploys a template as Azure Resource Manager documents it: a resource after those that it depends on, each nested
 * deployment with its own expressions, and outputs last. Where the template leaves the order open, the last resource comes
 * first. It throws where Azure would fail: what a resource needs does not exist, an expression is not a reference to an
 * existing identity, or two credentials of an identity would be written at the same time.
 *
 * @param groups the IDs of the resource groups that exist.
 */
export function deploy(template: Any, subscription: string, groups: readonly string[]): Deployed {
  const azure = new Azure(groups);
  const outputs = azure.deploy(template, { id: `/subscriptions/${subscription}` });
  return { puts: azure.puts, outputs };
}

interface Scope {
  readonly id: string;
}

const authorization = "/providers/microsoft.authorization/";

class Azure {
  readonly puts: Put[] = [];
  readonly #existing: Set<string>;

  constructor(groups: readonly string[]) {
    this.#existing = new Set(groups.map((id) => id.toLowerCase()));
  }

  deploy(template: Any, scope: Scope): Any {
    const waiting: Any[] = [...template.resources];
    const idOf = (resource: Any) => this.#idOf(resource, scope);
    const ids = new Set(waiting.map((resource) => idOf(resource).toLowerCase()));
    if (ids.size < waiting.length) throw new Error("a resource appears twice");
    const done = new Set<string>();
    while (waiting.length > 0) {
      const ready = waiting.filter((resource) =>
        (resource.dependsOn ?? []).every((id: string) => {
          if (!ids.has(id.toLowerCase())) throw new Error(`dependsOn: ${id} is not in this template`);
          return done.has(id.toLowerCase());
        }),
      );
      const writers = ready.filter(({ type }) => /federatedIdentityCredentials$/.test(type));
      const identities = new Set(writers.map(({ name }) => name.split("/")[0].toLowerCase()));
      if (identities.size < writers.length)
        throw new Error("ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity");
      const next = ready.at(-1);
      if (next === undefined) throw new Error("dependsOn has a cycle");
      waiting.splice(waiting.indexOf(next), 1);
      this.#create(next, scope);
      done.add(idOf(next).toLowerCase());
    }
    return this.#evaluate(template.outputs ?? {});
  }

  #idOf({ type, name, scope: at, subscriptionId, resourceGroup }: Any, scope: Scope): string {
    const [provider, ...types] = type.split("/");
    const names = name.split("/");
    if (types.length !== names.length) throw new Error(`${name} does not fit ${type}`);
    if (type === "Microsoft.Resources/resourceGroups") return `${scope.id}/resourceGroups/${name}`;
    const below = types.map((one: string, index: number) => `${one}/${names[index]}`).join("/");
    const target = type === "Microsoft.Resources/deployments" ? targetOf(subscriptionId, resourceGroup) : scope.id;
    return `${at ?? target}/providers/${provider}/${below}`;
  }

  #create(resource: Any, scope: Scope): void {
    const { type, apiVersion, name, dependsOn, scope: at, ...body } = resource;
    if (type === "Microsoft.Resources/deployments") {
      const target = targetOf(body.subscriptionId, body.resourceGroup);
      if (body.resourceGroup !== undefined) this.#need(target);
      if (body.properties.expressionEvaluationOptions.scope !== "inner") throw new Error("expressions are not inner");
      this.deploy(body.properties.template, { id: target });
      return;
    }
    if (at !== undefined && !at.toLowerCase().startsWith(`${scope.id.toLowerCase()}/`))
      throw new Error(`${at} is elsewhere`);
    const id = this.#idOf(resource, scope);
    const parent = type.split("/").length === 3 ? id.split("/").slice(0, -2).join("/") : undefined;
    if (parent !== undefined) this.#need(parent);
    if (/containers$/.test(type)) this.#need(id.split("/blobServices/")[0] as string);
    const evaluated = this.#evaluate(body);
    if (/roleAssignments$/.test(type)) this.#needRole(evaluated.properties.roleDefinitionId);
    this.#existing.add(id.toLowerCase());
    this.puts.push({ url: `${id}?api-version=${apiVersion}`, body: evaluated });
  }

  #need(id: string): void {
    if (!this.#existing.has(id.toLowerCase())) throw new Error(`${id} does not exist`);
  }

  // A custom role is known in every subscription of its scopes. Built-in roles have IDs of version 4.
  #needRole(id: string): void {
    const guid = id.split("/").at(-1)?.toLowerCase() ?? "";
    if (guid[14] === "4") return;
    if (![...this.#existing].some((one) => one.endsWith(`${authorization}roledefinitions/${guid}`)))
      throw new Error(`RoleDefinitionDoesNotExist: ${id}`);
  }

  #evaluate(value: Any): Any {
    if (Array.isArray(value)) return value.map((item) => this.#evaluate(item));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([key, child]) => [this.#evaluate(key), this.#evaluate(child)]),
      );
    return typeof value === "string" ? this.#text(value) : value;
  }

  #text(text: string): string {
    if (!(text.startsWith("[") && text.endsWith("]"))) return text;
    if (text.startsWith("[[")) return text.slice(1);
    const [, id = "", property] =
      /^\[reference\('((?:[^']|'')+)', '2023-01-31'\)\.(principalId|clientId)\]$/.exec(text) ?? [];
    if (property === undefined) throw new Error(`not a known expression: ${text}`);
    const whole = id.replaceAll("''", "'");
    this.#need(whole);
    return assignedId(whole, property as "principalId" | "clientId");
  }
}

function targetOf(subscription: string, group: string | undefined): string {
  return `/subscriptions/${subscription}${group === undefined ? "" : `/resourceGroups/${group}`}`;
}
