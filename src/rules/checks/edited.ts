import { ruleCode } from "../../core/finding.ts";
import { textOfFile } from "../../core/generated-object.ts";
import { firstByKey, type GeneratedObject, isMap, type Resource, type Value, valueAt } from "../../core/resource.ts";
import { secretTexts, settingName } from "../../core/secret-texts.ts";
import { compareText, quote, quoteWhole } from "../../core/text.ts";
import type { RenderedIdentity } from "../../permissions/identity.ts";
import { requestTokenPath } from "../../requests/credentials-request.ts";
import type { SelectedRequest } from "../../requests/select.ts";
import { type CredentialsSecret, fieldOfText, isIdentityBundle, type KnownCloud, secretDifferences } from "../cloud.ts";
import { quotedList } from "../granted.ts";
import type { Facts, Rule, Violation } from "../rule.ts";

/** An object of the package, and what a render generates in its place. */
interface Rendered {
  readonly resource: Resource;
  readonly expected: GeneratedObject;
}

/**
 * The objects of a package that a render generates again, whatever they contain: those in the file of a generated object, or
 * with its name.
 */
function renderedAmong(items: readonly Resource[], rendering: readonly GeneratedObject[]): Rendered[] {
  const byPath = new Map(rendering.map((object) => [object.path, object]));
  const byName = new Map(rendering.map((object) => [nameOf(object.object.kind, object.object.metadata), object]));
  return items.flatMap((resource) => {
    const inFile = resource.path === undefined ? undefined : byPath.get(resource.path);
    const expected = inFile?.object.kind === resource.kind ? inFile : byName.get(nameOf(resource.kind, resource));
    return expected === undefined || expected.object.apiVersion !== resource.apiVersion ? [] : [{ resource, expected }];
  });
}

function nameOf(
  kind: string,
  { namespace = "", name }: { readonly namespace?: string; readonly name: string },
): string {
  return `${kind}/${namespace}/${name}`;
}

/** Bundle ConfigMaps that differ from what a render generates, each as a violation that names the files. */
function editedBundles(rendered: readonly Rendered[]): Violation[] {
  return rendered.flatMap(({ resource, expected }) => {
    const { changed, added, missing } = changedFiles(resource, expected);
    const parts = [
      ...(changed.length === 0 ? [] : [`${quotedList(changed)} changed`]),
      ...(added.length === 0 ? [] : [`${quotedList(added)} added`]),
      ...(missing.length === 0 ? [] : [`${quotedList(missing)} missing`]),
    ];
    if (parts.length === 0) return [];
    const [first] = [...changed, ...added];
    const message = `differs from what a render generates: ${parts.join("; ")}. Find out what changed, and render again.`;
    return [{ message, resource, ...(first === undefined ? {} : { field: fieldOf(first, resource) }) }];
  });
}

// Files are compared by their text. A render does not generate any other field of the ConfigMap.
function changedFiles(resource: Resource, { files = {} }: GeneratedObject) {
  const value = resource.value();
  const data = valueAt(value, ["data"]);
  const found = isMap(data) ? data : {};
  const others = isMap(value) ? Object.keys(value).filter((key) => !bundleKeys.has(key)) : [];
  const names = [...new Set([...Object.keys(files), ...Object.keys(found)])].sort(compareText);
  const isIn = (name: string, map: object) => Object.hasOwn(map, name);
  return {
    changed: names.filter((name) => isIn(name, files) && isIn(name, found) && found[name] !== textOf(name, files)),
    added: [...names.filter((name) => !isIn(name, files)), ...others.sort(compareText)],
    missing: names.filter((name) => !isIn(name, found)),
  };
}

const bundleKeys: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "data"]);

function textOf(name: string, files: NonNullable<GeneratedObject["files"]>): Value | undefined {
  const file = files[name];
  return file === undefined ? undefined : textOfFile(file);
}

function fieldOf(name: string, resource: Resource): string {
  return valueAt(resource.value(), ["data", name]) === undefined ? name : `data.${name}`;
}

/** From this many objects on, one violation stands for all: they differ for one reason, and the package was not rendered since. */
export const minForSummary = 3;

/**
 * One violation instead of many if all objects of a kind differ: then the ClusterIdentity was changed, or another version
 * rendered the package, and a list of objects tells less.
 *
 * @param what the objects, such as "roles".
 */
function summarized(
  violations: readonly Violation[],
  count: number,
  what: string,
  identity: Resource | undefined,
): readonly Violation[] {
  if (identity === undefined || violations.length < count || count < minForSummary) return violations;
  const message = `all ${count} ${what} differ from what a render generates: the ClusterIdentity was changed since, or another version of ccf rendered them; run "ccf render" and review the changes.`;
  return [{ message, resource: identity }];
}

export const bundleEdited: Rule = {
  code: ruleCode("bundle-edited"),
  severity: "error",
  reads: "package",
  summary: "The bundle ConfigMap of the issuer or of the cluster differs from what a render generates.",
  why: "It contains the documents that publish the cluster's keys, the inputs that create the bucket and the provider, and the data that identifies the account and the resources to `ccf apply`. One edited line can publish another key. The owner of that key can then act as every component.",
  cure: "Find out who edited the file, and render again. If another version of ccf rendered the package, render again and review what changes.",
  check: ({ items, rendering, cloud }) => {
    const others = renderedAmong(items, rendering).filter(
      ({ expected: { files, path } }) => files !== undefined && !isIdentityBundle(cloud, path),
    );
    return editedBundles(others);
  },
};

export const roleEdited: Rule = {
  code: ruleCode("role-edited"),
  severity: "error",
  reads: "package",
  summary: "The bundle ConfigMap of a role differs from what a render generates.",
  why: "The ConfigMap contains the policies that reviewers read. If someone edited it, the role no longer matches the request and the configuration: it might be able to do more, or another service account might be able to assume it. The rule compares all files in the ConfigMap and names each file that was changed, added, or removed.",
  cure: "Find out who edited the file, and render again. To change permissions or service accounts, change the request or `spec.overrides`.",
  check: ({ items, rendering, identity, cloud }) => {
    const roles = renderedAmong(items, rendering).filter(({ expected }) => isIdentityBundle(cloud, expected.path));
    return summarized(editedBundles(roles), roles.length, "rendered roles", identity?.resource);
  },
};

export const secretEdited: Rule = {
  code: ruleCode("secret-edited"),
  severity: "error",
  reads: "package",
  summary: "A Secret differs from what a render generates, or does not name its rendered role and its request's token.",
  why: "The component assumes the role that its Secret names, with the token that it names. If that is not the role that was rendered for it, AWS refuses it, or it acts as another component. This happens if a Secret was edited by hand, or if its role was renamed and the Secret was not rendered again. A Secret in base64 (`data`) is read, too. Only the profile `[default]` is compared. A setting that appears in it twice is reported as different, because SDKs disagree on which of the two they use. All other settings are compared with what a render generates: an SDK runs the program that `credential_process` names, and sends its token to the host that `endpoint_url` names.",
  cure: "Render again. For another role or token path, change the ClusterIdentity or the request.",
  check: (facts) => {
    const roles = firstByKey(facts.rendered, ({ key }) => key);
    const requests = firstByKey(facts.requests, ({ secretKey }) => secretKey);
    const named = facts.filedSecrets.flatMap((secret) => {
      const role = roles.get(secret.key);
      return role === undefined ? [] : namesAnother(facts, secret, role, requests.get(secret.key));
    });
    const rendered = renderedAmong(
      facts.secrets.map(({ resource }) => resource),
      facts.rendering,
    );
    const wrong = new Set(named.map(({ resource }) => resource));
    const expected = firstByKey(rendered, ({ resource }) => resource);
    const different = facts.secrets
      .filter(({ resource }) => !wrong.has(resource))
      .flatMap((secret) => isAnother(secret, expected.get(secret.resource)?.expected, facts.cloud));
    return [...named, ...summarized(different, rendered.length, "rendered Secrets", facts.identity?.resource)];
  },
};

function namesAnother(
  facts: Facts,
  secret: CredentialsSecret,
  role: RenderedIdentity,
  request: SelectedRequest | undefined,
): Violation[] {
  const { key: textKey, form } = facts.cloud.secret.file ?? {};
  if (textKey === undefined || form === undefined || secret.isCopied) return [];
  const { resource } = secret;
  const field = fieldOfText(secret, textKey);
  if (secret.credentials === "")
    return [
      { message: `has no ${quote(textKey)}, although a role is rendered for it; render again.`, resource, field },
    ];
  return [
    ...differs(secret, form.identity, role.id, `its rendered ${role.compared?.noun ?? "role"} is`, form.identityIn),
    ...differs(secret, form.token, tokenPathOf(facts, request), "its component's token is"),
  ].map((message) => ({ message, resource, field }));
}

// The rule long-lived-key reports these.
const accessKey = /^aws_(?:access_key_id|secret_access_key)$/i;

// Names of settings and keys are shown, values never.
function isAnother(secret: CredentialsSecret, expected: GeneratedObject | undefined, cloud: KnownCloud): Violation[] {
  const { resource, texts, isCopied } = secret;
  if (expected === undefined || isCopied) return [];
  const names = secretDifferences(texts, secretTexts(expected.object), cloud).filter((name) => !accessKey.test(name));
  if (names.length === 0) return [];
  const verb = names.length > 1 ? "differ" : "differs";
  const message = `differs from what a render generates: ${quotedList(names.map(settingName))} ${verb}. Find out what changed, and render again.`;
  return [{ message, resource, field: fieldOfText(secret, cloud.secret.file?.key ?? names[0] ?? "") }];
}

function tokenPathOf({ identity }: Facts, request: SelectedRequest | undefined): string | undefined {
  return (request === undefined ? "" : requestTokenPath(request.value)) || identity?.tokenPath;
}

// A Secret's value is never shown; the rendered value is not secret.
function differs(
  { settings }: CredentialsSecret,
  name: string,
  expected: string | undefined,
  what: string,
  valueIn = (setting: string): string | undefined => setting,
): string[] {
  if (expected === undefined || valueIn(settings.get(name) ?? "") === expected) return [];
  const is = settings.has(name) ? "names another" : "has no";
  return [`${is} "${name}": ${what} ${quoteWhole(expected)}; render again.`];
}
