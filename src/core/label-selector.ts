import { quote, quoteWhole } from "./text.ts";

/** The labels of an object. */
export type Labels = ReadonlyMap<string, string>;

/** What a selector requires of labels: all of it. */
export interface LabelSelector {
  matches(labels: Labels): boolean;
}

/** A label key: an optional prefix, which is a DNS subdomain, and a name (Kubernetes, "Labels and Selectors"). */
const labelKey =
  /^(?:(?=.{1,253}\/)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Whether a text is a label key. */
export function isLabelKey(text: string): boolean {
  return labelKey.test(text);
}

// As the value of a label, and with colons: the ID of a project in a domain contains one.
const value = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.:]{0,61}[A-Za-z0-9])?)?$/;

const forms = "KEY, !KEY, KEY=VALUE, KEY!=VALUE, KEY in (VALUE, ...), or KEY notin (VALUE, ...), separated by commas";

const requirement =
  /\s*(?:!\s*(?<absent>[^\s,!=<>()]+)|(?<key>[^\s,!=<>()]+)(?:\s*(?<sign>==?|!=)\s*(?<value>[^\s,!=<>()]*)|\s+(?<set>in|notin)\s*\((?<values>[^()]*)\))?)\s*(?<end>,|$)/y;

/**
 * Reads a selector in the syntax of Kubernetes ("Labels and Selectors"): equality-based and set-based requirements, which
 * must all be met. As there, `!=` and `notin` also select objects without the label.
 *
 * @returns the selector, or the problem with it: the end of a sentence that begins with the text.
 */
export function readLabelSelector(text: string): LabelSelector | { readonly problem: string } {
  if (text.trim() === "") return { problem: `is empty; write ${forms}` };
  const tests: ((labels: Labels) => boolean)[] = [];
  for (let at = 0, end = ","; at < text.length || end === ","; at = requirement.lastIndex) {
    requirement.lastIndex = at;
    const found = requirement.exec(text)?.groups;
    if (found === undefined) return { problem: `is not a label selector at ${quote(text.slice(at))}; write ${forms}` };
    end = found["end"] ?? "";
    const { absent, key = absent ?? "", sign, set, values = found["value"] ?? "" } = found;
    if (!isLabelKey(key)) return { problem: `names ${quoteWhole(key)}, which cannot be the key of a label` };
    const wanted = new Set(set === undefined ? [values] : values.split(",").map((one) => one.trim()));
    if (set !== undefined && values.trim() === "") return { problem: `has an empty list for ${quoteWhole(key)}` };
    const wrong = [...wanted].find((one) => !value.test(one));
    if (wrong !== undefined) return { problem: `names ${quoteWhole(wrong)}, which cannot be the value of a label` };
    const isNegated = absent !== undefined || sign === "!=" || set === "notin";
    const isOfKey = sign === undefined && set === undefined;
    tests.push((labels) => {
      const label = labels.get(key);
      return (label !== undefined && (isOfKey || wanted.has(label))) !== isNegated;
    });
  }
  return { matches: (labels) => tests.every((test) => test(labels)) };
}
