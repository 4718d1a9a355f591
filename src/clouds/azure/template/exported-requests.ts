import { bundlesOfFiles, clusterFile, identityFile, type RenderedBundle } from "../../rendered.ts";
import { type PutResource, readPut } from "./put-resource.ts";

/** The facts in `cluster.json` that a template depends on. */
export interface ClusterFacts {
  readonly subscriptionID: string;
  readonly region: string;
  readonly resourcePrefix: string;
  readonly installResourceGroup: string;
  /** Undefined if others publish the issuer. */
  readonly storageAccount?: string;
}

/** The requests of one identity. */
export interface IdentityRequests {
  /** `<secret namespace>/<secret name>` */
  readonly secret: string;
  readonly identity: PutResource;
  readonly credentials: readonly PutResource[];
  readonly roleDefinition: PutResource | undefined;
  readonly roleAssignments: readonly PutResource[];
}

/** What an export contains for a template. */
export interface ExportedRequests {
  readonly cluster: ClusterFacts;
  readonly oidcResourceGroup: PutResource;
  /** The storage account, then its container; empty if others publish the issuer. */
  readonly storage: readonly PutResource[];
  /** Sorted by directory. */
  readonly identities: readonly IdentityRequests[];
}

const identities = "azure/identities/";

/** Reads the files of an export. They were just rendered, so they are complete. */
export function readExported(files: ReadonlyMap<string, string>): ExportedRequests {
  const issuer = ["storage-account.json", "container.json"].map((name) => files.get(`azure/issuer/${name}`));
  return {
    cluster: JSON.parse(files.get(`azure/${clusterFile}`) ?? "") as ClusterFacts,
    oidcResourceGroup: readPut(files.get("azure/oidc-resource-group.json") ?? ""),
    storage: issuer.filter((text) => text !== undefined).map(readPut),
    identities: bundlesOfFiles(files)
      .filter(({ directory }) => directory.startsWith(identities))
      .map(readIdentity),
  };
}

function readIdentity({ files }: RenderedBundle): IdentityRequests {
  const named = (start: string) =>
    [...files].flatMap(([name, text]) => (name.startsWith(start) ? [readPut(text)] : []));
  return {
    secret: (JSON.parse(files.get(identityFile) ?? "") as { readonly secret: string }).secret,
    identity: readPut(files.get("managed-identity.json") ?? ""),
    credentials: named("federated-credential-"),
    roleDefinition: named("role-definition.json")[0],
    roleAssignments: named("role-assignment-"),
  };
}
