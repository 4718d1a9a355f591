import fc from "fast-check";

/*
 * Random ResourceLists, in any of the styles in which people and programs write YAML. Text is made by hand here, not by
 * a writer of YAML: a writer has one style.
 */

/** Where a line of a flow collection ends; how far the next one is indented is known only where it is put. */
const wrap = "\u0001";

type Node =
  | { readonly kind: "inline"; readonly text: string }
  | { readonly kind: "scalar"; readonly header: string; readonly lines: readonly string[] }
  | { readonly kind: "alias"; readonly which: number; readonly or: string }
  | {
      readonly kind: "map" | "list";
      readonly step: number;
      readonly anchor: boolean;
      readonly entries: readonly Entry[];
    };

interface Entry {
  readonly before: string;
  readonly key: string;
  readonly after: string;
  readonly node: Node;
}

const words =
  "0644 0o17 12345678901234567890 -98765432109876543210 1.0 1e3 2012-10-17 12:30:00 yes on ~ null a a-b é 日本 \u{1f680} a#b a:b x=y".split(
    " ",
  );
const quoted = fc.constantFrom(
  '"0x1F"',
  "'it''s # no comment'",
  '"a\\tb \\u00e9 \\U0001F600"',
  "''",
  '"]},"',
  "'{[# '",
  '"- a: b"',
);
const inlineText = fc.oneof(fc.constantFrom(...words), fc.constantFrom(...words), quoted);
const tagged = fc
  .tuple(fc.constantFrom("!!str ", "!<tag:yaml.org,2002:str> "), inlineText)
  .map((pair) => pair.join(""));
const comment = fc.constantFrom("", "", "", " # c", "   # c: {[ 'x' - d", "\t# tab");

const { flow } = fc.letrec<{ flow: string; pair: string }>((tie) => ({
  flow: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    inlineText,
    collection("[", tie("flow"), "]"),
    collection("{", tie("pair"), "}"),
    collection("[", tie("pair"), "]"),
  ),
  pair: fc.oneof(
    fc.tuple(fc.constantFrom("k", '"q"', "'s'"), tie("flow")).map(([key, value]) => `${key}: ${value}`),
    fc.constantFrom("bare", "k: ", '"q":', "k:"),
  ),
}));

function collection(open: string, member: fc.Arbitrary<string>, close: string): fc.Arbitrary<string> {
  const gap = fc.constantFrom("", " ", " ", wrap, ` # c ]}${wrap}`, ` # d${wrap} # e, [${wrap}`);
  return fc
    .tuple(fc.array(fc.tuple(gap, member, gap), { maxLength: 3 }), gap, fc.boolean())
    .map(([members, end, comma]) => {
      const unique = members.map(([a, one, b], index) => `${a || " "}${numbered(one, index, open)}${b}`);
      return `${open}${unique.join(",")}${comma && unique.length > 0 ? "," : ""}${end || " "}${close}`;
    });
}

// A key stands once in a mapping.
function numbered(pair: string, index: number, open: string): string {
  return open === "[" ? pair : pair.replace(/^(bare|k|"q|'s)/, `$1${index}`);
}

const scalarNode: fc.Arbitrary<Node> = fc
  .tuple(
    fc.constantFrom("|", "|-", "|+", ">", ">-", ">+"),
    fc.constantFrom("", " # header", "2"),
    fc.array(fc.constantFrom("text", "", "  more", "# no comment", "- a: b", "tab\there", "end "), { maxLength: 5 }),
  )
  .map(([style, after, lines]) => ({
    kind: "scalar",
    header: after === "2" ? `${style}2` : style + after,
    // The first line says how far the text is indented.
    lines: after === "2" ? lines : ["first", ...lines],
  }));

const inlineNode: fc.Arbitrary<Node> = fc
  .oneof({ weight: 4, arbitrary: inlineText }, tagged, fc.constant(""), { weight: 2, arbitrary: flow })
  .map((text) => ({ kind: "inline", text }));
const aliasNode: fc.Arbitrary<Node> = fc
  .tuple(fc.nat(), inlineText)
  .map(([which, or]) => ({ kind: "alias", which, or }));

const { node } = fc.letrec<{ node: Node; entry: Entry }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 5, arbitrary: inlineNode },
    { weight: 2, arbitrary: scalarNode },
    { weight: 1, arbitrary: aliasNode },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom("map", "list"),
        step: fc.integer({ min: 0, max: 4 }),
        anchor: fc.boolean(),
        entries: fc.array(tie("entry"), { minLength: 1, maxLength: 4 }),
      }),
    },
  ),
  entry: fc.record({
    before: fc.constantFrom("", "", "", "", "\n", "# c\n", "      # deep\n", "\n\n  # c\n", "   \n"),
    key: fc.constantFrom("a", "'b'", '"c"', "é", "with space", "? d"),
    after: comment,
    node: tie("node"),
  }) as fc.Arbitrary<Entry>,
}));

/** What the text that is being written has by now. */
interface State {
  readonly anchors: string[];
  readonly mayAnchor: boolean;
}

/** A node as it stands behind a colon or a dash, from the space on; whole lines. */
function behind(node: Node, indent: number, after: string, state: State): string {
  const pad = " ".repeat(indent + 1);
  switch (node.kind) {
    case "inline":
      return `${node.text === "" ? "" : " "}${node.text.replaceAll(wrap, `\n${pad} `)}${after}\n`;
    case "alias": {
      const name = state.anchors[node.which % Math.max(1, state.anchors.length)];
      return ` ${name === undefined ? node.or : `*${name}`}${after}\n`;
    }
    case "scalar": {
      const at = node.header.includes("2") ? " ".repeat(indent + 2) : pad;
      return ` ${node.header}\n${node.lines.map((line) => (line === "" ? "\n" : `${at}${line}\n`)).join("")}`;
    }
    default: {
      const name = node.anchor && state.mayAnchor ? `n${state.anchors.length}` : undefined;
      const column = node.kind === "list" ? indent + node.step : indent + 1 + node.step;
      const text = `${name === undefined ? "" : ` &${name}`}${after}\n${entriesText(node.kind, node.entries, column, state)}`;
      // Known when it is whole: an alias inside would make it hold itself.
      if (name !== undefined) state.anchors.push(name);
      return text;
    }
  }
}

function entriesText(kind: "map" | "list", entries: readonly Entry[], column: number, state: State): string {
  const pad = " ".repeat(column);
  return entries
    .map(({ before, key, after, node: one }, index) => {
      if (kind === "list") return `${before}${pad}-${behind(one, column + 1, after, state)}`;
      const name = key.replace(/(?<=[^?]|^)(\w)(?=['"]?$)/, `$1${index}`).replace(/é$/, `é${index}`);
      const mark = name.startsWith("?") ? `${name}\n${pad}:` : `${name}:`;
      return `${before}${pad}${mark}${behind(one, column, after, state)}`;
    })
    .join("");
}

const identity = fc.constantFrom(
  "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\n",
  "metadata: {name: two}\nkind: 'ConfigMap' # c\napiVersion: v1\n",
  "apiVersion: v1\nkind: Secret\nmetadata:\n  name: old\n  annotations: {fn.cloudcredential.dev/generated-by: fake/x}\n",
  "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  annotations:\n    fn.cloudcredential.dev/generated-by: fake/x\n  name: old\n",
);
const issuers = fc.constantFrom(
  "spec:\n  serviceAccountIssuer: a # c\n  type: ''\n",
  'spec: {type: "", serviceAccountIssuer: "a"} # c\n',
  "spec:\n  type: x\n",
  "spec: # c\n",
  "spec:\n  serviceAccountIssuer: >-\n    a\n    b\n\n  type: ''\n",
  "",
);

interface RandomItem {
  readonly head: string;
  readonly entries: readonly Entry[];
  readonly between: string;
  readonly dash: string;
}

const item = fc.record({
  head: identity,
  entries: fc.array(fc.record({ before: fc.constant(""), key: fc.constantFrom("x", '"y"'), after: comment, node }), {
    maxLength: 3,
  }),
  between: fc.constantFrom("", "", "", "\n", "# shallow\n", "               # deep\n", "\n   \n# s\n      # d\n"),
  dash: fc.constantFrom("- ", "- ", "-   ", "- # dash\n  "),
}) as fc.Arbitrary<RandomItem>;

const authentication = fc
  .tuple(item, issuers)
  .map(([one, spec]) => ({ ...one, head: `kind: Authentication\napiVersion: v1\n${spec}` }));

interface RandomList {
  readonly items: readonly RandomItem[];
  readonly indent: number;
  readonly config: string;
  readonly tail: string;
  readonly newline: string;
  readonly mark: boolean;
  readonly start: string;
}

const blockList = fc
  .record({
    items: fc
      .tuple(fc.array(item, { minLength: 1, maxLength: 4 }), fc.option(authentication), fc.nat({ max: 4 }))
      .map(([items, one, at]) => (one === null ? items : [...items.slice(0, at), one, ...items.slice(at)])),
    indent: fc.constantFrom(0, 0, 2, 4),
    config: fc.constantFrom(
      "",
      "functionConfig:\n  kind: ConfigMap\n  apiVersion: v1\n",
      "functionConfig: {kind: ConfigMap}\n",
    ),
    tail: fc.constantFrom("", "# end\n", "...\n", "\n\n"),
    newline: fc.constantFrom("\n", "\n", "\r\n"),
    mark: fc.boolean(),
    start: fc.constantFrom("", "", "# start\n", "---\n", "%YAML 1.2\n---\n"),
  })
  .map((list: RandomList) => {
    const state = { anchors: [] as string[] };
    const pad = " ".repeat(list.indent);
    const items = list.items.map((item) => {
      const inner = " ".repeat(item.dash.includes("#") ? 2 : item.dash.length);
      const mayAnchor = !item.head.includes("generated-by") && !item.head.includes("Authentication");
      const column = list.indent + inner.length;
      const entries = entriesText("map", item.entries, column, { anchors: state.anchors, mayAnchor });
      const head = item.head.replace(/^(?=.)/gm, pad + inner).slice(column);
      return `${pad}${item.dash.replace("\n  ", `\n${pad}${inner}`)}${head}${entries}${item.between}`;
    });
    const text = `${list.start}apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.join("")}${list.config}${list.tail}`;
    const mark = list.mark && !list.start.startsWith("%") ? "\ufeff" : "";
    return mark + text.replaceAll("\n", list.newline);
  });

const flowItem = fc
  .tuple(
    fc.constantFrom(
      "{kind: ConfigMap, apiVersion: v1, metadata: {name: one}, x: ",
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"one"},"x": ',
      "{kind: Secret, apiVersion: v1, metadata: {name: old, annotations: {fn.cloudcredential.dev/generated-by: fake/x}}, x: ",
      "{apiVersion: v1, kind: Authentication, spec: {serviceAccountIssuer: a}, x: ",
      "{apiVersion: v1, kind: Authentication, spec: {type: ''}, x: ",
    ),
    flow,
    fc.constantFrom("}", " }", ",}", `${wrap}}`),
  )
  .map((parts) => parts.join(""));

const gaps = fc.constantFrom("", " ", "\n ", " # c ]}\n ");
const flowList = fc
  .tuple(
    fc.array(fc.tuple(gaps, flowItem, gaps), { minLength: 1, maxLength: 4 }),
    fc.constantFrom("", ","),
    fc.constantFrom("block", "flow"),
  )
  .map(([items, comma, style]) => {
    const inside = `${items.map((item) => item.join("")).join(",")}${comma}`.replaceAll(wrap, "\n  ");
    return style === "block"
      ? `kind: ResourceList\nitems: [${inside} ] # c\napiVersion: config.kubernetes.io/v1\n`
      : `{ kind: ResourceList, items: [${inside}]\n, apiVersion: config.kubernetes.io/v1 }`;
  });

const jsonList = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom("ConfigMap", "Authentication", "Secret"), fc.jsonValue({ maxDepth: 3 })), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.constantFrom(undefined, 1, 2, "\t"),
  )
  .map(([items, space]) => {
    const objects = items.map(([kind, x]) => ({
      apiVersion: "v1",
      kind,
      metadata:
        kind === "Secret" ? { name: "old", annotations: { "fn.cloudcredential.dev/generated-by": "fake/x" } } : {},
      x,
    }));
    return JSON.stringify({ apiVersion: "config.kubernetes.io/v1", items: objects, kind: "ResourceList" }, null, space);
  });

/** The text of a ResourceList that has items, in whatever style. */
export const resourceLists: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: blockList },
  { weight: 2, arbitrary: flowList },
  { weight: 1, arbitrary: jsonList },
);
