// oc create token NAME --namespace NAMESPACE --audience AUDIENCE
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";

const [create, token, name, ...flags] = process.argv.slice(2);
const flag = (/** @type {string} */ text) => flags[flags.indexOf(text) + 1];
if (create !== "create" || token !== "token") throw new Error("only tokens are made here");

const key = createPrivateKey(readFileSync("../cluster-keys/serviceaccount-signer.private", "utf8"));
const spki = createPublicKey(key).export({ type: "spki", format: "der" });
const now = Math.floor(Date.now() / 1000);
const header = { alg: "ES256", kid: createHash("sha256").update(spki).digest("base64url") };
const claims = {
  aud: [flag("--audience")],
  exp: now + 3600,
  iat: now,
  nbf: now,
  iss: "https://demo-oidc.s3.us-east-2.amazonaws.com",
  sub: `system:serviceaccount:${flag("--namespace")}:${name}`,
};
const text = [header, claims].map((one) => Buffer.from(JSON.stringify(one)).toString("base64url")).join(".");
const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
console.log(`${text}.${signature.toString("base64url")}`);
