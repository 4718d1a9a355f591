// The words that this project does not use, and their replacements: see "Words" in CONTRIBUTING.md.

/** @typedef {{ pattern: RegExp, instead: string, only?: RegExp }} Word `instead` lists the replacements, `only` the files */

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

/**
 * Phrases that English does not have, or that say something else than was meant: in everything that users read.
 *
 * @type {readonly Word[]}
 */
export const phrases = [
  { pattern: /\bCures?\b|\bcause and cure\b/, instead: "Fix" },
  {
    pattern: /\breplac(?:e|es|ed|ing) [^.,:;]{1,60}? by (?!hand|name|itself|deleting|Azure)/i,
    instead: "replace X with Y",
  },
  { pattern: /\bsingle permissions\b/i, instead: "individual permissions" },
  {
    pattern: /\b(?:keeps?|kept) (?:its|their|every) (?:other )?bytes?\b|\bevery other byte stays\b/i,
    instead: "left unchanged",
  },
  { pattern: /\bdoes not look at Git\b/i, instead: "ignores the state of Git" },
  { pattern: /\bis told\b/i, instead: "receives" },
  { pattern: /(?:^|, |\()also (?:if|no)\b/i, instead: "even if, not even" },
  { pattern: /\bcounts? at once\b/i, instead: "takes effect immediately" },
  { pattern: /\bwas modeled\b|\bof which one is\b/i, instead: "say who does what" },
  { pattern: /\bworks, too\b/i, instead: '"You can also ..."' },
  { pattern: /\bneeds a look\b/i, instead: '"Review each ..."' },
  { pattern: /\bThis is the way on\b|\bbegin here on\b/i, instead: '"These steps are for ..."' },
  { pattern: /\bof one name\b/i, instead: "with the same name" },
  { pattern: /\b(?:that|which) you (?:did not give|gave to)\b/i, instead: '"did not provide", "passed to"' },
  { pattern: /\b(?:credentials|identity|role|account) (?:that|which) can only read\b/i, instead: "read-only" },
  { pattern: /\bgives? the same (?:bytes|files|output)\b/i, instead: "produces the same ..." },
  { pattern: /\bslash at (?:its|the) end\b/i, instead: "trailing slash" },
  { pattern: /\bSHA-256 over\b/, instead: '"the SHA-256 hash of ..."' },
  { pattern: /\bUUID of version\b/i, instead: '"a version 5 UUID"' },
  { pattern: /\bcut at \d/i, instead: "shortened to" },
  { pattern: /\bstays?, too\b/i, instead: "also stays, or say what the command does not change" },
  { pattern: /(?:^|[.:] )For this, /, instead: '"To do this, ...", "Therefore, ..."' },
  {
    pattern: /^Name (?:the|a|your) (?:package|cluster|directory)\b/,
    instead: '"Set variables for ..."',
    only: /\.md$/,
  },
  { pattern: /^#{1,4} (?:Who|What|Show)\b.*\bmay\b/, instead: "can, in a title", only: /\.md$/ },
];
