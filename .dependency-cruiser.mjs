import { existsSync, readdirSync } from "node:fs";

// Imports point down, as in ARCHITECTURE.md. Each module lists the only modules that it may import from.
const below = {
  "src/core": [],
  "src/network": ["src/core"],
  "src/yaml": ["src/core"],
  "src/krm": ["src/core", "src/yaml"],
  "src/oidc": ["src/core"],
  "src/openshift": ["src/core"],
  "src/requests": ["src/core"],
  "src/workloads": ["src/core", "src/requests"],
  "src/identity": ["src/core"],
  "src/permissions": ["src/core"],
  "src/diff": ["src/core", "src/identity", "src/permissions", "src/oidc", "src/requests"],
  "src/page": ["src/core", "src/permissions"],
  "src/release-image": ["src/core", "src/network"],
  "src/apply": ["src/core", "src/network"],
  "src/rules": ["src/core", "src/permissions", "src/openshift", "src/requests", "src/identity"],
  "src/clouds": [
    "src/core",
    "src/network",
    "src/apply",
    "src/permissions",
    "src/oidc",
    "src/openshift",
    "src/requests",
    "src/workloads",
    "src/identity",
    "src/diff",
    "src/rules",
  ],
};

/** The tables of clouds: code that is not specific to one cloud uses them. */
export const tables = [
  "src/clouds/index.ts",
  "src/clouds/inspectors.ts",
  "src/clouds/all-findings.ts",
  "src/clouds/engines.ts",
  "src/clouds/platform-questions.ts",
  "src/clouds/terraform-mappings.ts",
];

/** The directories of clouds. */
export const clouds = readdirSync(new URL("src/clouds/", import.meta.url))
  .filter((name) => existsSync(new URL(`src/clouds/${name}/cloud.ts`, import.meta.url)))
  .sort();

/** Each module, with the modules that it may import from. */
export const modules = { ...below, functions: Object.keys(below), "src/cli": [...Object.keys(below), "functions"] };

/** The directories of src/cli that commands share, with those that each may import from. All others are commands. */
const shared = {
  terminal: [],
  files: ["terminal"],
  package: ["terminal", "files"],
  release: ["terminal", "files"],
  "new-package": ["terminal", "files", "release"],
  permissions: ["terminal", "files", "package", "release"],
  fleet: ["terminal", "files", "package"],
  cloud: ["terminal", "files", "package", "fleet"],
  "signing-keys": ["terminal", "files", "package", "fleet"],
};

/** Packages, and the only module that may import each. */
const packages = {
  "js-yaml": "src/yaml",
  "@noble/hashes": "src/core",
  commander: "src/cli",
  ignore: "src/cli",
  jose: "src/oidc",
  "modern-tar": "src/release-image",
};

const moduleRules = Object.entries(modules).map(([name, below]) => ({
  name: `${name} imports from ${below.length === 0 ? "no other module" : below.join(", ")}`,
  severity: "error",
  from: { path: `^${name}/` },
  to: { path: "^(src|functions)/", pathNot: [name, ...below, "src/generated"].map((one) => `^${one}/`) },
}));

const cloudRules = [
  {
    name: "code that is not specific to one cloud uses the tables of clouds",
    severity: "error",
    from: { pathNot: ["src/clouds/", "test/", "tools/", ...tables].map((one) => `^${one}`) },
    // The explanations of findings are a separate table.
    to: { path: "^src/clouds/[^/]+/", pathNot: "/findings\\.ts$" },
  },
  {
    name: "src/clouds/*.ts, except the tables, contain only types and shared code",
    severity: "error",
    from: { path: "^src/clouds/[^/]+\\.ts$", pathNot: tables.map((one) => `^${one}`) },
    to: { path: "^src/clouds/[^/]+/" },
  },
  ...clouds.map((one) => ({
    name: `src/clouds/${one} does not import another cloud or a table`,
    severity: "error",
    from: { path: `^src/clouds/${one}/` },
    to: { path: ["^src/clouds/[^/]+/", ...tables.map((table) => `^${table}`)], pathNot: `^src/clouds/${one}/` },
  })),
];

const sharedPaths = Object.keys(shared).map((name) => `^src/cli/${name}/`);

const commandRules = [
  ...Object.entries(shared).map(([name, below]) => ({
    name: `src/cli/${name} imports from ${below.length === 0 ? "no other directory" : below.join(", ")} of src/cli`,
    severity: "error",
    from: { path: `^src/cli/${name}/` },
    to: { path: "^src/cli/[^/]+/", pathNot: [name, ...below].map((one) => `^src/cli/${one}/`) },
  })),
  {
    name: "a command does not import another command",
    comment: "What commands share is in directories of its own.",
    severity: "error",
    from: { path: "^src/cli/([^/]+)/", pathNot: sharedPaths },
    to: { path: "^src/cli/[^/]+/", pathNot: ["^src/cli/$1/", ...sharedPaths] },
  },
  {
    name: "only src/cli/main.ts and the tables commands.ts and online.ts import commands",
    severity: "error",
    from: { path: "^src/", pathNot: ["^src/cli/[^/]+/", "^src/cli/(main|commands|online)\\.ts$"] },
    // The explanations of findings are a separate table.
    to: { path: "^src/cli/[^/]+/", pathNot: [...sharedPaths, "/findings\\.ts$"] },
  },
];

const packageRules = Object.entries(packages).map(([name, module]) => ({
  name: `only ${module} imports ${name}`,
  severity: "error",
  from: { pathNot: [`^${module}/`, "^(test|tools)/"] },
  to: { path: `^node_modules/${name}/` },
}));

export default {
  forbidden: [
    ...moduleRules,
    ...cloudRules,
    ...commandRules,
    ...packageRules,
    {
      name: "only src/clouds/<cloud>/apply/client.ts imports the client libraries of a cloud",
      severity: "error",
      from: { path: "^(src|functions)/", pathNot: "^src/clouds/[^/]+/apply/client\\.ts$" },
      to: {
        path: "^node_modules/(@azure|@aws-sdk|@smithy|google-auth-library|gaxios)/",
      },
    },
    {
      name: "only src/network/agent.ts imports the libraries for proxies",
      severity: "error",
      from: { path: "^(src|functions)/", pathNot: "^src/network/agent\\.ts$" },
      to: { path: "^node_modules/(agent-base|https-proxy-agent|proxy-from-env)/" },
    },
    {
      name: "only src/cli/release/read-image.ts imports the code for registries",
      comment: "Commands load it with import() when they read an image.",
      severity: "error",
      from: { path: "^(src|functions)/", pathNot: ["^src/release-image/", "^src/cli/release/read-image\\.ts$"] },
      to: { path: "^src/release-image/", pathNot: "/findings\\.ts$" },
    },
    {
      name: "only ccf apply, status, and destroy reach a cloud",
      comment: "Functions and all other commands work without a network, and load no client library.",
      severity: "error",
      from: {
        path: "^(src|functions)/",
        pathNot: [
          "^src/network/",
          "^src/release-image/",
          "^src/apply/",
          "^src/clouds/[^/]+/apply/",
          "^src/clouds/engines\\.ts$",
          "^src/cli/(apply|cloud|destroy|status)/",
        ],
      },
      to: { path: ["^src/network/", "^src/apply/", "^src/clouds/[^/]+/apply/", "^src/clouds/engines\\.ts$"] },
    },
    {
      name: "only ccf validate and explain-finding load explanations of findings",
      comment: "Code that reports a finding needs only its code, and a function must not load what it does not use.",
      severity: "error",
      from: {
        path: "^(src|functions)/",
        pathNot: ["^src/cli/(validate|explain-finding)/", "^src/(cli|clouds)/all-findings\\.ts$"],
      },
      to: { path: ["/findings\\.ts$", "^src/cli/all-findings\\.ts$"] },
    },
    { name: "no cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "only commands have side effects",
      comment:
        "Only src/cli uses files, processes, and the network, and what connects to a cloud the network: its client, and src/network, which also reads the tokens in files that a cloud's library reads (secrets.ts). src/release-image reads registries and files. Functions use only standard input and output.",
      severity: "error",
      from: {
        path: "^(src|functions)/",
        pathNot: [
          "^src/cli/",
          "^src/krm/stdio.ts$",
          "^src/(main|start).ts$",
          "^src/network/(agent|secrets).ts$",
          "^src/release-image/",
          "^src/clouds/[^/]+/apply/client.ts$",
        ],
      },
      to: { dependencyTypes: ["core"], dependencyTypesNot: ["type-only"] },
    },
    { name: "no unknown imports", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no orphans",
      severity: "error",
      from: { orphan: true, pathNot: ["\\.d\\.ts$", "\\.config\\.ts$", "^src/page/browser/", "^tools/", "^test/"] },
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
