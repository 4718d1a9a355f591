// oc create token NAME --namespace NAMESPACE --audience AUDIENCE: a token of the cluster with the issuer in ISSUER.
// oc get ...: kubectl with a stand-in for an API server. SECRETS names a file with the list of its Secrets.
import { spawn } from "node:child_process";
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [command, ...rest] = process.argv.slice(2);
if (command === "get") get(rest);
else if (command === "create" && rest[0] === "token") console.log(token(rest[1] ?? "", rest.slice(2)));
else throw new Error(`not covered: oc ${process.argv.slice(2).join(" ")}`);

/** @param {string} name @param {string[]} flags */
function token(name, flags) {
  const flag = (/** @type {string} */ text) => flags[flags.indexOf(text) + 1];
  const key = createPrivateKey(readFileSync("../cluster-keys/serviceaccount-signer.private", "utf8"));
  const spki = createPublicKey(key).export({ type: "spki", format: "der" });
  const now = Math.floor(Date.now() / 1000);
  const header = {
    alg: key.asymmetricKeyType === "rsa" ? "RS256" : "ES256",
    kid: createHash("sha256").update(spki).digest("base64url"),
  };
  const claims = {
    aud: [flag("--audience")],
    exp: now + 3600,
    iat: now,
    nbf: now,
    iss: process.env["ISSUER"],
    sub: `system:serviceaccount:${flag("--namespace")}:${name}`,
  };
  const text = [header, claims].map((one) => Buffer.from(JSON.stringify(one)).toString("base64url")).join(".");
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}

/** @param {string[]} args */
function get(args) {
  const secrets = { name: "secrets", singularName: "secret", namespaced: true, kind: "Secret", verbs: ["get", "list"] };
  /** @type {Record<string, () => string>} */
  const answers = {
    "/api": () => JSON.stringify({ kind: "APIVersions", versions: ["v1"] }),
    "/apis": () => JSON.stringify({ kind: "APIGroupList", apiVersion: "v1", groups: [] }),
    "/api/v1": () => JSON.stringify({ kind: "APIResourceList", groupVersion: "v1", resources: [secrets] }),
    "/api/v1/secrets": () => readFileSync(process.env["SECRETS"] ?? "", "utf8"),
  };
  const server = createServer((request, response) => {
    const answer = answers[new URL(request.url ?? "", "http://localhost").pathname];
    response.writeHead(answer === undefined ? 404 : 200, { "Content-Type": "application/json" });
    response.end(answer?.() ?? "{}");
  });
  server.listen(0, "127.0.0.1", () => {
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const child = spawn("kubectl", ["--server", `http://127.0.0.1:${port}`, "get", ...args], { stdio: "inherit" });
    child.on("exit", (code) => {
      server.close();
      process.exitCode = code ?? 1;
    });
  });
}
