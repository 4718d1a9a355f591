import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { subscription, tenant } from "./azure-package.ts";
import { keptTemporary } from "./temporary.ts";

/** What came of one call of a program. */
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

/** The real az, pointed at a stand-in for Azure on loopback, with a configuration and a login of its own. */
export class RealAz {
  readonly #home: ReturnType<typeof keptTemporary>;
  /** For a program that calls az. */
  readonly environment: NodeJS.ProcessEnv;

  /** @param address of the stand-in, without a slash at the end. @param certificate the directory with its certificate. */
  constructor(address: string, certificate: string, login: Login = { subscription, tenant }) {
    this.#home = keptTemporary();
    this.environment = environmentOf(this.#home.directory, address, certificate, login);
  }

  /** One call, with nothing on standard input. */
  call(args: readonly string[], more: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Answer> {
    return this.run("az", args, more);
  }

  /** Runs a program that calls az. */
  run(program: string, args: readonly string[], more: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Answer> {
    const env = { ...this.environment, ...more.env };
    return new Promise((resolve) => {
      const how = { env, cwd: more.cwd ?? this.#home.directory, maxBuffer: 1 << 26 };
      const child = execFile(program, args, how, (error, stdout, stderr) => {
        const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ status, stdout, stderr });
      });
      child.stdin?.end();
    });
  }

  remove(): void {
    this.#home.remove();
  }
}

/** The subscription of az. */
interface Login {
  readonly subscription?: string;
  readonly tenant?: string;
}

/** az logs in as a managed identity, whose tokens come from the address in the environment. */
function environmentOf(home: string, address: string, certificate: string, login: Login): NodeJS.ProcessEnv {
  const config = join(home, "config");
  mkdirSync(config);
  const endpoints = ["resource_manager", "management", "active_directory", "active_directory_resource_id"];
  const lines = endpoints.map((name) => `endpoint_${name} = ${address}/`);
  writeFileSync(join(config, "clouds.config"), ["[AzureCloud]", ...lines, ""].join("\n"));
  const account = {
    ...{ id: login.subscription, name: "demo", state: "Enabled", isDefault: true },
    ...{ tenantId: login.tenant, homeTenantId: login.tenant },
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
