import { awsQuestions } from "./aws/questions.ts";
import { azureQuestions } from "./azure/questions.ts";
import { gcpQuestions } from "./gcp/questions.ts";
import type { PlatformQuestions } from "./questions.ts";

/** The clouds for which `ccf init` creates packages. Only data, because the help loads it to list their flags. */
export const platformQuestions: readonly PlatformQuestions[] = [awsQuestions, azureQuestions, gcpQuestions];
