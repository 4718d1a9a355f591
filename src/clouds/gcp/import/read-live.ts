import { textAt } from "../../../core/resource.ts";
import { ofForm, secretTexts } from "../../../core/secret-texts.ts";
import { quote } from "../../../core/text.ts";
import { configTexts } from "../../../openshift/config-objects.ts";
import {
  bestPrefix,
  known,
  type LiveCluster,
  type LiveFacts,
  type LiveSecret,
  type SettledConfig,
  sharedFact,
} from "../../live-cluster.ts";
import { defaultUniverse } from "../cluster/cluster.ts";
import { bucketNameProblem } from "../cluster/resource-names.ts";
import { accountId } from "../identities/identity.ts";
import { type CredentialsFile, emailForm, readCredentialsFile, setting, settingForms } from "../rendered/secret.ts";
import { credentialIn } from "../rules/manifests.ts";

/** The service account that a Secret names, and how to get there. */
interface LiveAccount {
  /** `<namespace>/<name>` of the Secret. */
  readonly secretKey: string;
  readonly accountId: string;
  /** In the form of the config: `my-project`, `example.com:my-project`. */
  readonly projectId: string;
}

/** Reads what a live cluster says about its project, its service accounts, and its issuer. */
export function readLiveGcp({ issuerUrl, items, secrets }: LiveCluster): LiveFacts {
  const files = secrets.map((secret) => ({ ...secret, file: readCredentialsFile(secret.resource) }));
  const accounts = files.flatMap(({ key, file }) => accountOf(key, emailIn(file)));
  const providers = files.flatMap(({ file }) => providerIn(file));
  const infrastructure = (name: string) =>
    configTexts(items, "Infrastructure", ["status", "platformStatus", "gcp", name])[0];
  const number = sharedFact(
    "project number",
    providers.map(({ projectNumber }) => projectNumber),
  );
  const pool = sharedFact(
    "workload identity pool",
    providers.map((one) => one.pool),
  );
  const provider = sharedFact(
    "provider",
    providers.map((one) => one.provider),
  );
  const project = sharedFact(
    "project",
    accounts.map(({ projectId }) => projectId),
  );
  const universe = sharedFact(
    "universe",
    files.flatMap(({ file }) => (file === undefined ? [] : universeIn(file))),
  );
  const domain = infrastructure("universeDomain") ?? universe.value ?? defaultUniverse;
  const answers = {
    "project-id": infrastructure("projectID") ?? project.value,
    "project-number": number.value,
    pool: pool.value,
  };
  const bucket = bucketIn(issuerUrl, domain);
  const candidates = [bucket === undefined ? undefined : /^(.+)-oidc$/.exec(bucket)?.[1], pool.value];
  return {
    prefix: bestPrefix(candidates, (prefix) => accounts.filter((account) => !isOther(account, prefix)).length),
    answers: known(answers) as Readonly<Record<string, string>>,
    credentials: files.map(({ key, file, resource }) => ({
      secretKey: key,
      id: emailIn(file),
      tokenFile: ofForm(settingForms, setting.tokenFile, file?.tokenFile),
      isLongLived: isLongLived(resource),
    })),
    contradictions: [number, pool, provider, project, universe].flatMap((fact) => fact.contradictions),
    settle(prefix, given) {
      const poolId = given["pool"] ?? prefix;
      return settle({
        prefix,
        issuerUrl,
        bucket,
        keyStorage: given["key-storage"] ?? "",
        location: given["region"],
        region: infrastructure("region"),
        fields: {
          universeDomain: domain === defaultUniverse ? undefined : domain,
          provider: provider.value === poolId ? undefined : provider.value,
          overrides: Object.fromEntries(
            accounts
              .filter((account) => isOther(account, prefix))
              .map((account) => [account.secretKey, { serviceAccountID: account.accountId }]),
          ),
        },
      });
    },
  };
}

function emailIn(file: CredentialsFile | undefined): string | undefined {
  return file?.email !== undefined && emailForm.test(file.email) ? file.email : undefined;
}

function universeIn({ value }: CredentialsFile): string | undefined {
  const text = textAt(value, [setting.universe]);
  return text === "" ? defaultUniverse : ofForm(settingForms, setting.universe, text);
}

function isLongLived(resource: LiveSecret["resource"]): boolean {
  return credentialIn(secretTexts(resource.value())) !== undefined;
}

// The email of a service account in a project of a domain has the parts of the project's ID in the other order.
function accountOf(secretKey: string, email = ""): LiveAccount[] {
  const [, accountId, project, domain] =
    /^([^@]+)@([^.@]+)(?:\.([^@]+))?\.iam\.gserviceaccount\.com$/.exec(email) ?? [];
  if (accountId === undefined || project === undefined) return [];
  return [{ secretKey, accountId, projectId: domain === undefined ? project : `${domain}:${project}` }];
}

interface LiveProvider {
  readonly projectNumber: string;
  readonly pool: string;
  readonly provider: string;
}

function providerIn(file: CredentialsFile | undefined): LiveProvider[] {
  const audience = file === undefined ? "" : textAt(file.value, [setting.audience]);
  const [, projectNumber, pool, provider] =
    /^\/\/iam\.googleapis\.com\/projects\/(\d+)\/locations\/global\/workloadIdentityPools\/([^/]+)\/providers\/([^/]+)$/.exec(
      audience,
    ) ?? [];
  if (projectNumber === undefined || pool === undefined || provider === undefined) return [];
  return [{ projectNumber, pool, provider }];
}

function isOther({ secretKey, accountId: given }: LiveAccount, prefix: string): boolean {
  const [namespace = "", name = ""] = secretKey.split("/");
  return given !== accountId(prefix, namespace, name);
}

/** The bucket whose URL an issuer is; undefined for any other URL. */
function bucketIn(issuerUrl: string, universe: string): string | undefined {
  const start = `https://storage.${universe}/`;
  const bucket = issuerUrl.startsWith(start) ? issuerUrl.slice(start.length) : "";
  return bucketNameProblem(bucket) === undefined ? bucket : undefined;
}

interface Live {
  readonly prefix: string;
  readonly issuerUrl: string;
  readonly bucket: string | undefined;
  readonly keyStorage: string;
  /** The location of the bucket that the user gave. */
  readonly location: string | undefined;
  /** The region of the cluster. */
  readonly region: string | undefined;
  readonly fields: Parameters<typeof known>[0];
}

// The keys can be in the provider also if the issuer's URL is that of a bucket.
function settle({ prefix, issuerUrl, bucket, keyStorage, location, region, fields }: Live): SettledConfig {
  const isBucket = keyStorage === "Bucket";
  const isComputed = bucket !== undefined && keyStorage !== "External";
  const assumed = [
    'The provider is assumed to have no attribute condition. If "gcloud iam workload-identity-pools providers describe" prints one, set "spec.platform.gcp.attributeCondition", because the first "ccf apply" removes a condition that the package does not have.',
    ...(isBucket && location === undefined
      ? [
          `The location of the bucket ${quote(bucket ?? "")} is assumed to be ${quote(region ?? "us")}. "gcloud storage buckets describe" prints it. If it is another one, set "spec.platform.gcp.region", in lowercase.`,
        ]
      : []),
  ];
  return {
    spec: known({
      ...fields,
      bucket: isComputed && bucket !== `${prefix}-oidc` ? bucket : undefined,
      region: isBucket && location === undefined ? region : undefined,
    }),
    issuerUrl: isComputed ? undefined : issuerUrl,
    assumed,
  };
}
