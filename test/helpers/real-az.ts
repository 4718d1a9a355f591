import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { subscription, tenant } from "./azure-package.ts";
import { keptTemporary } from "./temporary.ts";
import { WarmAz } from "./warm-az/index.ts";

/** What came of one call of az, or of a script that calls it. */
export interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A directory with a certificate for localhost, cert.pem and key.pem. */
export function localCertificate(): ReturnType<typeof keptTemporary> {
  const home = keptTemporary();
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const key = ["-newkey", "rsa:2048", "-nodes", "-keyout", join(home.directory, "key.pem")];
  const made = ["-x509", "-days", "2", "-out", join(home.directory, "cert.pem")];
  execFileSync("openssl", ["req", ...made, ...key, ...names], { stdio: "ignore" });
  return home;
}

/** The real az, pointed at a stand-in for Azure on loopback and kept loaded, with a configuration and a login of its own. */
export class RealAz {
  readonly #warm: WarmAz;
  readonly #home: ReturnType<typeof keptTemporary>;
  readonly #environment: NodeJS.ProcessEnv;

  private constructor(warm: WarmAz, home: ReturnType<typeof keptTemporary>, environment: NodeJS.ProcessEnv) {
    this.#warm = warm;
    this.#home = home;
    const first = join(home.directory, "bin");
    mkdirSync(first);
    writeFileSync(join(first, "az"), `#!/bin/sh\nexec ${warm.command}\n`, { mode: 0o755 });
    this.#environment = { ...environment, PATH: `${first}${delimiter}${process.env["PATH"] ?? ""}` };
  }

  /** @param address of the stand-in, without a slash at the end. @param certificate the directory with its certificate. */
  static async start(address: string, certificate: string): Promise<RealAz> {
    const home = keptTemporary();
    const environment = environmentOf(home.directory, address, certificate);
    return new RealAz(await WarmAz.start(environment, address), home, environment);
  }

  /** One call, with nothing on standard input. */
  call(args: readonly string[], more: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Answer> {
    return this.run("az", args, more);
  }

  /** Runs a program that calls az. */
  run(program: string, args: readonly string[], more: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Answer> {
    const env = { ...this.#environment, ...more.env };
    return new Promise((resolve) => {
      const how = { env, cwd: more.cwd ?? this.#home.directory, maxBuffer: 1 << 26 };
      const child = execFile(program, args, how, (error, stdout, stderr) => {
        const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ status, stdout, stderr });
      });
      child.stdin?.end();
    });
  }

  async stop(): Promise<void> {
    await this.#warm.stop();
    this.#home.remove();
  }
}

/** az logs in as a managed identity, whose tokens come from the address in the environment. */
function environmentOf(home: string, address: string, certificate: string): NodeJS.ProcessEnv {
  const config = join(home, "config");
  mkdirSync(config);
  const endpoints = ["resource_manager", "management", "active_directory", "active_directory_resource_id"];
  const lines = endpoints.map((name) => `endpoint_${name} = ${address}/`);
  writeFileSync(join(config, "clouds.config"), ["[AzureCloud]", ...lines, ""].join("\n"));
  const account = {
    ...{ id: subscription, name: "demo", state: "Enabled", tenantId: tenant, homeTenantId: tenant, isDefault: true },
    user: { name: "systemAssignedIdentity", type: "servicePrincipal", assignedIdentityInfo: "MSI" },
    ...{ environmentName: "AzureCloud", managedByTenants: [] },
  };
  const profile = { installationId: "00000000-0000-4000-8000-000000000000", subscriptions: [account] };
  writeFileSync(join(config, "azureProfile.json"), JSON.stringify(profile));
  return {
    PATH: process.env["PATH"],
    HOME: home,
    AZURE_CONFIG_DIR: config,
    AZURE_CORE_COLLECT_TELEMETRY: "false",
    MSI_ENDPOINT: `${address}/msi/token`,
    MSI_SECRET: "secret",
    REQUESTS_CA_BUNDLE: join(certificate, "cert.pem"),
  };
}
