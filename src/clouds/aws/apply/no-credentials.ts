import { CloudError, sentence } from "../../../apply/requests.ts";
import { connectionProblem, isConnectionError, webPageCure } from "../../../network/connection-problems.ts";
import { badCredentials, clockCure, loginCure, parsing, type SdkError, skewed, webPage } from "./answers.ts";

/** Why there are no credentials. */
export interface WithoutCredentials {
  /** What the providers of the SDK said, which its error does not contain. */
  readonly reasons: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** The role to assume, if it was that. */
  readonly roleArn?: string | undefined;
}

/** An error for credentials that the SDK did not get. */
export function noCredentials(error: unknown, how: WithoutCredentials): CloudError {
  if (error instanceof CloudError) return error;
  const page = webPage("STS", error as SdkError);
  // This text says what to do, too.
  const { said, cure } = page === undefined ? credentialsProblem(error, how) : { said: page.message, cure: "" };
  return new CloudError(`There are no credentials for AWS: ${sentence(said)} ${cure}`.trimEnd(), "credentials");
}

function credentialsProblem(
  error: unknown,
  { reasons, environment, roleArn }: WithoutCredentials,
): { said: string; cure: string } {
  const { name = "", message = "", url } = error as SdkError;
  const [line = ""] = message.split("\n");
  if (isConnectionError(error)) return connectionProblem(error, url, environment);
  if (skewed.test(`${name} ${line}`)) return { said: line, cure: clockCure };
  if (/^Invalid response from STS/.test(line) || parsing.test(line))
    return { said: "the answer of STS contains no credentials", cure: webPageCure(url, environment) };
  if (badCredentials.test(name) && !problems.some(([form]) => form.test(line))) return { said: line, cure: loginCure };
  if (roleArn !== undefined)
    return { said: line, cure: `Check whether the credentials may assume the role ${roleArn}.` };
  for (const reason of [line, ...reasons]) {
    const [form, known] = problems.find(([one]) => one.test(reason)) ?? [];
    if (form !== undefined && known !== undefined) return known(form.exec(reason) ?? [], environment, reason);
  }
  if (!/^Could not load credentials/.test(line)) return { said: line, cure: loginCure };
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = environment;
  if (Boolean(id) !== Boolean(secret)) {
    const [has, lacks] = id
      ? ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]
      : ["AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID"];
    return { said: `${has} is set, but ${lacks} is not`, cure: `Set both, or neither.` };
  }
  return { said: "the SDK found none", cure: loginCure };
}

type Found = readonly (string | undefined)[];

/** What the providers of the SDK say that a user can do something about. Commands and their output can contain secrets, and are not repeated. */
const problems: readonly (readonly [
  RegExp,
  (found: Found, environment: NodeJS.ProcessEnv, line: string) => { said: string; cure: string },
])[] = [
  [
    /^Command failed: /,
    (_, environment) => ({
      said: `the credential_process of the profile ${profileIn(environment)} failed`,
      cure: "Run its command to see why.",
    }),
  ],
  [
    /^Profile (\S+) credential_process (.*?)\.?$/,
    ([, profile, what]) => ({
      said: `the credential_process of the profile ${profile} ${what}`,
      cure: 'It must print JSON with "Version": 1, AccessKeyId, SecretAccessKey, and SessionToken, that is not expired.',
    }),
  ],
  [
    /^(?:The )?SSO session.*|^Token is expired.*/i,
    ([said = ""], environment) => ({
      said: said.replace(/ To refresh this SSO session.*/, ""),
      cure: `Log in: aws sso login --profile ${profileIn(environment)}`,
    }),
  ],
  [
    /^Profile is configured with invalid SSO credentials/,
    (_, environment) => ({
      said: `the profile ${profileIn(environment)} lacks fields of SSO`,
      cure: `Complete it: aws configure sso --profile ${profileIn(environment)}`,
    }),
  ],
  [
    /^Token expired|InvalidIdentityToken|^Couldn't retrieve verification key/,
    (_, __, line) => ({ said: line, cure: "Write a new token to the file in AWS_WEB_IDENTITY_TOKEN_FILE." }),
  ],
  [
    /(?:reading '|\.)sso_region'/,
    (_, environment) => ({
      said: `sso_session of the profile ${profileIn(environment)} names a section that does not exist`,
      cure: `Add the section [sso-session NAME] to ${filesIn(environment)}.`,
    }),
  ],
  [
    /^Profile (\S+) requires multi-factor authentication/,
    ([, profile]) => ({
      said: `the profile ${profile} demands a code of multi-factor authentication`,
      cure: "ccf cannot ask for it. Get temporary credentials, for example with aws configure export-credentials, and set them as environment variables.",
    }),
  ],
  [
    /^ENOENT: .* '([^']*)'$/,
    ([, path]) => ({
      said: `the file ${path} does not exist`,
      cure: "Correct AWS_WEB_IDENTITY_TOKEN_FILE or web_identity_token_file.",
    }),
  ],
  // Also of the default profile, and of a source_profile: it is a problem only if something names the profile.
  [
    /^Could not resolve credentials using profile: \[(?!default\])([^\]]+)\]/,
    ([, profile = ""], environment) => ({
      said: `the profile ${profile} does not exist in ${filesIn(environment)}, or contains no credentials that the SDK can use`,
      cure: `Correct ${profile === environment["AWS_PROFILE"] ? "AWS_PROFILE" : "the source_profile that names it"}, or the files. To list the profiles: aws configure list-profiles`,
    }),
  ],
  [
    /^Error: (connect .*)/,
    ([, said = ""]) => ({ said, cure: "Check AWS_CONTAINER_CREDENTIALS_FULL_URI, or unset it." }),
  ],
  [
    /^URL not accepted/,
    () => ({
      said: "the URL in AWS_CONTAINER_CREDENTIALS_FULL_URI is not accepted",
      cure: "It must use https, or be an address of this machine or of the container host.",
    }),
  ],
];

function profileIn({ AWS_PROFILE: profile = "" }: NodeJS.ProcessEnv): string {
  return profile === "" ? "default" : profile;
}

function filesIn({
  AWS_CONFIG_FILE: config = "",
  AWS_SHARED_CREDENTIALS_FILE: shared = "",
}: NodeJS.ProcessEnv): string {
  return `${config || "~/.aws/config"} or ${shared || "~/.aws/credentials"}`;
}
