// The words that this project does not use, and their replacements: see "Words" in CONTRIBUTING.md.

/** @typedef {{ pattern: RegExp, instead: string }} Word `instead` lists the replacements */

/** @type {readonly Word[]} */
export const words = [
  { pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b)/i, instead: 'is not a, unknown, or "there is no"' },
  { pattern: /\bstands?\b(?!-| for\b)/i, instead: "exists, is in, appears" },
  { pattern: /\bstood\b/i, instead: "was, existed" },
  { pattern: /\bwhoever\b/i, instead: "the user, the author, anyone who" },
  { pattern: /\b(?:some|any)body\b/i, instead: "a user, the author, anyone" },
  // The user of that name is allowed in code marks, in quotes, or after "user".
  { pattern: /(?<![`"'/:]|--user |\buser )\bnobody\b(?![`"':])/i, instead: "no user, nothing, or name the actor" },
  { pattern: /\bbeliev(?:es?|ed|ing)\b/i, instead: "trust, accept" },
  { pattern: /\bstrange texts?\b/i, instead: "placeholder" },
  { pattern: /\bcarriers?\b/i, instead: "bundle ConfigMap" },
  { pattern: /\brooms?\b/i, instead: "module" },
  { pattern: /\bstems?\b/i, instead: "base name" },
  { pattern: /\banew\b/i, instead: "again, new" },
  { pattern: /\bin step\b/i, instead: "in sync" },
  { pattern: /\bone's own\b/i, instead: "your own, custom" },
  { pattern: /\bknown to others\b/i, instead: "compromised" },
  { pattern: /\b(?:left|leaves?|leaving) out\b/i, instead: "excluded, skipped, omitted" },
  { pattern: /\bleft to\b/i, instead: "delegated to, decided by" },
  { pattern: /\bpass(?:es|ed|ing)? over\b/i, instead: "skip" },
  { pattern: /\bat hand\b/i, instead: "available" },
  { pattern: /\bspeaks? of\b/i, instead: "mentions, is about" },
  { pattern: /\belse than\b/i, instead: "other than, not" },
  { pattern: /\bwithout a word\b/i, instead: "silently" },
  { pattern: /\bDo not edit\b/, instead: "DO NOT EDIT" },
];
