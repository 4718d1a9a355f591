import { isIdentity, readIdentity } from "../../clouds/index.ts";
import type { Inspector } from "../../clouds/inspector.ts";
import type { LiveCredential } from "../../clouds/live-cluster.ts";
import { type Resource, textAt, type Value, type ValueMap } from "../../core/resource.ts";
import { ofForm, type SettingForms, secretTexts, settingName } from "../../core/secret-texts.ts";
import { compareText, notShown, quoteWhole } from "../../core/text.ts";
import { readItem } from "../../krm/item.ts";
import { comparedSettings } from "../../rules/cloud.ts";
import { documents, isProblem, parseSource } from "../../yaml/source.ts";
import { idDocument } from "../package/plan-ids.ts";
import type { GeneratedFile } from "../package/render-plan.ts";
import { FindingsError } from "../terminal/errors.ts";

/**
 * What the first render emits, compared with the cluster. `not rendered`: the cluster keeps it as it is; `unknown`: the
 * input does not contain it, so the render may change it.
 */
export interface Compared {
  readonly state: "same" | "changes" | "not rendered" | "unknown";
  /** What is compared: `issuer`, or `Secret <namespace>/<name>`. */
  readonly what: string;
  /** The issuer, or the ID of the component identity; "" if unknown. */
  readonly id: string;
  readonly differences: readonly ComparedField[];
}

/**
 * A value of a field in the cluster and in the package; undefined where the field is missing. In the cluster, a value is shown
 * only if it has the form of its field, because a Secret can contain a key instead.
 */
export interface ComparedField {
  readonly field: string;
  readonly cluster: string | undefined;
  readonly package: string | undefined;
}

/** The parts of a live cluster that a render emits. */
export interface ComparedCluster {
  readonly issuerUrl: string;
  /** The Secrets in the input, by `<namespace>/<name>`. */
  readonly secrets: ReadonlyMap<string, Resource>;
  readonly credentials: readonly LiveCredential[];
  /** The Secrets of the requests. Others are compared only if the input contains them. */
  readonly requested: ReadonlySet<string>;
}

/** Compares the generated issuer and Secrets with those of the cluster, in the order of the Secrets' names. */
export function compareWithCluster(
  generated: readonly GeneratedFile[],
  cluster: ComparedCluster,
  { secret, settingForms }: Pick<Inspector, "secret" | "settingForms">,
): Compared[] {
  const ofKind = (kind: string) => generated.map(({ object }) => object).filter((object) => object["kind"] === kind);
  const rendered = new Map(ofKind("Secret").map((object) => [keyOf(object), object]));
  const ids = new Map(cluster.credentials.map(({ secretKey, id }) => [secretKey, id]));
  const isKnown = (key: string) => cluster.requested.has(key) || cluster.secrets.has(key);
  const keys = [...new Set([...ids.keys(), ...rendered.keys()])].filter(isKnown).sort(compareText);
  const parts = partsOf(secret);
  const secrets = keys.flatMap((key): Compared[] => {
    const [live, object] = [cluster.secrets.get(key), rendered.get(key)];
    const base = { what: `Secret ${key}`, id: ids.get(key) ?? "", differences: [] };
    if (object === undefined) return [{ ...base, state: "not rendered" }];
    if (live === undefined) return [{ ...base, state: "unknown" }];
    const differences = differencesOf(parts(secretTexts(live.value())), parts(secretTexts(object)), settingForms);
    return [{ ...base, state: differences.length === 0 ? "same" : "changes", differences }];
  });
  return [issuer(cluster.issuerUrl, ofKind("Authentication")[0]), ...secrets];
}

function keyOf(object: ValueMap): string {
  return `${textAt(object, ["metadata", "namespace"])}/${textAt(object, ["metadata", "name"])}`;
}

function issuer(live: string, authentication: Value | undefined): Compared {
  const emitted = authentication === undefined ? undefined : textAt(authentication, ["spec", "serviceAccountIssuer"]);
  const base = { what: "issuer", id: live };
  if (emitted === undefined) return { ...base, state: "not rendered", differences: [] };
  if (emitted === live) return { ...base, state: "same", differences: [] };
  const field = "spec.serviceAccountIssuer";
  return { ...base, state: "changes", differences: [{ field, cluster: live, package: emitted }] };
}

type Parts = ReadonlyMap<string, string>;

// The parts of a Secret by name: the settings of the file that the cloud's libraries read, and the other keys. The form of
// the file does not matter, for example the white space of its JSON.
function partsOf(secret: Inspector["secret"]): (texts: Parts) => Parts {
  return (texts) =>
    new Map([...comparedSettings(texts, { secret }), ...[...texts].filter(([key]) => key !== secret.file?.key)]);
}

function differencesOf(live: Parts, rendered: Parts, forms: SettingForms): ComparedField[] {
  const names = [...new Set([...live.keys(), ...rendered.keys()])].sort(compareText);
  return names
    .filter((name) => live.get(name) !== rendered.get(name))
    .map((name) => ({
      field: settingName(name),
      cluster: live.has(name) ? (ofForm(forms, name, live.get(name)) ?? notShown) : undefined,
      package: rendered.get(name),
    }));
}

/** Whether the first render would change something, or may change something. */
export function wouldChange(all: readonly Compared[]): boolean {
  return all.some(({ state }) => state === "changes" || state === "unknown");
}

/** The table for people. */
export function comparisonLines(all: readonly Compared[]): string[] {
  return all.flatMap(({ state, what, id, differences }) => [
    `  ${state.padEnd(12)}  ${what}${id === "" ? "" : `: ${id}`}`,
    ...(state === "unknown" ? [`${indent}The input does not contain it. The render would replace it.`] : []),
    ...differences.flatMap(linesOf),
  ]);
}

const indent = " ".repeat(16);

function linesOf({ field, cluster, package: emitted }: ComparedField): string[] {
  const shown = (text: string) => (text === notShown ? text : quoteWhole(text));
  if (emitted === undefined) return [`${indent}${shown(field)} is only in the cluster`];
  if (cluster === undefined) return [`${indent}${shown(field)} is only in the package: ${quoteWhole(emitted)}`];
  return [
    `${indent}${shown(field)}`,
    `${indent}  cluster  ${shown(cluster)}`,
    `${indent}  package  ${quoteWhole(emitted)}`,
  ];
}

/**
 * The file with the IDs that the cloud assigned, by path; empty in a cloud that assigns none.
 *
 * @param config the text of a valid ClusterIdentity.
 */
export function assignedIds(
  { features: { assignedIds: assigned } }: Inspector,
  config: string,
  credentials: readonly LiveCredential[],
): ReadonlyMap<string, string> {
  if (assigned === undefined) return new Map();
  const source = parseSource(config);
  const [node = 0] = isProblem(source) ? [] : documents(source);
  if (isProblem(source)) throw new Error(source.reason);
  const identity = readIdentity([], readItem(source, node, { path: "cluster-identity.yaml", index: 0 }));
  if (!isIdentity(identity)) throw new FindingsError(identity);
  const ids = credentials.flatMap(({ secretKey, id = "" }) => {
    const stored = assigned.idOf(id);
    return stored === undefined ? [] : [[assigned.keyOf(secretKey), stored] as const];
  });
  const store = assigned.store(identity);
  return ids.length === 0 ? new Map() : new Map([[store.path, idDocument(store, new Map(ids))]]);
}
