import { awsQuestions } from "./aws/questions.ts";
import type { PlatformQuestions } from "./questions.ts";

/** The clouds for which `ccf init` makes packages. Data alone: the help lists their flags. */
export const platformQuestions: readonly PlatformQuestions[] = [awsQuestions];
