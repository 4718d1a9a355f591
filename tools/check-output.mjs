// Checks that only one module prints: src/krm/stdio.ts, which escapes anything that a terminal would interpret. The check
// rejects anything else that could reach standard output or standard error. Another process could print, and could run what
// a directory names, so only src/cli/run-git.ts starts one. The check analyzes the syntax instead of searching text.
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** What each module may use in addition: the writer itself, questions on a terminal, and the code that writes files. */
const allowed = {
  "src/krm/stdio.ts": ["writeSync", "writeContent"],

  // Stops on a signal, and uses the width of the terminal.
  "src/cli/fleet/each-package.ts": ["node:timers/promises", "on", "off", "stderr"],
  "src/cli/terminal/prompt.ts": ["stdin", "stderr", "node:readline"],

  // Sets how the heap grows.
  "src/cli/package/package-files.ts": ["node:v8"],
  "src/cli/files/stage.ts": ["writeSync"],
  "src/cli/new-package/new-package.ts": ["writeFileSync"],
  "src/cli/run-git.ts": ["spawnSync"],
  // Checks whether a stream is a terminal, and how wide it is, and prints documents for programs.
  "src/cli/terminal/output.ts": ["node:tty", "stdout", "stderr", "writeContent"],
  // Documents for programs. The writers of these formats do their own escaping.
  "src/cli/export/print-configmap.ts": ["writeContent"],
  "src/cli/package/rendering.ts": ["writeContent"],
  "src/cli/role-spec/role-spec.ts": ["writeContent"],
  "src/cli/kustomize-plugin/kustomize-plugin.ts": ["writeContent"],
  // Discards a warning of a client library.
  "src/clouds/gcp/apply/client.ts": ["emitWarning"],
  "src/start.ts": ["stdin"],
};

/** Members of `process` that do not print. */
const silent = [
  "argv",
  "argv0",
  "env",
  "exitCode",
  "exit",
  "getBuiltinModule",
  "getuid",
  "kill",
  "off",
  "on",
  "pid",
  "platform",
  "uptime",
  "version",
];

/** Modules of Node.js that start programs or load them. */
const startCure = "start Git with src/cli/run-git.ts; nothing else starts a program";
const startingModules = ["child_process", "cluster", "module", "vm", "worker_threads"];

/** Modules of Node.js that do not print. Of "node:fs", these are the names that do not. */
const quietModules = [
  "crypto",
  "http",
  "https",
  "os",
  "path",
  "readline",
  "stream",
  "timers/promises",
  "tls",
  "url",
  "util",
  "zlib",
];
const quietFiles = /^(?!write|append|createWrite|promises|default)/;

/**
 * The ways to print that a module uses but must not use.
 * @param {string} path relative to the repository, with slashes
 * @param {string} text
 * @returns {string[]}
 */
export function rawPrints(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const may = allowed[/** @type {keyof typeof allowed} */ (path)] ?? [];
  /** @type {string[]} */
  const found = [];
  const refuse = (
    /** @type {ts.Node} */ node,
    /** @type {string} */ what,
    cure = "print with write() of src/cli/terminal/output.ts",
  ) => {
    if (may.includes(what)) return;
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    found.push(`${path}:${line + 1} uses ${what}; ${cure}`);
  };
  visit(file);
  return found;

  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isIdentifier(node)) identifier(node);
    else if (ts.isImportDeclaration(node)) imported(node, node.moduleSpecifier, node.importClause);
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier) moduleOf(node, node.moduleSpecifier, ["default"]);
    else if (ts.isCallExpression(node)) called(node);
    ts.forEachChild(node, visit);
  }

  /** @param {ts.Identifier} node */
  function identifier(node) {
    const { parent, text: name } = node;
    const isName =
      (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
      (ts.isPropertyAssignment(parent) && parent.name === node) ||
      (ts.isPropertySignature(parent) && parent.name === node);
    if (isName) return;
    if (["console", "globalThis", "global", "require", "eval", "Function"].includes(name) && !ts.isTypeNode(parent))
      refuse(node, name);
    if (name === "writeContent" && !ts.isFunctionDeclaration(parent)) refuse(node, name);
    if (name === "process") usesProcess(node);
  }

  // `process` under another name or with a computed member could print anything.
  /** @param {ts.Identifier} node */
  function usesProcess({ parent }) {
    const member = ts.isPropertyAccessExpression(parent)
      ? parent.name.text
      : ts.isElementAccessExpression(parent) && ts.isStringLiteral(parent.argumentExpression)
        ? parent.argumentExpression.text
        : "process as a value";
    if (!silent.includes(member)) refuse(parent, member);
  }

  /** @param {ts.Node} node @param {ts.Expression} specifier @param {ts.ImportClause | undefined} clause */
  function imported(node, specifier, clause) {
    if (clause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return;
    const bindings = clause?.namedBindings;
    const names =
      clause !== undefined && clause.name === undefined && bindings !== undefined && ts.isNamedImports(bindings)
        ? bindings.elements.filter((one) => !one.isTypeOnly).map((one) => (one.propertyName ?? one.name).text)
        : ["default"];
    moduleOf(node, specifier, names);
  }

  /** @param {ts.Node} node @param {ts.Expression} specifier @param {string[]} names */
  function moduleOf(node, specifier, names) {
    if (!ts.isStringLiteral(specifier)) return refuse(node, "a module of a computed name");
    // "fs" is "node:fs".
    const module = specifier.text.replace(/^node:/, "");
    if (!isBuiltin(module)) return;
    if (module === "fs") for (const name of names) quietFiles.test(name) || refuse(node, name);
    else if (startingModules.includes(module)) for (const name of names) refuse(node, name, startCure);
    else if (!quietModules.includes(module)) refuse(node, specifier.text);
  }

  /** @param {ts.CallExpression} node */
  function called(node) {
    const { expression, arguments: given } = node;
    const getsBuiltin = ts.isPropertyAccessExpression(expression) && expression.name.text === "getBuiltinModule";
    if (!getsBuiltin && expression.kind !== ts.SyntaxKind.ImportKeyword) return;
    const { parent } = node;
    const names =
      ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name)
        ? parent.name.elements.map((one) => (one.propertyName ?? one.name).getText(file))
        : ["default"];
    if (given[0] !== undefined) moduleOf(node, given[0], names);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("../", import.meta.url));
  const paths = ["src", "functions"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => `${folder}/${path.replaceAll("\\", "/")}`),
  );
  const problems = paths.flatMap((path) => rawPrints(path, readFileSync(join(root, path), "utf8")));
  for (const problem of problems) console.error(`check-output: ${problem}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
