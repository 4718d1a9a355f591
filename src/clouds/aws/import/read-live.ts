import { ofForm, secretTexts } from "../../../core/secret-texts.ts";
import { configTexts } from "../../../openshift/config-objects.ts";
import {
  bestPrefix,
  byFrequency,
  known,
  type LiveCluster,
  type LiveCredential,
  type LiveFacts,
  type LiveSecret,
  type SettledConfig,
  sharedFact,
} from "../../live-cluster.ts";
import { maxRoleName } from "../cluster/cluster.ts";
import { partitionOfRegion, partitions } from "../cluster/regions.ts";
import { bucketNameProblem, withoutScheme } from "../cluster/resource-names.ts";
import { roleName } from "../identities/identity.ts";
import { isDistributionDomain } from "../issuer/distribution.ts";
import { readCredentialsFile, secretFile, settingForms } from "../rendered/secret.ts";
import { accessKeyIn } from "../rules/manifests.ts";
import { type RoleSettings, roleSettings } from "./listed-roles.ts";

/** A role that a Secret names. */
interface LiveRole {
  /** `<namespace>/<name>` of the Secret. */
  readonly secretKey: string;
  readonly partition: string;
  readonly accountId: string;
  readonly path: string;
  readonly name: string;
}

/** Reads what a live cluster says about its roles and its issuer. */
export function readLiveAws({ issuerUrl, items, secrets, listings = [] }: LiveCluster): LiveFacts {
  const credentials = secrets.map(credentialOf);
  const roles = credentials.flatMap(roleOf);
  const [region] = configTexts(items, "Infrastructure", ["status", "platformStatus", "aws", "region"]);
  const account = sharedFact(
    "account",
    roles.map(({ accountId }) => accountId),
  );
  const hosted = bucketIn(issuerUrl);
  const answers = { "account-id": account.value, region: region ?? hosted?.region };
  const candidates = [/^(.+)-oidc$/.exec(hosted?.bucket ?? "")?.[1], ...prefixesOf(roles)];
  const settings = roleSettings(
    listings,
    credentials.flatMap(({ id }) => id ?? []),
  );
  const includesRegion = secrets.some(({ resource }) => settingsOf(resource).has("region"));
  return {
    prefix: bestPrefix(candidates, (prefix) => matchesOf(roles, prefix).count),
    answers: known(answers) as Readonly<Record<string, string>>,
    credentials,
    contradictions: account.contradictions,
    settle: (prefix, given) => settle({ issuerUrl, roles, settings, includesRegion }, prefix, given["region"] ?? ""),
  };
}

function credentialOf({ key, resource }: LiveSecret): LiveCredential {
  const file = readCredentialsFile(resource);
  return {
    secretKey: key,
    id: ofForm(settingForms, secretFile.form.identity, file?.roleArn),
    tokenFile: ofForm(settingForms, secretFile.form.token, file?.tokenFile),
    isLongLived: accessKeyIn(secretTexts(resource.value())) !== undefined,
  };
}

function settingsOf(resource: LiveSecret["resource"]): ReadonlyMap<string, string> {
  return secretFile.form.settings(secretTexts(resource.value()).get(secretFile.key) ?? "");
}

// IAM User Guide, "IAM identifiers": the name follows the path.
function roleOf({ secretKey, id = "" }: LiveCredential): LiveRole[] {
  const [, partition, accountId, path, name] = /^arn:([a-z-]+):iam::(\d{12}):role(\/(?:.*\/)?)([^/]+)$/.exec(id) ?? [];
  if (partition === undefined || accountId === undefined || path === undefined || name === undefined) return [];
  return [{ secretKey, partition, accountId, path, name }];
}

/** The bucket whose objects an issuer consists of, and its region; undefined for any other host. */
function bucketIn(issuerUrl: string): { readonly bucket: string; readonly region: string } | undefined {
  for (const { dnsSuffix } of partitions) {
    const end = `.${dnsSuffix}`;
    const [, bucket, region] = /^([a-z0-9-]+)\.s3\.([a-z0-9-]+)$/.exec(hostBefore(issuerUrl, end)) ?? [];
    if (bucket !== undefined && region !== undefined && bucketNameProblem(bucket) === undefined)
      return { bucket, region };
  }
  return undefined;
}

function hostBefore(issuerUrl: string, end: string): string {
  const host = withoutScheme(issuerUrl);
  return issuerUrl.startsWith("https://") && host.endsWith(end) ? host.slice(0, -end.length) : "";
}

// What can be before the names of the Secrets: a name may have been cut.
function prefixesOf(roles: readonly LiveRole[]): string[] {
  return roles.flatMap(({ secretKey, name }) => {
    const [namespace = ""] = secretKey.split("/");
    const suffix = `-${secretKey.replace("/", "-")}`;
    const ends = Array.from({ length: name.length }, (_, index) => index).filter((index) => {
      const end = name.slice(index);
      return end === suffix || (name.length === maxRoleName && suffix.startsWith(end));
    });
    const hashed = name.indexOf(`-${namespace}-`);
    return [...ends, ...(hashed > 0 ? [hashed] : [])].map((index) => name.slice(0, index));
  });
}

/** How many roles have the name that is computed with a prefix, and what then happens to names that are too long. */
function matchesOf(
  roles: readonly LiveRole[],
  prefix: string,
): { readonly count: number; readonly overflow: Overflow } {
  const count = (overflow: Overflow) => roles.filter((role) => role.name === computed(prefix, role, overflow)).length;
  const [truncated, hashed] = [count("Truncate"), count("Hash")];
  return hashed > truncated ? { count: hashed, overflow: "Hash" } : { count: truncated, overflow: "Truncate" };
}

type Overflow = "Truncate" | "Hash";

function computed(prefix: string, { secretKey }: LiveRole, overflow: Overflow): string | undefined {
  const [namespace = "", name = ""] = secretKey.split("/");
  return roleName(prefix, namespace, name, overflow);
}

interface Live {
  readonly issuerUrl: string;
  readonly roles: readonly LiveRole[];
  readonly settings: RoleSettings;
  readonly includesRegion: boolean;
}

function settle({ issuerUrl, roles, settings, includesRegion }: Live, prefix: string, region: string): SettledConfig {
  const { overflow } = matchesOf(roles, prefix);
  const hosted = bucketIn(issuerUrl);
  const isPublic = hosted?.region === region && hasSuffixOf(region, issuerUrl);
  const [partition] = roles.map((role) => role.partition);
  const [path = "/"] = byFrequency(roles.map((role) => role.path));
  const others = roles.filter((role) => role.name !== computed(prefix, role, overflow));
  const hosting = isPublic
    ? { bucket: hosted.bucket === `${prefix}-oidc` ? undefined : hosted.bucket }
    : { type: "External" };
  const isDistribution = isDistributionDomain(withoutScheme(issuerUrl));
  return {
    spec: known({
      partition: partitionOfRegion(region) === undefined ? partition : undefined,
      issuerHosting: known(hosting),
      roles: known({
        path: path === "/" ? undefined : path,
        nameOverflow: overflow === "Truncate" ? undefined : overflow,
        ...settings.roles,
      }),
      tags: settings.tags,
      includeRegionInSecret: includesRegion ? true : undefined,
      overrides: Object.fromEntries(others.map(({ secretKey, name }) => [secretKey, { roleName: name }])),
    }),
    issuerUrl: isPublic ? undefined : issuerUrl,
    assumed: [
      ...settings.assumed,
      ...(isDistribution
        ? [
            'The issuer is a distribution of CloudFront. The package does not manage the distribution and its bucket, because their settings are unknown. To replace them, see "docs/guides/migration.md".',
          ]
        : []),
    ],
  };
}

function hasSuffixOf(region: string, issuerUrl: string): boolean {
  const suffix = partitionOfRegion(region)?.dnsSuffix;
  return suffix !== undefined && issuerUrl.endsWith(`.s3.${region}.${suffix}`);
}
