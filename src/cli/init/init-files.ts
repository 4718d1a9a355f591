import { localConfig, type Value, type ValueMap } from "../../core/resource.ts";
import { emitYaml } from "../../yaml/emit.ts";
import { version } from "../terminal/version.ts";

/** The values in the files of a new package. */
export interface NewPackage {
  readonly name: string;
  /** `spec.platform`. */
  readonly platform: ValueMap;
  /** What its component identities are, in the plural: `roles`. */
  readonly identities: string;
  /** In PEM form, with a newline at the end. */
  readonly publicKeys: readonly string[];
  /** The rest of the `spec`: fields other than `platform` and `issuer.signingKeys`. */
  readonly spec?: ConfigFields;
  /** The registry and path of the images; undefined for functions that run as programs. */
  readonly images: string | undefined;
  /** The names of the functions in the pipeline, in order. */
  readonly functions: readonly string[];
}

/** Fields of the `spec` of a ClusterIdentity, in the order in which they are written. */
export interface ConfigFields {
  readonly resourcePrefix?: string;
  readonly release?: ValueMap;
  readonly tokenPath?: string;
  readonly issuer?: ValueMap;
}

/** The files of a new package except its requests, by path. */
export function newPackage(options: NewPackage): Map<string, string> {
  return new Map([
    ["cluster-identity.yaml", clusterIdentity(options)],
    ["Kptfile", kptfile(options)],
    [".krmignore", krmignore],
    [".gitattributes", gitattributes],
  ]);
}

const configPath = "cluster-identity.yaml";

/** The ClusterIdentity of a cluster; without signing keys if the key is not known yet. */
export function clusterIdentity({
  name,
  platform,
  publicKeys = [],
  spec: { issuer = {}, ...spec } = {},
}: Pick<NewPackage, "name" | "platform"> & Partial<NewPackage>): string {
  const signingKeys = publicKeys.length === 0 ? {} : { signingKeys: publicKeys.map((publicKey) => ({ publicKey })) };
  const wholeIssuer = { ...issuer, ...signingKeys };
  return emitYaml({
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "ClusterIdentity",
    metadata: { name, annotations: { [localConfig]: "true" } },
    spec: {
      ...spec,
      ...(Object.keys(wholeIssuer).length === 0 ? {} : { issuer: wholeIssuer }),
      platform,
    },
  });
}

function kptfile({ name, identities, images, functions }: NewPackage): string {
  const run = (fn: string): Value =>
    images === undefined ? { exec: `ccf ${fn}`, configPath } : { image: `${images}/${fn}:v${version}`, configPath };
  const description = `Secrets, ${identities} and issuer of a cluster with short-term cloud credentials.`;
  return emitYaml({
    apiVersion: "kpt.dev/v1",
    kind: "Kptfile",
    metadata: { name, annotations: { [localConfig]: "true" } },
    info: { description },
    pipeline: { mutators: functions.map(run) },
  });
}

const krmignore = `# Files that are not Kubernetes objects. kpt refuses a package that contains such files.
install-config.yaml
`;

// Nothing is folded in reviews: every generated file grants something, names an identity, or decides whose tokens are trusted.
const gitattributes = `# Rendered files are compared byte for byte.
*.yaml text eol=lf
*.yml text eol=lf
Kptfile text eol=lf
`;
