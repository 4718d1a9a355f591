// Made from schemas/aws-credentials-request.schema.json by tools/generate.mjs. Do not edit.
import type { SchemaValidator, SchemaWords } from "../core/validation.ts";
import type { AWSCredentialsRequest } from "./aws-credentials-request.ts";

export const validateAwsCredentialsRequest: SchemaValidator<AWSCredentialsRequest>;
export const awsCredentialsRequestWords: () => SchemaWords;
