import type { Finding } from "../core/finding.ts";
import { type Resource, type Value, valueAt } from "../core/resource.ts";
import { type SettingForms, secretTexts } from "../core/secret-texts.ts";
import { compareText } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import type { CloudIdentity } from "../permissions/identity.ts";
import type { Atom } from "../permissions/permissions.ts";
import type { PermissionTerms, RoleDefinitions } from "../permissions/terms.ts";
import type { SelectedRequest } from "../requests/select.ts";
import type { Merge } from "../requests/transition.ts";

/** What rules need to know of a cloud to judge requests for it: data, and readers of its formats. */
export interface KnownCloud {
  /** The key of `spec.platform`, and the top directory of its files. */
  readonly name: string;
  /** For messages: "AWS". */
  readonly title: string;
  /** The kind of `spec.providerSpec` of its requests. */
  readonly providerKind: string;
  /** The cloud's term for a component identity: "role". */
  readonly identityNoun: string;
  /** The annotation of a ClusterServiceVersion that declares that its operator supports this cloud's token authentication. */
  readonly tokenAuthAnnotation: string;
  /**
   * The annotation of a ServiceAccount that names its identity, and the variable that the webhook of the cloud-credential-operator sets
   * in pods because of it.
   */
  readonly webhook: {
    readonly annotation: string;
    readonly variable: string;
    /** Whether the variable has the value of the annotation; otherwise, it is the path of a file. */
    readonly isValue: boolean;
  };
  /** The token path that the cloud-credential-operator writes for a request that names none. */
  readonly unsaidTokenPath: string;
  /** The Secret with the credentials of the administrator, `<namespace>/<name>` (cloud-credential-operator, docs/mode-mint.md). */
  readonly rootSecret: string;
  /** The directory of the identities' bundle ConfigMaps. */
  readonly identityDirectory: string;
  /** What components read in their Secrets. */
  readonly secret: ComponentSecret;
  /** The values in the Secrets of components that may be shown. */
  readonly settingForms: SettingForms;
  /** How the cloud writes permissions. */
  readonly terms: PermissionTerms;
  /** Merges what requests of two releases for one Secret ask for, during an upgrade. */
  readonly merge: Merge;
  /** What a request asks for in a cluster with this configuration. */
  requested(request: SelectedRequest, config?: Identity): Requested;
  /** The field of a request that contains a part of its permissions; without a part, the field that contains all of them. */
  fieldOf(request: Value, part: Atom | undefined): string;
  /** What not every cloud has. */
  readonly features: {
    /** What the cloud's roles consist of. Without it, roles are compared by their names. */
    readonly roles?: {
      known(): RoleDefinitions;
      /** Whether the rules know what a role allows, by the name that permissions have for it. */
      isJudged(role: string): boolean;
    };
  };
}

/** What a request asks for, and the errors that a render would report for it. */
interface Requested {
  readonly identity: CloudIdentity;
  readonly findings: readonly Finding[];
}

/** What components read in their Secrets: a file that the cloud's libraries read, or single keys. */
type ComponentSecret =
  | { readonly file: SecretFile; readonly tokenKey?: never }
  | {
      readonly file?: never;
      /** The key that contains the path of the token. */
      readonly tokenKey: string;
    };

/** A file in a Secret, as the cloud's libraries read it. */
export interface SecretFile {
  /** The Secret's key. */
  readonly key: string;
  /** The environment variables that tell libraries the path of the file. */
  readonly variables: readonly string[];
  /** How the file is read. */
  readonly form: {
    /** The settings of a file by name. */
    settings(text: string): ReadonlyMap<string, string>;
    /** The names of the settings for the identity and for the token file. */
    readonly identity: string;
    readonly token: string;
    /** Reads the identity's ID in its setting; without it, the ID is the whole setting. Undefined if it has another form. */
    identityIn?(setting: string): string | undefined;
    /** The values that libraries assume for settings that a file lacks. */
    readonly defaults?: Readonly<Record<string, string>>;
    /** The name of the setting for the audience of the exchange, if the file names one. */
    readonly audience?: string;
    /** Whether the file is an unfilled template copied from documentation, or has a form that libraries do not read. */
    isCopied(text: string): boolean;
  };
}

/** Whether a path is that of an identity's bundle ConfigMap. */
export function isIdentityBundle({ identityDirectory }: Pick<KnownCloud, "identityDirectory">, path: string): boolean {
  return path.startsWith(`${identityDirectory}/`) && path.endsWith(".yaml");
}

/** The part of a Secret that rules may read. No value of it may appear in a message. */
export interface CredentialsSecret {
  readonly resource: Resource;
  /** `<namespace>/<name>`. */
  readonly key: string;
  /** Its decoded values by key; `stringData` takes precedence over `data`, as in the API server. */
  readonly texts: ReadonlyMap<string, string>;
  /** The file that the cloud's libraries read, or "". */
  readonly credentials: string;
  /** Whether that file is a template that was not filled in, or has a form that libraries do not read. */
  readonly isCopied: boolean;
  /** The settings of that file by name; if rules do not read the file, the Secret's values by key. */
  readonly settings: ReadonlyMap<string, string>;
}

/** The Secrets among objects. */
export function credentialsSecrets(items: readonly Resource[], cloud: KnownCloud): CredentialsSecret[] {
  const { file } = cloud.secret;
  return items
    .filter(({ kind, apiVersion }) => kind === "Secret" && apiVersion === "v1")
    .map((resource) => {
      const key = `${resource.namespace}/${resource.name}`;
      const texts = secretTexts(resource.value());
      const credentials = texts.get(file?.key ?? "") ?? "";
      const isCopied = file?.form.isCopied(credentials) === true;
      return { resource, key, texts, credentials, isCopied, settings: settingsOf(texts, cloud) };
    });
}

/** The names of the settings and other keys that differ between two Secrets; sorted. */
export function secretDifferences(one: SecretTexts, other: SecretTexts, cloud: KnownCloud): string[] {
  const read = cloud.secret.file?.key;
  const without = (texts: SecretTexts) => new Map([...texts].filter(([key]) => key !== read));
  const names = [
    ...differing(comparedSettings(one, cloud), comparedSettings(other, cloud)),
    ...differing(without(one), without(other)),
  ];
  return [...new Set(names)].sort(compareText);
}

type SecretTexts = ReadonlyMap<string, string>;

function settingsOf(texts: SecretTexts, { secret: { file } }: Pick<KnownCloud, "secret">): ReadonlyMap<string, string> {
  return file?.form.settings(texts.get(file.key) ?? "") ?? texts;
}

/** The settings of a Secret by name, with the values that libraries assume for those that its file lacks. */
export function comparedSettings(texts: SecretTexts, cloud: Pick<KnownCloud, "secret">): SecretTexts {
  const settings = settingsOf(texts, cloud);
  return settings.size === 0
    ? settings
    : new Map([...Object.entries(cloud.secret.file?.form.defaults ?? {}), ...settings]);
}

function differing(a: SecretTexts, b: SecretTexts): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key));
}

/** The field of a Secret that contains a key. */
export function fieldOfText({ resource }: CredentialsSecret, key: string): string {
  const inStringData = valueAt(resource.value(), ["stringData", key]) !== undefined;
  return `${inStringData ? "stringData" : "data"}.${key}`;
}
