import type { ChangedValue } from "../core/changed-values.ts";
import { compactJson } from "../core/json.ts";
import { isMap, textAt, type Value, valueAt } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import { counted } from "../core/words.ts";
import { isKeyProblem, readPublicKey } from "../oidc/public-key.ts";

/** What a difference that is not a permission means: narrowed only if that is decided. */
export type Effect = "broadened" | "narrowed";

/** What is said about a change. */
export interface Said {
  readonly effect: Effect;
  /** One line; it begins with "+" for more, "-" for less, "~" for another value. */
  readonly text: string;
}

/** What the words for a change depend on. */
export interface Change extends ChangedValue {
  /** What `where` matched. */
  readonly match: RegExpExecArray;
  /** The whole file or object on each side. */
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  /** How many identities the cluster has. */
  readonly identities: number;
}

/** Words for the values at a place. */
export interface ValueWords {
  /** Where: the place and the field, with a space between them. */
  readonly where: RegExp;
  /** Undefined if the change is not of the form that these words are for. */
  say(change: Change): Said | undefined;
}

/** Texts for people that decide nothing. */
export const cosmeticFields = /^(?!.*\btags\b)(?:.*\.)?(?:description|displayName|title)$/i;

/** The words for a change: those of the first table that has some, otherwise the field with both values. */
export function wordsFor(
  place: string,
  change: ChangedValue,
  { before, after }: { readonly before: Value | undefined; readonly after: Value | undefined },
  { words, identities }: { readonly words: readonly ValueWords[]; readonly identities: number },
): Said {
  for (const { where, say } of [...words, ...everywhere]) {
    const match = where.exec(`${place} ${change.field}`);
    const said = match === null ? undefined : say({ ...change, match, before, after, identities });
    if (said !== undefined) return said;
  }
  return { effect: "broadened", text: plainText(place, change) };
}

/** A change by the name of its field, with both values. */
export function plainText(place: string, { field, old, new: now }: ChangedValue): string {
  const at = field === "" ? place : `${place}: ${field}`;
  if (old === undefined) return `+ ${at}${now === undefined || isFile(field, now) ? "" : `: ${shownValue(now)}`}`;
  if (now === undefined) return `- ${at}${isFile(field, old) ? "" : `: ${shownValue(old)}`}`;
  return `~ ${at}: ${shownValue(old)} -> ${shownValue(now)}`;
}

// A whole object or file is named; its content is in the pull request.
function isFile(field: string, value: Value): boolean {
  return field === "" && (typeof value === "object" || String(value).includes("\n"));
}

/** The longest value for people, in characters. */
const longest = 300;

/** A value for people, in one line. */
export function shownValue(value: Value): string {
  const text = typeof value === "string" ? quoteWhole(value) : compactJson(value);
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}… (${text.length} characters)`;
}

/** Words for one entry that a list has more or less. */
export function entryWords(
  where: RegExp,
  added: (entry: string) => string,
  removed: (entry: string) => string,
): ValueWords {
  return {
    where,
    say: ({ old, new: now }) => {
      if (old === undefined && typeof now === "string") return { effect: "broadened", text: `+ ${added(now)}` };
      if (now === undefined && typeof old === "string") return { effect: "narrowed", text: `- ${removed(old)}` };
      return undefined;
    },
  };
}

/** Words for a limit on what is allowed, which a side may have or not. */
export function limitWords(where: RegExp): ValueWords {
  return {
    where,
    say: ({ match: { input }, old, new: now, ...change }) => {
      const isLimit = (value: Value | undefined) => value !== undefined && value !== false;
      if (isLimit(old) || !isLimit(now)) return undefined;
      const place = input.slice(0, input.length - change.field.length - 1);
      return {
        effect: "narrowed",
        text: plainText(place, { ...change, ...(old === undefined ? {} : { old }), new: now ?? null }),
      };
    },
  };
}

/** Words for an audience whose tokens are accepted. */
export function audienceWords(where: RegExp): ValueWords {
  return entryWords(
    where,
    (audience) => `tokens for the audience ${quote(audience)} are accepted`,
    (audience) => `tokens for the audience ${quote(audience)} are no longer accepted`,
  );
}

const ordinals = ["", "", "a second", "a third", "a fourth", "a fifth"];

// Each of them can sign tokens for every identity of the cluster.
const keyWords: ValueWords = {
  where: / (?:.*\.)?keys\[([^\]]+)\]$/,
  say: ({ match, old, new: now, after, identities }) => {
    const [, kid = ""] = match;
    const whom =
      identities === 1 ? "the only identity" : identities === 2 ? "both identities" : `all ${identities} identities`;
    if (now === undefined) return { effect: "narrowed", text: `- the key ${kid} can no longer sign tokens` };
    if (old !== undefined) return { effect: "broadened", text: `~ the key ${kid} is another one with the same ID` };
    const count = keysIn(after);
    const which = count < 2 ? "the" : (ordinals[count] ?? "another");
    return { effect: "broadened", text: `+ ${which} key, ${kid}, can sign tokens for ${whom}` };
  },
};

function keysIn(file: Value | undefined): number {
  if (typeof file === "string") {
    try {
      return keysIn(JSON.parse(file) as Value);
    } catch {
      return 0;
    }
  }
  const keys = valueAt(file ?? null, ["keys"]);
  if (Array.isArray(keys)) return keys.length;
  return isMap(file)
    ? Math.max(0, ...Object.values(file).map((one) => (one === null || typeof one !== "object" ? 0 : keysIn(one))))
    : 0;
}

const issuerWords: ValueWords = {
  where: /\/openid-configuration issuer$/,
  say: ({ old, new: now }) =>
    typeof old === "string" && typeof now === "string"
      ? { effect: "broadened", text: `~ the issuer is ${quoteWhole(now)} (before: ${quoteWhole(old)})` }
      : undefined,
};

const config = "ClusterIdentity ";

/** What decides how a package is judged and reviewed. */
const reviewWords: readonly ValueWords[] = [
  {
    where: new RegExp(`^${config}spec\\.accept\\[[^\\]]*\\]$`),
    say: ({ old, new: now }) => {
      if (old === undefined && now !== undefined) return { effect: "broadened", text: `+ accepts ${acceptance(now)}` };
      if (now === undefined && old !== undefined)
        return { effect: "narrowed", text: `- no longer accepts ${acceptance(old)}` };
      return undefined;
    },
  },
  {
    where: new RegExp(`^${config}metadata\\.annotations\\."fn\\.cloudcredential\\.dev/allow"$`),
    say: ({ old, new: now }) =>
      now === undefined
        ? { effect: "narrowed", text: `- renders no longer allow ${shownValue(old ?? "")}` }
        : { effect: "broadened", text: `${old === undefined ? "+" : "~"} every render allows ${shownValue(now)}` },
  },
  entryWords(
    new RegExp(`^${config}spec\\.release\\.capabilities\\[\\]$`),
    (name) => `the capability ${quote(name)} is enabled`,
    (name) => `the capability ${quote(name)} is not enabled`,
  ),
  {
    where: new RegExp(`^${config}spec\\.optionalRules\\[\\]$`),
    say: ({ old, new: now }) =>
      now === undefined
        ? { effect: "broadened", text: `- the rule ${shownValue(old ?? "")} does not judge the package anymore` }
        : { effect: "narrowed", text: `+ the rule ${shownValue(now)} judges the package` },
  },
  {
    where: /^(\S*)\.krmignore \[\]$/,
    say: ({ match, old, new: now }) =>
      now === undefined
        ? { effect: "narrowed", text: `- ${match[1]}.krmignore no longer hides ${shownValue(old ?? "")}` }
        : { effect: "broadened", text: `+ ${match[1]}.krmignore hides ${shownValue(now)} from ccf and kpt` },
  },
  {
    where: /^(\S*)\.gitattributes \[\]$/,
    say: ({ match, old, new: now }) =>
      now === undefined
        ? { effect: "broadened", text: `- ${match[1]}.gitattributes: ${shownValue(old ?? "")}` }
        : { effect: "broadened", text: `+ ${match[1]}.gitattributes: ${shownValue(now)}${attributeNote(now)}` },
  },
  {
    where: /^Kptfile pipeline\.(mutators|validators)\[[^\]]*\]$/,
    say: ({ match, old, new: now }) => {
      const step = (value: Value) => `${programOf(value)} in the ${match[1]} of the pipeline`;
      if (old !== undefined && now !== undefined) return undefined;
      return old === undefined
        ? { effect: "broadened", text: `+ runs ${step(now ?? null)}${programNote(now ?? null)}` }
        : { effect: "broadened", text: `- no longer runs ${step(old)}` };
    },
  },
  {
    where: /^Kptfile pipeline\.(mutators|validators)\[[^\]]*\]\.(?:image|exec)$/,
    say: ({ field, match, old, new: now }) => {
      const name = field.slice(field.lastIndexOf(".") + 1);
      const note = now === undefined ? "" : programNote({ [name]: now });
      const shown = (value: Value | undefined) => (value === undefined ? "nothing" : shownValue(value));
      return {
        effect: "broadened",
        text: `~ the ${match[1]} of the pipeline run ${shown(now)} (before: ${shown(old)})${note}`,
      };
    },
  },
];

function acceptance(entry: Value): string {
  const [rule, object, reason, until] = ["rule", "object", "reason", "until"].map((name) => textAt(entry, [name]));
  const where = object === "" ? "" : ` for ${quoteWhole(object ?? "")}`;
  return `the finding ${quote(rule ?? "")}${where}${until === "" ? ", without an end" : ` until ${until}`}: ${quoteWhole(reason ?? "")}`;
}

function programOf(step: Value): string {
  const [image, exec, name] = ["image", "exec", "name"].map((field) => textAt(step, [field]));
  return quoteWhole(image || exec || name || "an unnamed program");
}

// Anyone who controls a tag, or a program of the machine, decides what a render writes.
function programNote(step: Value): string {
  const [image, exec] = [textAt(step, ["image"]), textAt(step, ["exec"])];
  if (exec !== "") return ", a program of the machine that renders";
  if (image.includes("@sha256:") || image === "") return "";
  return /:[^/:]*\d[^/:]*$/.test(image) ? "" : ", an image without a version";
}

// Git shows no difference of such files, or another one.
function attributeNote(line: Value): string {
  return /\s(?:-diff|binary|linguist-generated|filter=|diff=|-text)/.test(String(line))
    ? ", which hides differences of these files in reviews"
    : "";
}

/** Fields of a ClusterIdentity that decide what is rendered at all, or how it is judged. */
const reviewFields = new RegExp(
  `^${config}(?:spec\\.(?:accept|optionalRules|applier|release\\.(?:featureSet|featureGates|capabilities|excludeIdentifier|profile)|overrides\\..*\\.skip)|metadata\\.annotations)`,
);

/** Whether a change can keep something from a review. */
export function isReview(place: string, field: string): boolean {
  return reviewFields.test(`${place} ${field}`);
}

const configKey: ValueWords = {
  where: new RegExp(`^${config}spec\\.issuer\\.signingKeys\\[\\]$`),
  say: ({ old, new: now }) => {
    if (old === undefined && now !== undefined)
      return { effect: "broadened", text: `+ the configuration has the key ${keyText(now)}` };
    if (now === undefined && old !== undefined)
      return { effect: "narrowed", text: `- the configuration no longer has the key ${keyText(old)}` };
    return undefined;
  },
};

function keyText(entry: Value): string {
  const key = readPublicKey(textAt(entry, ["publicKey"]));
  if (!isKeyProblem(key)) return key.jwk.kid;
  const from = textAt(entry, ["from", "configMapKeyRef", "name"]);
  return from === "" ? "that cannot be read" : `in the ConfigMap ${quote(from)}`;
}

const configWords: readonly ValueWords[] = [
  configKey,
  entryWords(
    new RegExp(`^${config}spec\\.issuer\\.audiences\\[\\]$`),
    (audience) => `ClusterIdentity: spec.issuer.audiences[]: ${quote(audience)}`,
    (audience) => `ClusterIdentity: spec.issuer.audiences[]: ${quote(audience)}`,
  ),
];

const everywhere: readonly ValueWords[] = [keyWords, issuerWords, ...reviewWords, ...configWords];

/** The line about values that follow from a change. */
export function followingText(
  count: number,
  { place, field }: { readonly place: string; readonly field: string },
): string {
  return `~ ${counted(count, "value")} ${count === 1 ? "follows" : "follow"} from the change of ${place}${field === "" ? "" : `: ${field}`}`;
}
