import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { pace } from "../../src/apply/requests.ts";
import type { Bucket, Role, State } from "../helpers/amazon/types.ts";
import { signerKeyFile } from "../helpers/cluster-package.ts";
import { type Change, cloudFrontOwnDomain, roles, s3Public } from "../helpers/exported-package.ts";
import type { AwsCloud } from "./aws-cloud.ts";
import { apply, exportedFiles, external, problems, usual } from "./aws-engine.ts";

export const prune = { ...usual, prune: true };

/** The packages that most tests use. */
const packages: Record<string, Change> = { S3Public: s3Public, S3CloudFront: cloudFrontOwnDomain, External: external };

/** Packages that were applied in an account with nothing else. */
export interface Applied {
  /** The files of a package. */
  of(name: string): Map<string, string>;
  /** The state after the apply of a package, which the stand-in then has. */
  start(name: string): State;
}

/** Applies the packages, for all tests of a file. */
export async function applied(cloud: AwsCloud): Promise<Applied> {
  pace.second = 0;
  const [files, healthy] = [new Map<string, Map<string, string>>(), new Map<string, State>()];
  for (const [name, change] of Object.entries(packages)) {
    const own = exportedFiles(change);
    files.set(name, own);
    cloud.reset({}, { deployment: 1 });
    expect(problems(await apply(cloud, own))).toBe("");
    healthy.set(name, structuredClone(cloud.state));
  }
  return {
    of: (name) => files.get(name) as Map<string, string>,
    start(name) {
      cloud.reset({}, { deployment: 1 });
      cloud.world.state = structuredClone(healthy.get(name) as State);
      return cloud.state;
    },
  };
}

export const bucketOf = (state: State) => state.buckets["demo-oidc"] as Bucket;
export const roleOf = (state: State) => state.roles[roles[0]] as Role;

/** A change of `spec.issuer`. */
export const withIssuer =
  (fields: object): Change =>
  (spec) =>
    void Object.assign(spec["issuer"] as object, fields);

export const previous = (...urls: string[]) => withIssuer({ previous: urls });

export const ownKey = readFileSync(signerKeyFile, "utf8");
const { publicKey: other } = generateKeyPairSync("rsa", { modulusLength: 2048 });
/** The public key of another cluster. */
export const otherKey = String(other.export({ type: "spki", format: "pem" }));
