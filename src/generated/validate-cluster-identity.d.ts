// Made from schemas/cluster-identity.schema.json by tools/generate.mjs. Do not edit.
import type { SchemaValidator, SchemaWords } from "../core/validation.ts";
import type { ClusterIdentity } from "./cluster-identity.ts";

export const validateClusterIdentity: SchemaValidator<ClusterIdentity>;
export const clusterIdentityWords: () => SchemaWords;
