import { readFileSync } from "node:fs";

const stages = readFileSync(new URL("../Dockerfile", import.meta.url), "utf8").matchAll(
  /^FROM (?:base|functions) AS (?!functions$)(\S+)$/gm,
);

/** The images of the Dockerfile that are for users, by target. */
export const imageTargets = [...stages].map(([, target = ""]) => target);
