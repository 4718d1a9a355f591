import { CloudError, sentence } from "../../../apply/requests.ts";
import {
  connectionProblem,
  isBrokenJson,
  isConnectionError,
  isUnreadAnswer,
  proxyLogin,
  webPageCure,
} from "../../../network/connection-problems.ts";

/** The last request for a token that failed: the library's errors do not contain it. */
export interface FailedLogin {
  readonly url: string;
  /** Undefined if no answer arrived. */
  readonly status?: number;
  readonly isPage?: boolean;
  readonly error?: unknown;
}

/** An error for credentials that gave no access token. @param failed undefined if no request to Microsoft Entra failed. */
export function noToken(
  tenantId: string,
  error: unknown,
  failed: FailedLogin | undefined,
  environment = process.env,
): CloudError {
  if (error instanceof CloudError) return error;
  const { said, cure } = networkProblem(failed, environment) ?? loginProblem(tenantId, messagesOf(error), environment);
  const text = `Azure gave no access token for the tenant ${tenantId}: ${sentence(said)} ${cure}`;
  return new CloudError(text, "credentials");
}

interface Problem {
  readonly said: string;
  readonly cure: string;
}

function networkProblem(failed: FailedLogin | undefined, environment: NodeJS.ProcessEnv): Problem | undefined {
  if (failed === undefined) return undefined;
  const { url, status, isPage, error } = failed;
  if (isConnectionError(error)) return connectionProblem(error, url, environment);
  if (status === 407) return { said: `${url} was answered with status 407`, cure: proxyLogin(environment) };
  if (!isPage) return undefined;
  return { said: `${url} was answered with a web page and status ${status}`, cure: webPageCure(url, environment) };
}

/** What each credential of the library's chain said, one line each. */
function messagesOf(error: unknown): string[] {
  const { message = "", errors = [] } = error as { message?: string; errors?: readonly { message?: string }[] };
  const all = errors.length > 0 ? errors.map((one) => one.message ?? "") : [message];
  return all.map(
    (text) =>
      text
        .replace(/^[\s\S]*More details:/, "")
        .trim()
        .split("\n")[0] ?? "",
  );
}

/**
 * What the codes of Microsoft Entra mean: Microsoft documentation, "Microsoft Entra authentication and authorization error
 * codes".
 */
const codes: readonly (readonly [RegExp, (tenantId: string) => string])[] = [
  [
    /^AADSTS(90002|50020|50128|500011|90072|900023|16000)$/,
    (tenant) =>
      `Check spec.platform.azure.tenantID of the package, and log in to this tenant: az login --tenant ${tenant}`,
  ],
  [/^AADSTS700016$/, () => "Set AZURE_CLIENT_ID to an application of the tenant."],
  [/^AADSTS(7000215|7000222)$/, () => "Set AZURE_CLIENT_SECRET to a valid secret of the application."],
  [/^AADSTS(700027|7000232)$/, () => "Set AZURE_CLIENT_CERTIFICATE_PATH to a certificate of the application."],
  [
    /^AADSTS(70021|700211|700212|700213|700223)$/,
    () => "A federated credential of the application must name the issuer, the subject, and the audience of the token.",
  ],
  [
    /^AADSTS700024$/,
    () => "Set the clock of this machine. If it is right, write a new token to the file in AZURE_FEDERATED_TOKEN_FILE.",
  ],
  [/^AADSTS5300\d$/, () => "A Conditional Access policy does not allow this. Ask the administrators of the tenant."],
];

function loginProblem(tenantId: string, messages: readonly string[], environment: NodeJS.ProcessEnv): Problem {
  const login = `az login --tenant ${tenantId}`;
  for (const message of messages) {
    const [said, code = ""] = /(AADSTS\d+)\b.*?(?= Trace ID| - Correlation ID|$)/.exec(message) ?? [];
    const known = codes.find(([form]) => form.test(code))?.[1];
    if (said !== undefined) return { said, cure: known?.(tenantId) ?? `Log in, for example with: ${login}` };
  }
  const has = (form: RegExp) => messages.map((one) => form.exec(one)).find((one) => one !== null);
  const [, path] = has(/ENOENT: .*, open '([^']*)'/) ?? [];
  if (path !== undefined)
    return {
      said: `the file ${path} does not exist`,
      cure: "Correct AZURE_FEDERATED_TOKEN_FILE or AZURE_CLIENT_CERTIFICATE_PATH.",
    };
  const [, text = ""] = has(/^ManagedIdentityCredential: Authentication failed\. Message (.*)/) ?? [];
  if (text !== "") {
    const said = /Description: (.*?)(?: - Correlation ID|$)/.exec(text)?.[1] ?? text;
    return {
      said: `the managed identity: ${isUnreadAnswer(said) ? "the answer contains no token" : said}`,
      cure: "Check which managed identity this machine has, and AZURE_CLIENT_ID.",
    };
  }
  const { AZURE_CLIENT_ID: client = "", AZURE_TOKEN_CREDENTIALS: only = "" } = environment;
  const secrets = ["AZURE_CLIENT_SECRET", "AZURE_CLIENT_CERTIFICATE_PATH", "AZURE_FEDERATED_TOKEN_FILE"];
  const others = client !== "" && !secrets.some((name) => environment[name]);
  const hint = others ? ` AZURE_CLIENT_ID is set, but none of ${secrets.join(", ")} is.` : "";
  const chosen = only === "" ? "" : ` AZURE_TOKEN_CREDENTIALS selects ${only}.`;
  if (has(/^Please run 'az login'/)) return { said: `az is not logged in.${hint}${chosen}`, cure: `Log in: ${login}` };
  if (has(/^Azure CLI could not be found/))
    return {
      said: `az is not installed, and nothing else gave a token.${hint}${chosen}`,
      cure: `Install the Azure CLI and log in: ${login}. Or set AZURE_TENANT_ID, AZURE_CLIENT_ID, and AZURE_CLIENT_SECRET.`,
    };
  if (messages.some(isBrokenJson))
    return { said: "the output of az account get-access-token is not valid JSON", cure: `Log in again: ${login}` };
  const [first = ""] = messages.filter(
    (one) => one !== "" && !/is unavailable|is not available|Network unreachable/.test(one),
  );
  const said = `${first.replace(/: See https:\S+ for details,?/, "").replace(/,$/, "")}`;
  return { said: said === "" ? "no credentials were found" : said, cure: `Log in, for example with: ${login}` };
}
