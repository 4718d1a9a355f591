import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Agent } from "agent-base";
import { HttpsProxyAgent } from "https-proxy-agent";
import { getProxyForUrl } from "proxy-from-env";

/**
 * Sends through the proxy of HTTPS_PROXY and HTTP_PROXY, unless NO_PROXY names the host: the agents of Node.js 20 read none of them.
 * It reads them from the environment of the process. Certificates are those of Node.js and of NODE_EXTRA_CA_CERTS.
 */
export class ProxiedAgent extends Agent {
  readonly #direct = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  readonly #proxies = new Map<string, HttpsProxyAgent<string>>();

  override async connect(_: unknown, { host = "", port, secureEndpoint }: Parameters<Agent["connect"]>[1]) {
    const scheme = secureEndpoint ? "https" : "http";
    const url = proxyFor(`${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`);
    if (url === "") return this.#direct[scheme];
    const proxy = this.#proxies.get(url) ?? new HttpsProxyAgent(url, { keepAlive: true });
    this.#proxies.set(url, proxy);
    return proxy;
  }
}

/** The proxy through which a URL is asked; "" if it is asked directly. */
export function proxyFor(url: string): string {
  return getProxyForUrl(url);
}
