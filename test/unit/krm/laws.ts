import { expect } from "vitest";
import { emitter, issuer, noop, pruner, runText, setter } from "./fakes.ts";
import { byYaml, isOwn, itemsOf, itemTexts } from "./readers.ts";

/*
 * Laws for every ResourceList that the reader accepts. Each law gets the text of the list, and fails with the
 * difference.
 */

/**
 * If there is nothing to do, the items and all other text that the list does not write itself stay byte for byte the
 * same.
 */
function noopKeepsBytes(text: string): void {
  const once = runText(noop, text);
  expect(once).toMatchObject({ exitCode: 0, stderr: "" });
  if (itemTexts(text).length > 0 && !/^\s*"?results"?\s*:/m.test(text)) expect(once.stdout).toBe(text);
  expect(itemTexts(once.stdout)).toEqual(itemTexts(text));
  expect(itemsOf(once.stdout)).toEqual(itemsOf(text));
  expect(runText(noop, once.stdout).stdout).toBe(once.stdout);
}

/** Generated objects come after existing objects. Existing objects that are not owned keep their bytes and values. */
function emittingKeepsTheRest(text: string): void {
  const once = runText(emitter, text);
  expect(once.exitCode).toBe(0);
  expect(keptTexts(once.stdout)).toEqual(keptTexts(text));
  expect(keptValues(once.stdout)).toEqual(keptValues(text));
  for (const items of itemsOf(once.stdout)) expect(items.slice(-2)).toEqual(emitted);
  expect(itemsOf(once.stdout).map((items) => items.filter(isOwn).length)).toEqual([2, 2, 2]);
  settles(emitter, once.stdout);
}

/** Only objects that are no longer needed are removed. */
function pruningKeepsTheRest(text: string): void {
  const once = runText(pruner, text);
  expect(once.exitCode).toBe(0);
  expect(keptTexts(once.stdout)).toEqual(keptTexts(text));
  expect(itemsOf(once.stdout)).toEqual(keptValues(text));
  const gone = itemsOf(text)[0]?.filter(isOwn) ?? [];
  const results = (byYaml(once.stdout) as { results?: { tags: unknown }[] }).results ?? [];
  // Two indistinguishable objects lead to one note.
  const told = new Set(gone.map((value) => JSON.stringify(value)));
  expect(results.length > 0).toBe(gone.length > 0);
  expect(results.length).toBeLessThanOrEqual(told.size);
  for (const { tags } of results) expect(tags).toEqual({ code: "object-removed" });
  settles(pruner, once.stdout);
}

/** Emitting and then pruning is the same as pruning: no byte is left behind, whatever surrounds the objects. */
function pruningUndoesEmitting(text: string): void {
  const pruned = twice(pruner, text);
  const undone = twice(pruner, runText(emitter, pruned).stdout);
  if (itemTexts(pruned).length > 0) expect(undone.replace(/[\r\n]*$/, "")).toBe(pruned.replace(/[\r\n]*$/, ""));
  expect(itemsOf(undone)).toEqual(itemsOf(pruned));
}

/** Setting a field changes only that field in value, and no bytes outside its object. */
export function settingChangesOneField(text: string): void {
  const base = runText(noop, text).stdout;
  const once = runText(setter, base);
  expect(once).toMatchObject({ exitCode: 0, stderr: "" });
  expect(itemsOf(once.stdout)).toEqual(itemsOf(base).map((items) => items.map(withIssuer)));
  const before = itemTexts(base);
  const after = itemTexts(once.stdout);
  const places = (itemsOf(base)[0] ?? []).map((item, index) => (isAuthentication(item) ? index : -1));
  expect(after.map((text, index) => (places[index] === index ? "" : text))).toEqual(
    before.map((text, index) => (places[index] === index ? "" : text)),
  );
  for (const index of places.filter((index) => index >= 0)) {
    if (places.filter((index) => index >= 0).length > 1) continue;
    const [head, ...rest] = base.split(before[index] as string) as [string, ...string[]];
    const behind = rest.join(before[index]);
    const tail = before[index + 1] === undefined ? "" : behind.slice(behind.indexOf(before[index + 1] as string));
    expect(once.stdout.startsWith(head)).toBe(true);
    expect(once.stdout.trimEnd().endsWith(tail.trimEnd())).toBe(true);
  }
  expect(comments(once.stdout)).toEqual(comments(base));
  expect(runText(setter, once.stdout).stdout).toBe(once.stdout);
}

export const laws = { noopKeepsBytes, emittingKeepsTheRest, pruningKeepsTheRest, pruningUndoesEmitting };

// A run that removes objects reports it, and the next run does not. Except for results, one run is enough.
function settles(fn: typeof emitter, once: string): void {
  const second = runText(fn, once).stdout;
  expect(itemTexts(second)).toEqual(itemTexts(once));
  expect(itemsOf(second)).toEqual(itemsOf(once));
  expect(runText(fn, second).stdout).toBe(second);
}

function twice(fn: typeof emitter, text: string): string {
  return runText(fn, runText(fn, text).stdout).stdout;
}

function keptValues(text: string): unknown[][] {
  return itemsOf(text).map((items) => items.filter((item) => !isOwn(item)));
}

function keptTexts(text: string): string[] {
  const values = itemsOf(text)[0] ?? [];
  return itemTexts(text).filter((_, index) => !isOwn(values[index]));
}

function comments(text: string): string[] {
  // JSON has no comments, but may have keys like " #".
  if (/^\s*\{\s*"/.test(text)) return [];
  // One of the generated texts looks like a comment, but is not.
  return text.replaceAll("# no comment", "").match(/(?<=\s)#.*/g) ?? [];
}

function isAuthentication(item: unknown): boolean {
  return typeof item === "object" && item !== null && (item as { kind?: unknown }).kind === "Authentication";
}

function withIssuer(item: unknown): unknown {
  if (!isAuthentication(item)) return item;
  const one = item as { spec?: object | null };
  return { ...one, spec: { ...one.spec, serviceAccountIssuer: issuer } };
}

const places = (path: string) => ({
  "config.kubernetes.io/index": "0",
  "config.kubernetes.io/path": path,
  "fn.cloudcredential.dev/generated-by": "fake/x",
  "internal.config.kubernetes.io/index": "0",
  "internal.config.kubernetes.io/path": path,
});

const emitted = [
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", annotations: places("generated/a.yaml") },
    stringData: { date: "2012-10-17", word: "yes" },
  },
  {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "b", annotations: places("generated/b.yaml") },
    stringData: { text: "one\n\n  two\nthree", last: "four\nfive\n" },
  },
];
