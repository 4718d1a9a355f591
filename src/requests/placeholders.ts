import { type Finding, finding } from "../core/finding.ts";
import { isMap, type Resource, type Value } from "../core/resource.ts";
import { holdsPrivateKey, quote, quoteWhole } from "../core/text.ts";

// `${NAMESPACE}`, `<role>`, `CRED-REQ-NAME`: what a person or a script should have replaced. `${aws:username}`, `${*}` and
// their like are no such: IAM fills them in (IAM User Guide, "IAM policy elements: Variables and tags").
const template = /\$\{(?![a-z0-9.-]+:[A-Za-z]|[*?$]\})|\$\(|\{\{|CRED-REQ-NAME|<[^<>]*>/;

// `arn:aws:s3:::BUCKET`: a bucket's name has no upper case letters (Amazon S3 User Guide, "General purpose bucket naming
// rules"). Buckets of us-east-1 from before March 2018 may have some, so that a name of these alone is taken for a gap.
const bucketTemplate = /^arn:[a-z-]*:s3:::[A-Z][A-Z0-9_.-]*(?:\/|$)/;

/** The annotations of a request in which there is a private key: they decide whether it counts. */
export function keysInAnnotations(resource: Resource): Finding[] {
  const found: Finding[] = [];
  resource.annotations.forEach((text, key) => {
    if (holdsPrivateKey(key)) found.push(privateKeyAt("metadata.annotations", resource));
    else if (holdsPrivateKey(text)) found.push(privateKeyAt(`metadata.annotations.${key}`, resource));
  });
  return found;
}

/** Texts of a request that cannot be meant: templates that nobody filled in, and private keys. */
export function placeholders(resource: Resource, value: Value): Finding[] {
  const found: Finding[] = [];
  if (!isMap(value)) return found;
  const { metadata, spec } = value;
  if (isMap(metadata)) {
    visit(metadata["name"] ?? null, ["metadata", "name"], resource, found);
    visit(metadata["namespace"] ?? null, ["metadata", "namespace"], resource, found);
  }
  visit(spec ?? null, ["spec"], resource, found);
  return found;
}

// A field's path is put together only where there is something to say: nearly every text is as it should be.
type Step = string | number;

function visit(value: Value, path: Step[], resource: Resource, found: Finding[]): void {
  if (typeof value === "string") {
    const problem = problemOf(value, path, resource);
    if (problem !== undefined) found.push(problem);
  } else if (Array.isArray(value)) {
    for (let place = 0; place < value.length; place++) {
      path.push(place);
      visit(value[place], path, resource, found);
      path.pop();
    }
  } else if (isMap(value)) {
    for (const key of Object.keys(value)) {
      if (holdsPrivateKey(key)) {
        found.push(privateKeyAt(fieldOf(path), resource));
        continue;
      }
      path.push(key);
      visit(value[key] as Value, path, resource, found);
      path.pop();
    }
  }
}

function fieldOf(path: readonly Step[]): string {
  return path.map((step, depth) => (typeof step === "number" ? `[${step}]` : depth === 0 ? step : `.${step}`)).join("");
}

function problemOf(text: string, path: readonly Step[], resource: Resource): Finding | undefined {
  if (template.test(text) || bucketTemplate.test(text)) {
    const field = fieldOf(path);
    const message = `${quoteWhole(field)} is ${quote(text)}, a template that was not filled in; write the value.`;
    return finding("error", "request-template", message, { resource, field });
  }
  return holdsPrivateKey(text) ? privateKeyAt(fieldOf(path), resource) : undefined;
}

function privateKeyAt(field: string, resource: Resource): Finding {
  const message = `${quoteWhole(field)} holds a private key. Remove it, treat it as known to others, and make a new one.`;
  return finding("error", "private-key", message, { resource, field });
}
