import type { Finding } from "../core/finding.ts";
import type { Value } from "../core/resource.ts";
import type { SettingForms } from "../core/secret-texts.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import type { CloudIdentity } from "../permissions/identity.ts";
import type { Atom } from "../permissions/permissions.ts";
import type { RoleDefinitions } from "../permissions/role-definitions.ts";
import type { PermissionTerms } from "../permissions/terms.ts";
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
  /** The token path that the cloud-credential-operator writes for a request that names none. */
  readonly unsaidTokenPath: string;
  /** The directory of the identities' bundle ConfigMaps; undefined if none are rendered for this cloud. */
  readonly identityDirectory?: string;
  /** The file in a Secret from which the cloud's libraries read credentials; undefined if they do not read a file. */
  readonly secretFile?: SecretFile;
  /** The values in the Secrets of components that may be shown; a cloud without them shows none. */
  readonly settingForms?: SettingForms;
  /** The keys of a Secret that components read themselves, in a cloud without such a file. */
  readonly secretKeys?: SecretKeys;
  /** How the cloud writes permissions. Without it, questions about them are undecided. */
  readonly terms?: PermissionTerms;
  /** What the cloud's roles consist of. */
  readonly roles?: { known(): RoleDefinitions };
  /** Merges what requests of two releases for one Secret ask for, during an upgrade. */
  readonly merge: Merge;
  /** What a request asks for in a cluster with this configuration. */
  requested(request: SelectedRequest, config?: Identity): Requested;
  /** The field of a request that contains a part of its permissions; without a part, the field that contains all of them. */
  fieldOf?(request: Value, part: Atom | undefined): string;
}

/** What a request asks for, and the errors that a render would report for it. */
export interface Requested {
  readonly identity: CloudIdentity;
  readonly findings: readonly Finding[];
}

/** The keys of a Secret without a file. */
export interface SecretKeys {
  /** The path of the token. */
  readonly token: string;
  /** The ID that the cloud has assigned to the identity, and the cloud's term for it: "client ID". */
  readonly assigned: { readonly key: string; readonly noun: string };
}

/** A file in a Secret, as the cloud's libraries read it. */
export interface SecretFile {
  /** The Secret's key. */
  readonly key: string;
  /** The environment variables that tell libraries the path of the file. */
  readonly variables: readonly string[];
  /** How the file is read; undefined if rules do not read it. */
  readonly form?: {
    /** The settings of a file by name. */
    settings(text: string): ReadonlyMap<string, string>;
    /** The names of the settings for the identity and for the token file. */
    readonly identity: string;
    readonly token: string;
    /** Reads the identity's ID in its setting; without it, the ID is the whole setting. Undefined if it has another form. */
    identityIn?(setting: string): string | undefined;
    /** The name of the setting for the audience of the exchange, if the file names one. */
    readonly audience?: string;
    /** Whether the file is an unfilled template copied from documentation, or has a form that libraries do not read. */
    isCopied(text: string): boolean;
  };
}

/** Whether a path is that of an identity's bundle ConfigMap. */
export function isIdentityBundle({ identityDirectory }: Pick<KnownCloud, "identityDirectory">, path: string): boolean {
  return identityDirectory !== undefined && path.startsWith(`${identityDirectory}/`) && path.endsWith(".yaml");
}
