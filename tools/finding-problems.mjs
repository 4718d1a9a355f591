/** @typedef {{ readonly path: string, readonly text: string }} File */

/** The files that list the tables: those of the clouds, and all tables. */
const lists = ["src/clouds/all-findings.ts", "src/cli/all-findings.ts"];
const shared = "src/core";

/**
 * Codes that a module reports although it may not import from the module that owns them, with the reason.
 *
 * @type {Readonly<Record<string, string>>}
 */
const elsewhere = {
  // A ClusterIdentity may omit the signing keys, but generate-oidc-issuer requires them.
  "config-missing-field": "src/oidc",
};

/**
 * What is wrong with the codes of findings. Each code is in the `findings.ts` of one folder. That folder uses it; a shared code
 * is used by two or more modules. Only modules that may import from the owner use it. A test or an expected output asserts it.
 *
 * @param {object} input
 * @param {readonly File[]} input.source
 * @param {readonly File[]} input.tests
 * @param {Readonly<Record<string, readonly string[]>>} input.modules each module, with the modules that it may import from
 * @returns {string[]}
 */
export function findingProblems({ source, tests, modules }) {
  const tables = source.filter(({ path }) => path.endsWith("/findings.ts"));
  const others = source.filter(({ path }) => !path.endsWith("/findings.ts"));
  const asserted = tests.map(({ text }) => text).join("\n");
  const owned = tables.flatMap(({ path, text }) =>
    codesOf(text).map((code) => ({ code, folder: path.slice(0, path.lastIndexOf("/")) })),
  );
  const listText = source
    .filter(({ path }) => lists.includes(path))
    .map(({ text }) => text)
    .join("\n");
  return [
    ...(owned.length === 0 ? ["could not read any findings.ts"] : []),
    ...tables.filter(({ text }) => codesOf(text).length === 0).map(({ path }) => `could not read ${path}`),
    ...tables
      .filter(({ path }) => !listText.includes(`/${path.replace(/^src\/(cli\/|clouds\/)?/, "")}"`))
      .map(({ path }) => `${path} is not listed in ${lists.join(" or ")}`),
    ...repeated(owned.map(({ code }) => code)).map((code) => `${code} is in two findings.ts`),
    ...owned.flatMap((one) => [...useProblems(one, others, modules), ...testProblems(one.code, asserted)]),
  ];
}

/**
 * The codes that a table explains. The remarks at its end are about findings of others, which it does not explain.
 *
 * @param {string} table
 */
function codesOf(table) {
  const [own = ""] = table.split(/^export const \w*Remarks\b/m);
  return [...own.matchAll(/^ {2}"?([a-z-]+)"?: \{/gm)].map(([, code = ""]) => code);
}

/**
 * @param {{ code: string, folder: string }} owned
 * @param {readonly File[]} files
 * @param {Readonly<Record<string, readonly string[]>>} modules
 */
function useProblems({ code, folder }, files, modules) {
  const users = files.filter(({ text }) => text.includes(`"${code}"`)).map(({ path }) => path);
  const owner = moduleOf(`${folder}/`, modules);
  const using = new Set(users.map((path) => moduleOf(path, modules)));
  const isUsed = users.some((path) => path.startsWith(`${folder}/`)) || (folder === shared && using.size > 1);
  const strangers = [...using].filter(
    (module) => module !== owner && !(modules[module] ?? []).includes(owner) && elsewhere[code] !== module,
  );
  return [
    ...(isUsed ? [] : [`${code} is in ${folder}/findings.ts, but no code in ${folder} reports it`]),
    ...strangers.map(
      (module) => `${code} of ${owner} is used in ${module || "src"}, which may not import from ${owner}`,
    ),
  ];
}

/** @param {string} code @param {string} asserted */
function testProblems(code, asserted) {
  return new RegExp(`["[ ]${code}(?:["\\\\\\]]|$)`, "m").test(asserted) ? [] : [`no test asserts ${code}`];
}

/** @param {string} path @param {Readonly<Record<string, unknown>>} modules */
function moduleOf(path, modules) {
  const names = Object.keys(modules).filter((name) => path.startsWith(`${name}/`));
  return names.sort((a, b) => b.length - a.length)[0] ?? "";
}

/** @param {readonly string[]} codes */
function repeated(codes) {
  return [...new Set(codes.filter((code, place) => codes.indexOf(code) !== place))];
}
