import type { Difference } from "../core/difference.ts";
import type { ValueMap } from "../core/resource.ts";
import type { WantedResource } from "../core/wanted-resource.ts";

/*
 * What the engine knows of a cloud: kinds of resources, and what was read of them. The engine is one algorithm for all
 * clouds: find, whose is it, compare, change.
 */

/** Whose a resource is, according to its owner mark. `none`: it exists without a mark. */
export type Owner = "own" | "other" | "none";

/** What was read of one resource. That nothing was read never means that nothing is there. */
export type Reading =
  /** Not read; the text says why: a whole sentence. Nothing follows from it. */
  | { readonly state: "unread"; readonly problem: string }
  /** Proved: the cloud said that this ID does not exist, to a reader who would see it. */
  | { readonly state: "absent" /** Whose the resource is that it would be part of. */; readonly parent?: Owner }
  | { readonly state: "present"; readonly live: Live };

/** A resource as it is in the cloud. */
export interface Live {
  /** The cloud's ID, which can differ from the wanted one: an assignment with the same effect. */
  readonly id: string;
  readonly value: ValueMap;
  readonly owner: Owner;
  /** The version of the resource, for conditional writes. */
  readonly etag?: string;
  /** It was deleted, and the cloud can restore it. */
  readonly deleted?: true;
  /** Why it must not be changed or removed, although the mark says that it is the package's. */
  readonly refusal?: Refusal;
}

/** Why a resource is refused. */
export interface Refusal {
  /** What is wrong, and what to do: the end of a sentence that names the resource. */
  readonly reason: string;
  /** The value of `--allow` that permits it all the same. */
  readonly allow?: string;
}

/** Something of the package in the cloud that is not in the package. */
export interface Extra {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly live: Live;
  /** The IDs of the resources, wanted or not, that must not be removed before it. */
  readonly needs: readonly string[];
  /** The wanted resource that it is part of, if any. */
  readonly part?: string;
  /** It takes the place of something that is wanted, so it must go first. */
  readonly first?: true;
  /** What a reader must know before its removal, or why it is never removed: the end of a sentence. */
  readonly kept?: string;
  /** No render makes it: others added it. */
  readonly foreign?: true;
  /** Whom it lets do what, for people: a line each. */
  readonly grants?: readonly string[];
  /** It is not known whether it differs, and `kept` says why: a status cannot tell. */
  readonly unread?: true;
  /** It shows that the issuer of the package does not work yet, so what the cluster had before stays. */
  readonly breaksIssuer?: true;
}

/** Something inside a resource that the package does not have, and that its removal would take along. */
export interface Inside {
  readonly kind: string;
  readonly name: string;
  /** Others may depend on it, so the resource stays unless the user names it. Otherwise, it is only shown. */
  readonly isForeign: boolean;
}

/** What an engine needs of one kind of resource. A method rejects with a {@link CloudError}. */
export interface Kind {
  /** It cannot exist without the resource that it is part of, and goes with it. */
  readonly within?: true;
  /** It needs what it names only to be created: if it stays, that can be removed all the same. */
  readonly free?: true;
  /** A destroy leaves it, unless the user asks for its removal, too. */
  readonly stays?: true;
  /** Reads one resource from the cloud itself, with its owner mark; before a write, this is the only reading that counts. */
  read(wanted: WantedResource): Promise<Reading>;
  /** The stated fields, and those that decide whether a token works. Without a live resource, all stated fields. */
  differences(wanted: WantedResource, live: Live | undefined): readonly Difference[];
  /**
   * Creates it, with its owner mark in the same request. Resolves to the resource as the cloud shows it, or undefined if the
   * answer does not contain it: then it is read.
   */
  create(wanted: WantedResource): Promise<Live | undefined>;
  /** Changes what differs. What others have set stays. Resolves like {@link create}. */
  update(wanted: WantedResource, live: Live): Promise<Live | undefined>;
  /** Reads something again that is to be removed. */
  readExtra(extra: Extra): Promise<Reading>;
  /** Removes it. The engine then reads until it is gone. */
  remove(live: Live): Promise<void>;
  /**
   * Why it must stay, if it contains something that is not the package's, or if something that stays depends on it.
   *
   * @param going the IDs of everything that is removed with it.
   */
  keep?(live: Live, going: ReadonlySet<string>): Promise<string | undefined>;
  /** What it contains that the package does not have, as the cloud shows it now. */
  inside?(live: Live): Promise<readonly Inside[]>;
  /** What does the same, as commands of the cloud's own tool or as requests, to read, one line each. */
  command(
    action: "create" | "update" | "remove",
    wanted: WantedResource | undefined,
    live: Live | undefined,
  ): readonly string[];
}

/** A kind in a cloud whose commands follow from the resource alone. */
export type KindWithoutCommand = Omit<Kind, "command">;

/** Everything that was read for one package. */
export interface State {
  /** By the ID of the wanted resource. */
  readonly readings: ReadonlyMap<string, Reading>;
  /** Complete, or the reason why it is not. */
  readonly extras: { readonly found: readonly Extra[] } | { readonly problem: string };
  /** Why nothing must be changed, although marks say that it is the package's: a sentence's end that follows a resource. */
  readonly refusal?: Refusal;
  /** What belongs only to the issuers that the cluster had before. */
  readonly previous?: readonly Extra[];
  /** The package does not contain its own issuer completely yet, so the cluster needs the issuers that it had before. */
  readonly needsPrevious?: true;
  /** What a reader must know besides. */
  readonly notes: readonly string[];
}

/** One package and its cloud. */
export interface Target {
  /** Where: `Azure subscription 2222…, eastus`. */
  readonly place: string;
  /** The same for programs: account, region, and what else a cloud has. */
  readonly facts: ValueMap;
  readonly prefix: string;
  /** What else only this cluster's resources are called, by what it is: names that are computed from the prefix. */
  readonly ownNames?: ReadonlyMap<string, string>;
  readonly wanted: readonly WantedResource[];
  readonly kinds: Readonly<Record<string, Kind>>;
  /** The seconds until what was created is in effect everywhere, before what it replaces is removed. */
  readonly settles: number;
  /** Asks who we are, with the first request. @throws CloudError if the credentials are for another account. */
  check(): Promise<void>;
  /** @param progress hears how much was read. */
  read(how: ReadOptions): Promise<State>;
  /** The documents that the cloud reads from elsewhere, by URL. */
  readonly documents: ReadonlyMap<string, string>;
  /** Whether the package states a tag with this key, or it is an owner mark: it is not removed. Without it, no tag is removed. */
  statesTag?(key: string): boolean;
  /** What the user does after a complete run, if anything, one line each. @param directory of the package, as one shell word. */
  next?(directory: string): readonly string[];
  /** Reads the IDs that the cloud assigned; undefined if the cloud assigns none. */
  assigned?(): Promise<AssignedIds>;
}

/** The IDs that the cloud assigned, and the ConfigMap of the package that contains them. */
export interface AssignedIds {
  readonly name: string;
  /** They name the cluster to which the IDs belong. */
  readonly annotations: Readonly<Record<string, string>>;
  /** By the key in the ConfigMap. */
  readonly ids: ReadonlyMap<string, string>;
  /** Whether the package contains all of these. */
  readonly isStored: boolean;
}

/** How to read a package's cloud. */
export interface ReadOptions {
  /** Read documents without credentials, as the cloud does. */
  readonly fetch: boolean;
  readonly progress: (done: number, total: number) => void;
}

/** Who makes the requests, and what the user asks of the kinds of one cloud. */
export interface Access {
  readonly environment: NodeJS.ProcessEnv;
  /** AWS: the role to assume in the account of each package, by its name or its ARN. */
  readonly assumeRole?: string | undefined;
  /** AWS: the external ID that the trust policy of this role demands. */
  readonly externalId?: string | undefined;
  /** Google Cloud: the email of the service account to impersonate. */
  readonly impersonate?: string | undefined;
  /** The keys of tags that are removed from what the package owns: a package cannot say which tags it once had. */
  readonly removeTags: readonly string[];
  /** Google Cloud: custom roles are removed, too. */
  readonly deleteRoles: boolean;
}
