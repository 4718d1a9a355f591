import { ruleCode } from "../../core/finding.ts";
import { secretTexts } from "../../core/secret-texts.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { requestTokenPath } from "../../requests/credentials-request.ts";
import type { KnownCloud } from "../cloud.ts";
import type { Facts } from "../facts.ts";
import { listed } from "../granted.ts";
import { type Rendered, renderedAmong, summarized } from "../rendering.ts";
import type { Rule, Violation } from "../rule.ts";
import { type CredentialsSecret, differences, fieldOfText } from "../secret.ts";

export const rule: Rule = {
  code: ruleCode("secret-edited"),
  severity: "error",
  reads: "package",
  summary:
    "A Secret is not what a render makes, or names another role or token than its rendered role and its request.",
  why: "The component becomes the role that its Secret names, with the token that it names. Where that is not the role that was rendered for it, it is refused by AWS, or acts as another component. It happens when a Secret was edited by hand, or its role was renamed and the Secret was not rendered again. A Secret in base64 (`data`) is read, too. What counts is the profile `[default]`; a setting that is in it twice is as good as another one, because SDKs do not agree which of them counts. Other settings are compared with what a render makes: an SDK runs the program that `credential_process` names, and sends its token to the host that `endpoint_url` names.",
  cure: "Render again, and change the ClusterIdentity or the request where another role or token path is meant.",
  check: (facts) => {
    const named = facts.filedSecrets.flatMap((secret) => namesAnother(facts, secret));
    const rendered = renderedAmong(
      facts.secrets.map(({ resource }) => resource),
      facts.rendering,
    );
    const others = facts.secrets.filter(({ resource }) => !named.some((violation) => violation.resource === resource));
    const different = others.flatMap((secret) => isAnother(secret, rendered, facts.cloud));
    return [...named, ...summarized(different, rendered.length, "rendered Secrets", facts.identity?.resource)];
  },
};

function namesAnother(facts: Facts, secret: CredentialsSecret): Violation[] {
  const { key: textKey, form } = facts.cloud.secretFile ?? {};
  const role = facts.rendered.find(({ key }) => key === secret.key);
  if (role === undefined || textKey === undefined || form === undefined || form.isCopied(secret.credentials)) return [];
  const { resource } = secret;
  const field = fieldOfText(secret, textKey);
  if (secret.credentials === "")
    return [{ message: `has no ${quote(textKey)}, and a role is rendered for it; render again.`, resource, field }];
  return [
    ...differs(secret, form.identity, role.id, "its rendered role is"),
    ...differs(secret, form.token, tokenPathOf(facts, secret.key), "its component's token is"),
  ].map((message) => ({ message, resource, field }));
}

// What the rule long-lived-key says.
const accessKey = /^aws_(?:access_key_id|secret_access_key)$/i;

// Names of settings and keys are shown, what they are set to is not.
function isAnother(secret: CredentialsSecret, rendered: readonly Rendered[], cloud: KnownCloud): Violation[] {
  const { resource, texts } = secret;
  const expected = rendered.find((one) => one.resource === resource)?.expected;
  if (expected === undefined || cloud.secretFile?.form?.isCopied(secret.credentials) === true) return [];
  const names = differences(texts, secretTexts(expected.object), cloud).filter((name) => !accessKey.test(name));
  if (names.length === 0) return [];
  const verb = names.length > 1 ? "differ" : "differs";
  const message = `is not what a render makes: ${listed(names)} ${verb}. Find out what changed, and render again.`;
  return [{ message, resource, field: fieldOfText(secret, cloud.secretFile?.key ?? names[0] ?? "") }];
}

function tokenPathOf({ requests, identity }: Facts, key: string): string | undefined {
  const request = requests.find(({ secretKey }) => secretKey === key);
  return (request === undefined ? "" : requestTokenPath(request.value)) || identity?.tokenPath;
}

// What a Secret says stays unsaid; what was rendered is no secret.
function differs({ settings }: CredentialsSecret, name: string, expected: string | undefined, what: string): string[] {
  if (expected === undefined || settings.get(name) === expected) return [];
  const is = settings.has(name) ? "names another" : "has no";
  return [`${is} "${name}": ${what} ${quoteWhole(expected)}; render again.`];
}
