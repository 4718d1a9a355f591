import { digestOf } from "../../core/hash.ts";
import { jsonOrNull } from "../../core/json.ts";
import { listAt, textAt } from "../../core/resource.ts";
import { decodeUtf8, quote, quoteWhole } from "../../core/text.ts";
import { proxyFor } from "../../network/agent.ts";
import { proxyLogin, webPageCure } from "../../network/connection-problems.ts";
import { isLoopback } from "../../network/loopback.ts";
import { collected, type Descriptor, differs, isDigest, readDescriptor, sizeText } from "../blob.ts";
import { acceptedTypes, readJsonBytes } from "../manifest.ts";
import { imageError } from "../problem.ts";
import { type ImageReference, repositoryName } from "../reference.ts";
import { type ImageSource, maxManifest, type RawManifest, readWhole, registryNotReached } from "../source.ts";
import { authorizationFor } from "./challenge.ts";
import type { PullSecrets } from "./pull-secret.ts";
import { LostAnswer, type Network, type RegistryAnswer, type RegistryRequest } from "./request.ts";

/** What a repository is read with. */
export interface RegistryAccess {
  readonly network: Network;
  readonly secrets: PullSecrets;
  readonly environment: NodeJS.ProcessEnv;
}

/** The longest part of an error's answer that is read, in bytes. */
const maxErrorText = 16 << 10;

/**
 * A repository of a registry (OCI Distribution Specification). Its methods throw FindingErrors: "registry-not-reached",
 * "registry-answer-invalid", "pull-secret-missing", "pull-secret-refused", "pull-secret-invalid", "release-image-digest".
 */
export class Repository implements ImageSource {
  readonly name: string;
  readonly #place: Pick<ImageReference, "registry" | "repository">;
  readonly #access: RegistryAccess;
  /** The header for this repository, once the registry has required it. */
  #authorization: string | undefined;
  #base: URL | undefined;

  constructor(place: Pick<ImageReference, "registry" | "repository">, access: RegistryAccess) {
    this.name = repositoryName(place);
    this.#place = place;
    this.#access = access;
  }

  async manifest(tagOrDigest: string): Promise<RawManifest | undefined> {
    const read = async () => {
      const answer = await this.#get(`manifests/${tagOrDigest}`, acceptedTypes);
      if (answer === undefined) return undefined;
      const tooLong = () => this.#strange(`a manifest that is longer than ${sizeText(maxManifest)}`);
      const bytes = await collected(answer.parts(), maxManifest, tooLong);
      return { bytes, mediaType: answer.header("content-type"), said: answer.header("docker-content-digest") };
    };
    const found = await readWhole(this.name, read);
    if (found === undefined) return undefined;
    const { bytes, mediaType, said } = found;
    if (/^text\/html\b/i.test(mediaType))
      throw this.#strange("a web page", webPageCure(this.name, this.#access.environment));
    const digest = digestOf(bytes);
    const wanted = isDigest(tagOrDigest) ? tagOrDigest : isDigest(said) ? said : digest;
    if (digest !== wanted) throw differs(this.name, wanted, `the digest of the manifest is ${digest}`);
    return { bytes, digest, mediaType };
  }

  async *blob({ digest }: Descriptor): AsyncGenerator<Uint8Array, void> {
    const answer = await this.#get(`blobs/${digest}`, "*/*");
    if (answer === undefined)
      throw imageError(
        "release-image-missing",
        `${this.name}: the blob ${digest} of the image does not exist. Copy the whole image again.`,
      );
    yield* answer.parts();
  }

  async referrers(digest: string): Promise<readonly Descriptor[]> {
    const type = "application/vnd.oci.image.index.v1+json";
    const tooLong = () => this.#strange(`a list of referrers that is longer than ${sizeText(maxManifest)}`);
    const read = async () => {
      const answer = await this.#get(`referrers/${digest}`, type, [200, 400, 404, 405]);
      return answer === undefined ? undefined : collected(answer.parts(), maxManifest, tooLong);
    };
    // A registry without the API has the same list as a tag ("Referrers Tag Schema").
    const bytes = (await readWhole(this.name, read)) ?? (await this.manifest(digest.replace(":", "-")))?.bytes;
    if (bytes === undefined) return [];
    return listAt(readJsonBytes(this.name, "the list of referrers", bytes), ["manifests"]).flatMap(
      (one) => readDescriptor(one) ?? [],
    );
  }

  /** A successful answer; undefined if what was asked for does not exist. */
  async #get(path: string, accept: string, expected = [200, 404]): Promise<RegistryAnswer | undefined> {
    this.#base ??= await this.#findBase();
    const url = new URL(`${this.#place.repository}/${path}`, this.#base);
    let answer = await this.#ask(url, { accept });
    if (answer.status === 401 && answer.url.origin === url.origin) {
      const authorization = await this.#authorizationFor(url, answer);
      if (authorization !== undefined) {
        answer.discard();
        this.#authorization = authorization;
        answer = await this.#ask(url, { accept });
      }
    }
    if (answer.status === 200) return answer;
    if (!expected.includes(answer.status)) throw await this.#refused(url, answer);
    answer.discard();
    return undefined;
  }

  /** The header Authorization that an answer requires; undefined without a credential for it. */
  async #authorizationFor(registry: URL, answer: RegistryAnswer): Promise<string | undefined> {
    const { network, secrets } = this.#access;
    const { repository } = this.#place;
    try {
      const credential = secrets.credentialFor(this.#place);
      return await authorizationFor(answer.header("www-authenticate"), { network, registry, repository, credential });
    } catch (error) {
      // An answer that is not read would keep its connection open.
      answer.discard();
      throw error;
    }
  }

  #ask(url: URL, wanted: RegistryRequest): Promise<RegistryAnswer> {
    return this.#access.network.ask(url, { ...wanted, authorization: this.#authorization });
  }

  /** The URL of the API. Only a registry on this machine may be one without TLS. */
  async #findBase(): Promise<URL> {
    const { registry } = this.#place;
    const base = new URL(`https://${registry}/v2/`);
    if (!isLoopback(base.hostname)) return base;
    try {
      (await this.#access.network.ask(base, { attempts: 1 })).discard();
      return base;
    } catch (error) {
      if (!(error instanceof LostAnswer)) throw error;
      const plain = new URL(`http://${registry}/v2/`);
      // A certificate that is not trusted shows that the registry uses TLS. A proxy is another machine, which would get the credential.
      const isProxied = [base, plain].some((url) => proxyFor(url.href) !== "");
      if (error.isLasting || isProxied) throw registryNotReached(this.name, error);
      return plain;
    }
  }

  async #refused(url: URL, answer: RegistryAnswer) {
    const { status } = answer;
    const said = await saidIn(answer);
    if (answer.url.origin !== url.origin)
      return this.#strange(`a redirect to ${quoteWhole(answer.url.host)}, which answered with status ${status}${said}`);
    if (status === 401 || status === 403) return this.#denied(status, said);
    if (status === 407)
      return imageError(
        "registry-not-reached",
        `${this.name} could not be read. ${proxyLogin(this.#access.environment)}`,
      );
    if (status === 429)
      return imageError(
        "registry-not-reached",
        `${this.name} limits requests (status 429${said}). Wait some minutes, and run the same command again.`,
      );
    if (status >= 500)
      return imageError(
        "registry-not-reached",
        `${this.name} could not be read: the registry answered with status ${status}${said}. Run the same command again later.`,
      );
    return this.#strange(`status ${status}${said}`);
  }

  #denied(status: number, said: string) {
    const { secrets } = this.#access;
    const { registry } = this.#place;
    if (secrets.credentialFor(this.#place) !== undefined)
      return imageError(
        "pull-secret-refused",
        `${this.name}: the registry refuses the pull secret for ${registry} (status ${status}${said}). It is wrong, or it may not read this repository. Name a pull secret that may read it with --registry-config.`,
      );
    const helper = secrets.helperFor(registry);
    const why =
      helper === undefined
        ? ""
        : ` A credential helper (${quote(helper)}) may have one, but helpers are programs, and ccf does not run them.`;
    return imageError(
      "pull-secret-missing",
      `${this.name}: the registry requires a login (status ${status}${said}), and there is no pull secret for ${registry} in ${secrets.where}.${why} Name a file that contains it with --registry-config.`,
    );
  }

  #strange(what: string, cure = "Check the name of the registry, or report it to its operator.") {
    return imageError("registry-answer-invalid", `${this.name}: the registry answered with ${what}. ${cure}`);
  }
}

/** What a registry says of an error (OCI Distribution Specification, "Error Codes"), for messages. */
async function saidIn(answer: RegistryAnswer): Promise<string> {
  try {
    const bytes = await collected(answer.parts(), maxErrorText, () => new LostAnswer("", { cure: "" }));
    const [error = null] = listAt(jsonOrNull(decodeUtf8(bytes) ?? ""), ["errors"]);
    const text = textAt(error, ["message"]) || textAt(error, ["code"]);
    return text === "" ? "" : `, ${quote(text)}`;
  } catch (error) {
    // What it says is not needed.
    if (error instanceof LostAnswer) return "";
    throw error;
  }
}
