import type { Finding } from "../core/finding.ts";
import type { Value } from "../core/resource.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import type { CloudIdentity } from "../permissions/identity.ts";
import type { Atom } from "../permissions/permissions.ts";
import type { SelectedRequest } from "../requests/select.ts";

/** What is said of a cloud wherever requests for it are looked at: data, and what reads its forms. */
export interface KnownCloud {
  /** The key of `spec.platform`, and the top directory of its files. */
  readonly name: string;
  /** As people write it: "AWS". */
  readonly title: string;
  /** The kind of `spec.providerSpec` of its requests. */
  readonly providerKind: string;
  /** The annotation in which a ClusterServiceVersion says that its operator takes this cloud's tokens. */
  readonly tokenAuthAnnotation: string;
  /** Where the cloud-credential-operator has an operator look for its token whose request does not say. */
  readonly unsaidTokenPath: string;
  /** The directory of the identities' bundles; undefined where none are rendered. */
  readonly identityDirectory?: string;
  /** The file in a Secret from which the cloud's libraries read credentials; undefined where they read no file. */
  readonly secretFile?: SecretFile;
  /** What a request asks for, in a cluster with this config. */
  requested(request: SelectedRequest, config?: Identity): Requested;
  /** The field of a request that asks for a part of its permissions; without a part, the field with all of them. */
  fieldOf?(request: Value, part: Atom | undefined): string;
}

/** What a request asks for, and what of it a render refuses. */
export interface Requested {
  readonly identity: CloudIdentity;
  readonly findings: readonly Finding[];
}

/** A file in a Secret, as the cloud's libraries read it. */
export interface SecretFile {
  /** The Secret's key. */
  readonly key: string;
  /** The variables that name the file to the libraries. */
  readonly variables: readonly string[];
  /** How the text is read; undefined where nothing here reads it. */
  readonly form?: {
    /** The settings of a text by name. */
    settings(text: string): ReadonlyMap<string, string>;
    /** The settings that name the identity, and the token's file. */
    readonly identity: string;
    readonly token: string;
    /** Says whether a text was copied from a page and not filled in, or is written as no library reads it. */
    isCopied(text: string): boolean;
  };
}

/** Says whether a path is the one of an identity's bundle. */
export function isIdentityBundle({ identityDirectory }: Pick<KnownCloud, "identityDirectory">, path: string): boolean {
  return identityDirectory !== undefined && path.startsWith(`${identityDirectory}/`) && path.endsWith(".yaml");
}
