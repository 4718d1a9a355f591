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
  /** PEM, with a newline at the end. */
  readonly publicKey: string;
  /** The registry and path of the images; undefined for functions that run as programs. */
  readonly images: string | undefined;
  /** The names of the functions in the pipeline, in order. */
  readonly functions: readonly string[];
}

/** The files of a new package except its requests, by path. */
export function newPackage(options: NewPackage): Map<string, string> {
  return new Map([
    ["cluster-identity.yaml", clusterIdentity(options)],
    ["Kptfile", kptfile(options)],
    [".krmignore", krmignore],
    [".gitattributes", gitattributes(options)],
  ]);
}

const configPath = "cluster-identity.yaml";

/** The ClusterIdentity of a cluster; without signing keys if the key is not known yet. */
export function clusterIdentity({
  name,
  platform,
  publicKey,
}: Pick<NewPackage, "name" | "platform"> & Partial<NewPackage>): string {
  return emitYaml({
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "ClusterIdentity",
    metadata: { name, annotations: { [localConfig]: "true" } },
    spec: {
      ...(publicKey === undefined ? {} : { issuer: { signingKeys: [{ publicKey }] } }),
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

function gitattributes({ platform }: NewPackage): string {
  const directories = Object.keys(platform).map((name) => `${name}/** linguist-generated gitlab-generated\n`);
  return `# Rendered files are compared byte for byte.
*.yaml text eol=lf
*.yml text eol=lf
Kptfile text eol=lf
# GitHub and GitLab fold the diffs of generated files, and show them when asked.
${directories.join("")}manifests/*-credentials.yaml linguist-generated gitlab-generated
manifests/cluster-authentication-02-config.yaml linguist-generated gitlab-generated
`;
}
