// Imports point down, as ARCHITECTURE.md draws it. Each module names the only modules that it may import from.
const below = {
  "src/core": [],
  "src/yaml": ["src/core"],
  "src/krm": ["src/core", "src/yaml"],
  "src/oidc": ["src/core"],
  "src/openshift": ["src/core"],
  "src/requests": ["src/core"],
  "src/identity": ["src/core"],
  "src/permissions": ["src/core"],
  "src/upgrade": ["src/core", "src/identity", "src/permissions", "src/requests"],
  "src/rules": ["src/core", "src/permissions", "src/openshift", "src/requests", "src/identity"],
  "src/clouds": [
    "src/core",
    "src/permissions",
    "src/oidc",
    "src/openshift",
    "src/requests",
    "src/identity",
    "src/rules",
  ],
};

/** The tables of clouds: what is not about one cloud asks them. */
const tables = [
  "src/clouds/index.ts",
  "src/clouds/inspectors.ts",
  "src/clouds/all-findings.ts",
  "src/clouds/platform-questions.ts",
];
const clouds = ["aws", "azure", "gcp"];

/** Each module, with the modules that it may import from. */
export const modules = { ...below, functions: Object.keys(below), "src/cli": [...Object.keys(below), "functions"] };

/** Packages, and the only module that imports each. */
const packages = {
  "js-yaml": "src/yaml",
  "@noble/hashes": "src/core",
  commander: "src/cli",
  ignore: "src/cli",
  jose: "src/oidc",
};

const moduleRules = Object.entries(modules).map(([name, below]) => ({
  name: `${name} imports from ${below.length === 0 ? "no other module" : below.join(", ")}`,
  severity: "error",
  from: { path: `^${name}/` },
  to: { path: "^(src|functions)/", pathNot: [name, ...below, "src/generated"].map((one) => `^${one}/`) },
}));

const cloudRules = [
  {
    name: "what is not about one cloud asks the tables of clouds",
    severity: "error",
    from: { pathNot: ["src/clouds/", "test/", "tools/", ...tables].map((one) => `^${one}`) },
    // The explanations of findings are a table of their own.
    to: { path: "^src/clouds/[^/]+/", pathNot: "/findings\\.ts$" },
  },
  {
    name: "src/clouds/*.ts are types and what clouds share, but for the tables",
    severity: "error",
    from: { path: "^src/clouds/[^/]+\\.ts$", pathNot: tables.map((one) => `^${one}`) },
    to: { path: "^src/clouds/[^/]+/" },
  },
  ...clouds.map((one) => ({
    name: `src/clouds/${one} knows no other cloud, and no table`,
    severity: "error",
    from: { path: `^src/clouds/${one}/` },
    to: { path: ["^src/clouds/[^/]+/", ...tables.map((table) => `^${table}`)], pathNot: `^src/clouds/${one}/` },
  })),
];

const packageRules = Object.entries(packages).map(([name, module]) => ({
  name: `${name} is imported by ${module} alone`,
  severity: "error",
  from: { pathNot: [`^${module}/`, "^(test|tools)/"] },
  to: { path: `^node_modules/${name}/` },
}));

export default {
  forbidden: [
    ...moduleRules,
    ...cloudRules,
    ...packageRules,
    {
      name: "explanations of findings are loaded by src/cli/validate alone",
      comment:
        "Code that reports a finding needs its code alone, and a function's start loads nothing that it does not use.",
      severity: "error",
      from: { path: "^(src|functions)/", pathNot: ["^src/cli/validate/", "^src/clouds/all-findings.ts$"] },
      to: { path: ["/findings\\.ts$", "^src/cli/validate/all-findings\\.ts$"] },
    },
    {
      name: "the second reader of YAML has one door",
      comment: "src/yaml/fast can be deleted with the one call of it. js-yaml reads whatever it does not.",
      severity: "error",
      from: { pathNot: ["^src/yaml/(source\\.ts$|fast/)", "^test/"] },
      to: { path: "^src/yaml/fast/" },
    },
    {
      name: "the door is src/yaml/fast/from-block-text.ts",
      severity: "error",
      from: { path: "^src/yaml/source\\.ts$" },
      to: { path: "^src/yaml/fast/", pathNot: "/from-block-text\\.ts$" },
    },
    {
      name: "the second reader of YAML needs the table of nodes, and js-yaml for single scalars",
      severity: "error",
      from: { path: "^src/yaml/fast/" },
      to: { path: "^(src|functions)/", pathNot: "^src/yaml/(fast/|(nodes|kind|events|js-yaml)\\.ts$)" },
    },
    { name: "no cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "nothing that runs without a command has side effects",
      comment: "Files, processes and the network are for src/cli; functions see standard input and output alone.",
      severity: "error",
      from: { path: "^(src|functions)/", pathNot: ["^src/cli/", "^src/krm/stdio.ts$", "^src/main.ts$"] },
      to: { dependencyTypes: ["core"], dependencyTypesNot: ["type-only"] },
    },
    { name: "no unknown imports", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no orphans",
      severity: "error",
      from: { orphan: true, pathNot: ["\\.d\\.ts$", "\\.config\\.ts$", "^tools/", "^test/"] },
      to: {},
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
