import { type Finding, finding } from "../core/finding.ts";
import { isMap, type Resource, type Value } from "../core/resource.ts";
import { holdsPrivateKey, quote, quoteWhole } from "../core/text.ts";

// `$(oc get ...)`, `<role>`, `CRED-REQ-NAME`: what a person or a script should have replaced, whatever cloud it is for.
const template = /\$\(|\{\{|CRED-REQ-NAME|<[^<>]*>/;

/** The annotations of a request in which there is a private key: they decide whether it counts. */
export function keysInAnnotations(resource: Resource): Finding[] {
  const found: Finding[] = [];
  resource.annotations.forEach((text, key) => {
    if (holdsPrivateKey(key)) found.push(privateKeyAt("metadata.annotations", resource));
    else if (holdsPrivateKey(text)) found.push(privateKeyAt(`metadata.annotations.${key}`, resource));
  });
  return found;
}

/**
 * Texts of a request that cannot be meant: templates that nobody filled in, and private keys.
 *
 * @param own what else is a template in requests for the cloud: `${NAME}`, where that is no variable of its policies.
 */
export function placeholders(resource: Resource, value: Value, own: RegExp): Finding[] {
  const found: Finding[] = [];
  if (!isMap(value)) return found;
  const { metadata, spec } = value;
  if (isMap(metadata)) {
    visit(metadata["name"] ?? null, ["metadata", "name"], { resource, own, found });
    visit(metadata["namespace"] ?? null, ["metadata", "namespace"], { resource, own, found });
  }
  visit(spec ?? null, ["spec"], { resource, own, found });
  return found;
}

// A field's path is put together only where there is something to say: nearly every text is as it should be.
type Step = string | number;

interface Search {
  readonly resource: Resource;
  readonly own: RegExp;
  readonly found: Finding[];
}

function visit(value: Value, path: Step[], search: Search): void {
  const { resource, found } = search;
  if (typeof value === "string") {
    const problem = problemOf(value, path, search);
    if (problem !== undefined) found.push(problem);
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      path.push(index);
      visit(value[index], path, search);
      path.pop();
    }
  } else if (isMap(value)) {
    for (const key of Object.keys(value)) {
      if (holdsPrivateKey(key)) {
        found.push(privateKeyAt(fieldOf(path), resource));
        continue;
      }
      path.push(key);
      visit(value[key] as Value, path, search);
      path.pop();
    }
  }
}

function fieldOf(path: readonly Step[]): string {
  return path.map((step, depth) => (typeof step === "number" ? `[${step}]` : depth === 0 ? step : `.${step}`)).join("");
}

function problemOf(text: string, path: readonly Step[], { resource, own }: Search): Finding | undefined {
  if (template.test(text) || own.test(text)) {
    const field = fieldOf(path);
    const message = `${quoteWhole(field)} is ${quote(text)}, a template that was not filled in; write the value.`;
    return finding("error", "request-placeholder", message, { resource, field });
  }
  return holdsPrivateKey(text) ? privateKeyAt(fieldOf(path), resource) : undefined;
}

function privateKeyAt(field: string, resource: Resource): Finding {
  const message = `${quoteWhole(field)} holds a private key. Remove it, treat it as known to others, and make a new one.`;
  return finding("error", "private-key", message, { resource, field });
}
