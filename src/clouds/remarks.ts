import type { FindingCode } from "../core/finding.ts";

/** What a cloud adds to the explanations of findings that are not its own: sentences, by code. */
export type Remarks = Partial<Readonly<Record<FindingCode, { readonly cause?: string; readonly cure?: string }>>>;
