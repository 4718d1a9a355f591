import fc from "fast-check";

const line = (pieces: readonly string[]) => fc.constantFrom(...pieces);

const breaks = [
  "\n",
  "\r\n",
  "\r",
  "\u0085",
  "\u2028",
  "\u2029",
  "\n\n",
  "",
  " ",
  "\n ",
  "\n  ",
  "\t",
  "\n\t",
  "\v",
  "\f",
  "\0",
  "\u00a0",
  "\ufeff",
];
const separators = [
  "---\n",
  "---",
  "--- \n",
  "---\t\n",
  "--- # c\n",
  "---#x\n",
  "---#x: |\n",
  "--- |\n",
  "--- >\n",
  "---\r",
  "---\r\n",
  "...\n",
  "...",
  "... # c\n",
  "...x\n",
  "%YAML 1.1\n---\n",
  "%YAML 1.2\n---\n",
  "%TAG ! tag:x,2000:\n---\n",
  "%TAG !! tag:x,2000:\n---\n",
  "%x\n",
  "\ufeff---\n",
  " ---\n",
  "---\u0085",
  "---\u2028",
  "---\v\n",
  "---\f\n",
  "---\u00a0\n",
  "----\n",
  "--- ---\n",
  "--- {}\n",
  "--- &a\n",
  "--- !!map\n",
  "--- # c\u2028",
];
const tokens = [
  "kind",
  "Kind",
  "KIND",
  "apiVersion",
  "metadata",
  "name",
  "namespace",
  "items",
  "Items",
  "annotations",
  "spec",
  "data",
  "Secret",
  "ConfigMap",
  "List",
  "SecretList",
  "v1",
  "a",
  "b",
  "'a'",
  '"a"',
  '"\\x61"',
  '"\\u0061"',
  '"a\\\n  b"',
  "yes",
  "null",
  "~",
  "1",
  "0x1",
  "1e1",
  "0o7",
  "007",
  "1_0",
  "2001-01-01",
  "1:30",
  ".5",
  "!!binary YQ==",
  "!!binary a2luZA==",
  "!!str a",
  "!!int 1",
  "!x a",
  "! a",
  "!<tag:yaml.org,2002:str> a",
  "&x a",
  "&y kind",
  "*x",
  "*y",
  "*y :",
  "<<",
  "<<: ",
  "<<: *x",
  "<<: {kind: Secret}",
  '"<<"',
  "!!merge <<: {kind: Secret}",
  "? ",
  "? kind\n: Secret\n",
  ": ",
  ":",
  ",",
  "[",
  "]",
  "{",
  "}",
  "{}",
  "[]",
  "- ",
  "-",
  "|\n  a\n",
  "|-\n",
  ">\n a\n",
  "|2\n",
  "# c",
  " # c",
  "#",
  "'",
  '"',
  "\\",
  "@",
  "`",
  "%",
  'config.kubernetes.io/local-config: "true"',
  "\ud83d\ude00",
  "\u00e9",
  "\u0007",
  "\u007f",
  "\ufffe",
];

const secretOf = (name: string) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\n  namespace: x\n`;
const documents = [
  secretOf("one"),
  secretOf("two").replace("kind: Secret", '"kind": Secret'),
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: three, annotations: {config.kubernetes.io/local-config: "true"}}\ndata:\n  a: |\n    text\n  b: "x"\n',
  '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"four","namespace":"x"}}\n',
  '{"apiVersion": "v1",\n "kind": "Secret",\n "metadata": {"name": "five"}}\n',
  "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: six}\n",
  "# a comment\napiVersion: v1 # another\nkind: Secret\nmetadata:\n  name: seven\n  labels: &x\n    a: b\n",
  "base: &x {kind: Secret, apiVersion: v1}\n<<: *x\nmetadata: {name: eight}\n",
  "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nine}\ndata:\n  a: \"several\n    lines\n    --- of text\"\n  b: 'x\n\n    y'\n  c: plain\n    text\n",
  "? apiVersion\n: v1\n? kind\n: Secret\n? metadata\n: name: ten\n",
];
const others = ["", "# only a comment\n", "null\n", "- a\n", "text\n"];

/** Lines that say again, in another way, what an object is. */
const head = [
  "kind: Secret\n",
  "kind: ConfigMap\n",
  "'kind': ConfigMap\n",
  "? kind\n: ConfigMap\n",
  "!!binary a2luZA==: ConfigMap\n",
  "!!str kind: ConfigMap\n",
  "kind: !!binary U2VjcmV0\n",
  "kind: !!binary Q29uZmlnTWFw\n",
  "kind: !x ConfigMap\n",
  "kind: ! ConfigMap\n",
  "kind: &x ConfigMap\n",
  "kind: >-\n  ConfigMap\n",
  'kind: "Config\\\n  Map"\n',
  "kind: Config\n  Map\n",
  "<<: {kind: ConfigMap}\n",
  "<<: [{kind: ConfigMap}, {kind: Secret}]\n",
  "!!merge <<: {kind: ConfigMap}\n",
  "'<<': {kind: ConfigMap}\n",
  "base: &x {kind: ConfigMap}\n<<: *x\n",
  "a: &kind kind\n*kind : ConfigMap\n",
  "metadata: {name: other}\n",
  "metadata: {name: !!binary YQ==}\n",
  "metadata:\t{name: other}\n",
  "metadata: {<<: {name: other}, name: last}\n",
  "metadata: {name: last, <<: {name: other}}\n",
  "metadata: !!map {name: other}\n",
  "metadata: !!omap [name: other]\n",
  "metadata: {}\n",
  "metadata: null\n",
  "metadata: {? name : other}\n",
  "metadata: {name: other, namespace: }\n",
  "metadata: {name: yes}\n",
  "metadata: {name: 0x10}\n",
  "metadata: {name: 1_000}\n",
  "metadata: {name: 1:30}\n",
  "metadata: {name: 2001-01-01}\n",
  "metadata: {name: ~}\n",
  "metadata: {name: [a]}\n",
  "items: [{apiVersion: v1, kind: Secret, metadata: {name: inside}}]\n",
  "items: []\n",
  "items:\n",
  "Items: [{apiVersion: v1, kind: Secret, metadata: {name: inside}}]\n",
  "<<: {items: [{apiVersion: v1, kind: Secret, metadata: {name: inside}}]}\n",
  "!!binary aXRlbXM=: [{apiVersion: v1, kind: Secret, metadata: {name: inside}}]\n",
  '"item\\u0073": [{apiVersion: v1, kind: Secret, metadata: {name: inside}}]\n',
  "? items\n: [{apiVersion: v1, kind: Secret, metadata: {name: inside}}]\n",
];

const indent = (text: string) => text.replace(/^(?=.)/gm, "  ");

const part = fc.oneof(
  { weight: 20, arbitrary: line(documents) },
  { weight: 1, arbitrary: line(others) },
  { weight: 1, arbitrary: line(documents).map(indent) },
  { weight: 6, arbitrary: fc.tuple(line(documents), line(head)).map(([text, one]) => `${text}${one}`) },
  { weight: 3, arbitrary: fc.tuple(line(head), line(documents)).map(([one, text]) => `${one}${text}`) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(line(documents), line(separators), line(documents))
      .map(([one, mark, two]) => `${one}${mark}${indent(two)}`),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(line(documents), line(separators), line(documents))
      .map(([one, mark, two]) => `${one}d: "${mark}${two}"\n`),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(line(documents), line(separators), line(documents))
      .map(([one, mark, two]) => `${one}d: |\n  x\n${mark}${two}`),
  },
  { weight: 1, arbitrary: fc.tuple(line(documents), line(breaks)).map(([text, one]) => text.replaceAll("\n", one)) },
  {
    weight: 1,
    arbitrary: fc.tuple(line(documents), line(breaks)).map(([text, one]) => `# c${one}${text.replaceAll("\n", one)}`),
  },
);

const mutation = fc.tuple(
  fc.constantFrom("insert", "replace", "delete", "swap", "line"),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.nat({ max: 12 }),
  fc.oneof(line(tokens), line(breaks), line(separators)),
);

function mutate(text: string, [how, share, length, token]: readonly [string, number, number, string]): string {
  // Line starts are where most rules of the syntax apply.
  const anywhere = Math.floor(share * text.length);
  const start = text.lastIndexOf("\n", anywhere) + 1;
  if (how === "line") return `${text.slice(0, start)}${token}${text.slice(start)}`;
  if (how === "insert") return `${text.slice(0, anywhere)}${token}${text.slice(anywhere)}`;
  if (how === "delete") return `${text.slice(0, anywhere)}${text.slice(anywhere + length)}`;
  const words = [...text.matchAll(/[\w.]+|"[^"]*"|:|,|\n/g)];
  const word = words[Math.floor(share * words.length) % Math.max(1, words.length)];
  if (word === undefined) return token;
  const replacement = how === "swap" ? `${token}${word[0]}` : token;
  return `${text.slice(0, word.index)}${replacement}${text.slice(word.index + word[0].length)}`;
}

/**
 * Texts as a tool could find them in a directory that it applies: Kubernetes objects, joined, mutated, and encoded so that readers of
 * YAML may disagree about them.
 */
export const applicable = fc
  .tuple(
    fc.constantFrom(...Array<string>(12).fill(""), "\ufeff", "\ufeff\ufeff", " ", "\n"),
    fc.array(
      fc.tuple(
        fc.oneof({ weight: 3, arbitrary: fc.constant("---\n") }, { weight: 1, arbitrary: line(separators) }),
        part,
      ),
      { minLength: 1, maxLength: 3 },
    ),
    fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(mutation, { maxLength: 2 }) }),
    fc.constantFrom(...Array<string>(12).fill(""), "---\n", "...\n", "\u2028", "#"),
    fc.constantFrom(...Array<"utf8">(30).fill("utf8"), "utf16le", "latin1"),
  )
  .map(([start, parts, changes, end, encoding]) => {
    const text = parts
      .map(([separator, document], index) => (index === 0 ? document : `${separator}${document}`))
      .join("");
    return Buffer.from(changes.reduce(mutate, `${start}${text}${end}`), encoding);
  });
