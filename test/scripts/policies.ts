import fc from "fast-check";

/** A policy document in any form that AWS accepts. */
export interface Policy {
  readonly Version: string;
  readonly Statement: readonly Statement[];
}

export type Scalar = string | boolean;
export type Set = Scalar | readonly Scalar[];
export type Statement = Readonly<Record<string, Set | Readonly<Record<string, Set>> | Conditions>>;
export type Conditions = Readonly<Record<string, Readonly<Record<string, Set>>>>;

const list = <T>(arbitrary: fc.Arbitrary<T>) => fc.uniqueArray(arbitrary, { minLength: 1, maxLength: 3 });
const action = fc.constantFrom("s3:GetObject", "s3:PutObject", "ec2:*", "sts:AssumeRoleWithWebIdentity", "*");
const resource = fc.constantFrom("*", "arn:aws:s3:::A", "arn:aws:s3:::a", "arn:aws:s3:::a/*", 'odd "], x', "\\é\n");
const value = fc.constantFrom("a", "A", "true", "False", "a b", 'a" "b', "system:serviceaccount:ns:name", "");
const key = fc.constantFrom("aws:SourceArn", "host.example/p:sub", "aws:RequestTag/my key", 'k "a" ["x"], Bool');
const operator = fc.constantFrom("StringEquals", "StringLike", "ForAllValues:StringEquals", "Bool");
const principal = fc.oneof(
  fc.constant("*"),
  fc.dictionary(
    fc.constantFrom("AWS", "Service", "Federated"),
    list(fc.constantFrom("*", "x.amazonaws.com", "arn:aws:iam::1:root")),
    {
      minKeys: 1,
    },
  ),
);

const conditions = fc.dictionary(operator, fc.dictionary(key, list(value), { minKeys: 1, maxKeys: 3 }), {
  minKeys: 1,
  maxKeys: 2,
});

const statement: fc.Arbitrary<Statement> = fc
  .record(
    {
      Effect: fc.constantFrom("Allow", "Deny"),
      actions: fc.tuple(fc.constantFrom("Action", "NotAction"), list(action)),
      resources: fc.tuple(fc.constantFrom("Resource", "NotResource"), list(resource)),
      principals: fc.tuple(fc.constantFrom("Principal", "NotPrincipal"), principal),
      Condition: conditions,
    },
    { requiredKeys: ["Effect", "actions"] },
  )
  .map(({ Effect, actions, resources, principals, Condition }) => ({
    Effect,
    ...Object.fromEntries([actions, resources, principals].flatMap((one) => (one === undefined ? [] : [one]))),
    ...(Condition === undefined ? {} : { Condition }),
  }));

export const policy: fc.Arbitrary<Policy> = fc.record({
  Version: fc.constantFrom("2012-10-17", "2008-10-17"),
  Statement: fc.array(statement, { minLength: 1, maxLength: 3 }),
});

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const entries = (value: unknown): [string, unknown][] => Object.entries(value as object);

/** What a document means, as a text that is the same for all that mean the same. Written apart from json.awk. */
export function meaning(document: unknown): string {
  const { Version, Statement } = document as { Version: unknown; Statement: unknown };
  const statements = (isList(Statement) ? Statement : [Statement]).map(statementMeaning);
  return JSON.stringify([Version, [...new Set(statements)].sort()]);
}

function statementMeaning(value: unknown): string {
  const facts = entries(value).filter(([name]) => name !== "Sid");
  return JSON.stringify(facts.flatMap(([name, given]) => factsOf(name, given)).sort());
}

function factsOf(name: string, given: unknown): string[] {
  const fact = (...path: unknown[]) => [JSON.stringify([name, ...path])];
  if (name === "Condition") {
    return entries(given).flatMap(([by, keys]) =>
      entries(keys).flatMap(([subject, values]) => fact(by, lower(subject), setOf(values))),
    );
  }
  if (name.endsWith("Principal")) {
    if (typeof given === "string") return fact("AWS", setOf(given));
    return entries(given).flatMap(([kind, values]) => fact(kind, setOf(values)));
  }
  return fact(setOf(given, name.endsWith("Action") ? lower : undefined));
}

const setOf = (given: unknown, each = (text: string) => text) =>
  [
    ...new Set(
      (isList(given) ? given : [given]).map((value) => each(isObject(value) ? JSON.stringify(value) : String(value))),
    ),
  ].sort();
const isObject = (value: unknown) => typeof value === "object" && value !== null;

/** Only ASCII letters, because AWS uses no others in the names of actions and keys. */
const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The same document, written in another way: order, one or a list of one, case, Sid, anyone, truth as a text. */
export function rewritten(document: Policy, choose: () => number): unknown {
  const shuffled = <T>(values: readonly T[]) =>
    values
      .map((one) => [choose(), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one);
  const coin = () => choose() % 2 === 0;
  const cased = (text: string) =>
    coin() ? text : [...text].map((letter) => (coin() ? letter.toUpperCase() : lower(letter))).join("");
  const ascii = (text: string) => /^[\w:*./ -]*$/.test(text);
  const set = (given: unknown, each: (text: string) => string = (text) => text) => {
    const values = shuffled(setOf(given).map(each)).map((text) =>
      (text === "true" || text === "false") && coin() ? text === "true" : text,
    );
    const repeated = coin() ? values : [...values, ...values.slice(0, 1)];
    return repeated.length === 1 && coin() ? repeated[0] : repeated;
  };
  const anyone = (given: unknown) => JSON.stringify(given) === '"*"' || JSON.stringify(given) === '{"AWS":["*"]}';
  const map = (given: unknown, each: (name: string, value: unknown) => [string, unknown]) =>
    Object.fromEntries(shuffled(entries(given)).map(([name, one]) => each(name, one)));
  const part = (name: string, given: unknown): [string, unknown] => {
    if (name === "Effect") return [name, given];
    if (name.endsWith("Principal")) {
      if (anyone(given)) return [name, coin() ? "*" : { AWS: set("*") }];
      return [name, map(given, (kind, values) => [kind, set(values)])];
    }
    if (name !== "Condition") return [name, set(given, name.endsWith("Action") ? cased : undefined)];
    const keys = (by: string, inner: unknown): [string, unknown] => [
      by,
      map(inner, (subject, values) => [ascii(subject) ? cased(subject) : subject, set(values)]),
    ];
    return [name, map(given, keys)];
  };
  const statements = shuffled(document.Statement).map((one) => ({
    ...(coin() ? { Sid: `S${choose()}` } : {}),
    ...map(one, part),
  }));
  const Statement = statements.length === 1 && coin() ? statements[0] : statements;
  return coin() ? { Version: document.Version, Statement } : { Id: "i", Statement, Version: document.Version };
}

/** Documents that differ from this one in one part. */
export function changes(document: Policy): unknown[] {
  const found: unknown[] = [
    { ...document, Version: "2012-10-18" },
    { ...document, Statement: document.Statement.slice(1) },
  ];
  for (const [index, one] of document.Statement.entries()) {
    const others = entries(one).flatMap(([name, given]) => [
      without(one, name),
      { ...without(one, name), [opposite(name)]: given },
      ...changed(given).map((other) => ({ ...one, [name]: other })),
    ]);
    found.push(
      ...others.map((other) => ({ ...document, Statement: document.Statement.with(index, other as Statement) })),
    );
  }
  return found;
}

/** A value with one part changed. */
function changed(given: unknown): unknown[] {
  if (isList(given)) {
    const each = given.flatMap((value, index) => changed(value).map((other) => given.with(index, other)));
    return [...each, given.slice(1), [...given, "another"]];
  }
  if (typeof given !== "object") return [`${given}x`, `x${given}`, String(given).toUpperCase(), `${given} ${given}`];
  const some = given as object;
  return entries(some).flatMap(([name, one]) => [
    without(some, name),
    { ...without(some, name), [`${name}x`]: one },
    ...changed(one).map((other) => ({ ...some, [name]: other })),
  ]);
}

function without(some: object, name: string): object {
  return Object.fromEntries(entries(some).filter(([other]) => other !== name));
}

function opposite(name: string): string {
  return name.startsWith("Not") ? name.slice(3) : `Not${name}`;
}
