// Imports point down, as ARCHITECTURE.md draws it. Each room names the only rooms that it may import from.
const below = {
  "src/core": [],
  "src/krm": ["src/core"],
  "src/oidc": ["src/core"],
  "src/openshift": ["src/core"],
  "src/requests": ["src/core"],
  "src/identity": ["src/core"],
  "src/permissions": ["src/core"],
  "src/gcp": ["src/core", "src/permissions", "src/requests"],
  "src/azure": ["src/core", "src/permissions", "src/requests"],
  "src/aws": ["src/core", "src/permissions", "src/oidc", "src/openshift", "src/requests", "src/identity"],
  "src/upgrade": ["src/core", "src/identity", "src/permissions", "src/requests", "src/aws", "src/gcp", "src/azure"],
  "src/rules": ["src/core", "src/permissions", "src/oidc", "src/openshift", "src/requests", "src/identity", "src/aws"],
};
const rooms = { ...below, functions: Object.keys(below), "src/cli": [...Object.keys(below), "functions"] };

/** Packages, and the only room that imports each. */
const packages = { "js-yaml": "src/krm", "@noble/hashes": "src/core", ignore: "src/cli", jose: "src/oidc" };

const roomRules = Object.entries(rooms).map(([room, below]) => ({
  name: `${room} imports from ${below.length === 0 ? "no other room" : below.join(", ")}`,
  severity: "error",
  from: { path: `^${room}/` },
  to: { path: "^(src|functions)/", pathNot: [room, ...below, "src/generated"].map((one) => `^${one}/`) },
}));

const packageRules = Object.entries(packages).map(([name, room]) => ({
  name: `${name} is imported by ${room} alone`,
  severity: "error",
  from: { pathNot: [`^${room}/`, "^(test|tools)/"] },
  to: { path: `^node_modules/${name}/` },
}));

export default {
  forbidden: [
    ...roomRules,
    ...packageRules,
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
