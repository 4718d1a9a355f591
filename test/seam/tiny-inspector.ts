import { ownNames } from "../../src/clouds/claims.ts";
import { commandsFile, commandsText } from "../../src/clouds/commands-text.ts";
import type { Inspector, TokenExchange, TrustingIdentity } from "../../src/clouds/inspector.ts";
import type { PlatformQuestions } from "../../src/clouds/questions.ts";
import { clusterFile, identityFile, type RenderedBundle, unknownIssuer } from "../../src/clouds/rendered.ts";
import { finding } from "../../src/core/finding.ts";
import { isMap, textAt, type Value, valueAt } from "../../src/core/resource.ts";
import { secretTexts } from "../../src/core/secret-texts.ts";
import type { WantedResource } from "../../src/core/wanted-resource.ts";
import { failed, passed, tokenVerdict } from "../../src/oidc/answer.ts";
import { intersects } from "../../src/permissions/glob.ts";
import type { CloudIdentity } from "../../src/permissions/identity.ts";
import type { Permissions } from "../../src/permissions/permissions.ts";
import { defaultRelease } from "../../src/requests/release-filter.ts";
import { selectRequests } from "../../src/requests/select.ts";
import { accountForm, issuerIn, jsonIn, mayOf, merge, names, subjectsOf, tokenPath } from "./tiny-cloud.ts";
import { wantedAccounts } from "./tiny-engine.ts";

const refusal = { code: "Refused", httpStatus: 400, message: "no" };

/** An account accepts a token whose subject it lists. */
const exchange: TokenExchange = {
  noun: "account",
  commands: { identity: { command: "tiny describe", fields: '"account" and "who"' } },
  readIdentity: (answer) => trusting(answer),
  applied: new Set(["subject"]),
  limits: {
    reader: "Tiny Cloud",
    algorithms: ["RS256"],
    characters: [1, 10_000],
    keys: { reader: "Tiny Cloud", maxPerAlgorithm: 10, others: "unknown" },
    issuerUrl: { reader: "Tiny Cloud", max: 100, port: "refused" },
    timeout: undefined,
    cures: { publish: "`ccf apply`", forbidden: "publish it", forbiddenStatuses: [403], untrusted: "trust it" },
    refusals: {
      form: refusal,
      documents: refusal,
      keys: () => refusal,
      otherIssuer: refusal,
      signature: refusal,
      unusableKey: refusal,
    },
  },
  identities: (bundles) => accountsAmong(bundles).flatMap((one) => trusting(jsonIn(one, "account.json")) ?? []),
  advise: () => [],
  command: ({ id }, tokenFile, word) => `tiny exchange ${word(id)} < ${word(tokenFile)}`,
  notes: () => [],
};

function trusting(account: Value): TrustingIdentity | undefined {
  const [id, who] = [textAt(account, ["account"]), valueAt(account, ["who"])];
  if (id === "" || !Array.isArray(who)) return undefined;
  const name = id.slice(id.indexOf(":") + 1);
  const subjects = who.map((one) => `:${one}`);
  return {
    id,
    name,
    async answer({ token: { token } }) {
      const isListed = subjects.some((one) => token?.sub?.endsWith(one) === true);
      const check = isListed
        ? passed("subject", "the account lists it")
        : failed("subject", refusal, "the account does not list it", "use another token");
      return { verdict: tokenVerdict([check]), checks: [check], deciding: isListed ? [] : ["subject"] };
    },
  };
}

/** What commands and rules need of the cloud. */
export const tinyInspector: Inspector = {
  ...names,
  merge,
  webhook: { variable: "TINY_ACCOUNT", annotation: "tiny.example/account", isValue: true },
  tokenAuthAnnotation: "features.operators.openshift.io/token-auth-tiny",
  unsaidTokenPath: tokenPath,
  rootSecret: "kube-system/tiny-credentials",
  identityDirectory: "tiny/accounts",
  secret: { tokenKey: "token" },
  settingForms: { account: accountForm, token: /^\/token$/ },
  terms: {
    example: "disk:read",
    separator: ":",
    actionsIgnoreCase: false,
    hasDenials: false,
    actionForm: /^[a-z*?]+:[a-z*?]+$/,
    appliesTo: (resource, named) => intersects(resource, named),
    isKnownOperator: () => false,
    onlyReads: (action) => action.endsWith(":read"),
    isBeyond: () => true,
    describeBeyond: (resources) => `nothing limits ${resources}`,
  },
  questions: { ways: [], operations: {} },
  rules: [],
  home: { names: [], read: (spec) => ({ account: textAt(spec, ["project"]), region: "everywhere", names: {} }) },
  check: ({ value, resource }) =>
    Array.isArray(mayOf(value))
      ? []
      : [finding("error", "request-invalid-field", '"may" must be a list.', { resource })],
  requested: ({ value, secretKey = "", resource }) => ({
    identity: identityOf(secretKey, resource.name, mayOf(value), subjectsOf(value)),
    findings: [],
  }),
  fieldOf: () => "spec.providerSpec.may",
  serviceOf: () => undefined,
  read(bundles) {
    const facts = bundles.find(({ files, directory }) => files.has(clusterFile) && /tiny/.test(directory));
    const identities = accountsAmong(bundles).map(readAccount);
    if (identities.length === 0) return undefined;
    const url = issuerIn(bundles)?.replace("https://", "");
    return {
      account: textAt(jsonIn(facts, clusterFile), ["project"]),
      resourcePrefix: textAt(jsonIn(facts, clusterFile), ["prefix"]),
      region: undefined,
      identities,
      issuers: url === undefined ? [] : [{ ...unknownIssuer, url }],
      documentIssuer: issuerIn(bundles),
      findings: [],
    };
  },
  claims: (identity) => ({
    claims: ownNames(identity, textAt(identity.platform.spec, ["project"])),
    named: [],
    namesOf: () => [],
  }),
  readLive({ issuerUrl, secrets }) {
    const credentials = secrets.map(({ key, resource }) => {
      const texts = secretTexts(resource.value());
      return { secretKey: key, id: texts.get("account"), tokenFile: texts.get("token"), isLongLived: false };
    });
    const project = issuerUrl.slice(issuerUrl.lastIndexOf("/") + 1);
    const settled = { spec: {}, issuerUrl: undefined, assumed: [] };
    return { prefix: undefined, answers: { project }, credentials, contradictions: [], settle: () => settled };
  },
  operators: {
    writtenFields: new Set(),
    specify(items) {
      const { requests, findings } = selectRequests(items, defaultRelease, names.providerKind);
      const lines = requests.map(({ value }) => `tiny create ${mayOf(value).join(",")}`);
      return { findings, count: lines.length, script: () => lines.join("\n"), text: () => lines.join("\n") };
    },
  },
  exports: {
    derivedFiles: (files) => new Map([[`tiny/${commandsFile}`, commandsOf(files)]]),
    adminPolicy: {
      path: "tiny/admin.json",
      unbounded: { code: "admin-role-unbounded", bundlePath: "tiny/cluster.yaml", message: "allows everything." },
      isUnbounded: (policy) => isMap(policy) && policy["may"] === "*",
    },
  },
  tokens: exchange,
  wanted: wantedAccounts,
  files: { compared: /^never$/, words: [] },
  features: {},
};

/** What `ccf init` asks. */
export const tinyQuestions: PlatformQuestions = {
  ...names,
  identities: "accounts",
  exchangeHelp: { exchange: "access to an account", identity: "an account", identityFile: '"tiny describe"' },
  questions: [
    { flag: "project", value: "PROJECT", text: "project of Tiny Cloud", asked: "Project, in letters", example: "here" },
  ],
  like: { own: [] },
  spec: (answers) => ({ project: answers["project"] ?? "" }),
};

function commandsOf(files: ReadonlyMap<string, string>): string {
  const command = ({ id }: WantedResource) => [`tiny create ${id}`];
  return commandsText({
    form: "commands of Tiny Cloud",
    place: "a project",
    notes: [],
    wanted: wantedAccounts(files),
    command,
  });
}

function accountsAmong(bundles: readonly RenderedBundle[]): readonly RenderedBundle[] {
  return bundles.filter(({ files }) => files.has("account.json"));
}

function readAccount(from: RenderedBundle) {
  const [key, account] = [textAt(jsonIn(from, identityFile), ["secret"]), jsonIn(from, "account.json")];
  const [may, who] = ["may", "who"].map((field) => valueAt(account, [field]) as string[]) as [string[], string[]];
  const compared = identityOf(key, undefined, may, who);
  const [id, { permissions }] = [textAt(account, ["account"]), compared];
  const rest = {
    isOfWorkload: false,
    trusts: [],
    managedPolicies: [],
    maxSessionDuration: undefined,
    trustFiles: [],
    permissionFiles: [],
  };
  return { resource: from.resource, key, id, permissions, boundary: undefined, compared, ...rest };
}

function identityOf(key: string, request: string | undefined, may: string[], subjects: string[]): CloudIdentity {
  const everything = { principals: [""], resources: ["*"], condition: [] };
  const permissions: Permissions = [{ effect: "Allow", actions: may, ...everything }];
  const rest = { trust: undefined, boundary: undefined, tokenPath };
  return { cloud: names.title, noun: "account", key, request, permissions, subjects, ...rest };
}
