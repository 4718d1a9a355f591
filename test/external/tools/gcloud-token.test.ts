import { execFile, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { gcpExchange } from "../../../src/clouds/gcp/tokens/exchange.ts";
import { unknownIssuer } from "../../../src/clouds/rendered.ts";
import { shellWord } from "../../../src/core/shell.ts";
import { gcpProvider } from "../../helpers/gcp-exchange.ts";
import { describeWith } from "../../helpers/need.ts";
import { pathWith, type Run } from "../../helpers/programs.ts";
import { temporary } from "../../helpers/temporary.ts";
import { ecSigner, tokenOf } from "../../helpers/token.ts";

const email = "demo-ns-one-w5gapgq@my-project.iam.gserviceaccount.com";
const token = tokenOf(ecSigner());
const refusal = { error: "invalid_grant", error_description: "Unable to verify the ID Token signature." };

/** A stand-in for the Security Token Service and the IAM Credentials API. */
const requests: { readonly path: string; readonly body: string }[] = [];
let isRefusing = false;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    requests.push({ path: request.url ?? "", body: Buffer.concat(chunks).toString() });
    const granted =
      request.url === "/v1/token"
        ? {
            access_token: "federated",
            issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
            token_type: "Bearer",
            expires_in: 3600,
          }
        : { accessToken: "of-the-account", expireTime: "2099-01-01T00:00:00Z" };
    response.writeHead(isRefusing ? 400 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(isRefusing ? refusal : granted));
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

/**
 * Runs the command that verify-token prints. gcloud is the real one. Before it sends the token, the addresses in its
 * configuration become those of the stand-in.
 */
function ask(tokenFile: string, directory: string, before = ""): Promise<Run & { readonly words: string }> {
  const words = join(temporary(), "words");
  const real = spawnSync("sh", ["-c", "command -v gcloud"], { encoding: "utf8" }).stdout.trim();
  const { port } = server.address() as AddressInfo;
  const gcloud = [
    `printf '%s\\n' "$@" >> '${words}'`,
    `file=$CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE`,
    `if [ -n "$file" ]; then`,
    `  sed 's#https://[a-z]*\\.googleapis\\.com#http://127.0.0.1:${port}#' "$file" > "$file.new" && mv "$file.new" "$file"`,
    "fi",
    `exec '${real}' "$@"`,
  ].join("\n");
  const issuer = { ...unknownIssuer, id: gcpProvider };
  const command = gcpExchange.command({ id: email, issuer, cluster: undefined }, tokenFile, shellWord);
  expect(command).not.toContain(token);
  const env = { PATH: pathWith({ gcloud }), TMPDIR: directory, HOME: directory };
  return new Promise((resolve) => {
    const child = execFile("sh", ["-c", `${before}${command}`], { env }, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr, words: readFileSync(words, "utf8") }),
    );
    child.stdin?.end();
  });
}

describeWith(["gcloud"], "the command that asks Google itself", () => {
  it("exchanges the token for the account, discards the access token, and leaves nothing behind", async () => {
    const [file, directory] = [join(temporary(), "it's a token"), temporary()];
    writeFileSync(file, token);
    const { status, stdout, words } = await ask(file, directory);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "accepted\n" });
    const [exchange, access] = requests.splice(0);
    const sent = new URLSearchParams(exchange?.body);
    expect(sent.get("subject_token")).toBe(token);
    expect(sent.get("audience")).toBe(`//iam.googleapis.com/${gcpProvider}`);
    expect(access?.path).toBe(`/v1/projects/-/serviceAccounts/${email}:generateAccessToken`);
    expect(words).not.toContain(token);
    expect(readdirSync(directory).filter((name) => name.startsWith("tmp."))).toEqual([]);
  }, 60_000);

  it("reads the token from standard input, and fails with Google's own message", async () => {
    isRefusing = true;
    const [file, directory] = [join(temporary(), "token"), temporary()];
    writeFileSync(file, token);
    const { status, stdout, stderr } = await ask("/dev/stdin", directory, `cat '${file}' | `);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("Error code invalid_grant: Unable to verify the ID Token signature.");
    expect(new URLSearchParams(requests.splice(0)[0]?.body).get("subject_token")).toBe(token);
    expect(readdirSync(directory).filter((name) => name.startsWith("tmp."))).toEqual([]);
  }, 60_000);
});
