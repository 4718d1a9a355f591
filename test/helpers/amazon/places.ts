import { kinds } from "../../../src/clouds/aws/resources.ts";
import { textAt, valueAt } from "../../../src/core/resource.ts";
import type { WantedResource } from "../../../src/core/wanted-resource.ts";
import type { State, Value } from "./types.ts";

/** A wanted resource in the state of the stand-in. */
export interface Live {
  /** What it is, in the form of the package: a copy of the fields that the package states. */
  body(): Value;
  /** Makes it what a body says. */
  put(body: Value): void;
  remove(): void;
}

type Place = (state: State, wanted: WantedResource) => Live;

const has = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;

/** Only the fields that the package states, from everything that AWS adds. */
function stated(wanted: Value, live: Value): Value {
  if (typeof wanted !== "object" || wanted === null || typeof live !== "object") return structuredClone(live);
  if (Array.isArray(wanted)) return live.map((one: Value, index: number) => stated(wanted[index] ?? null, one));
  return Object.fromEntries(
    Object.entries(wanted)
      .filter(([name]) => live?.[name] !== undefined)
      .map(([name, value]) => [name, stated(value, live[name])]),
  );
}

/** Puts fields over what is there; a field of `before` that `now` lacks goes. */
function over(live: Value, before: Value, now: Value): Value {
  const isMap = (one: Value) => typeof one === "object" && one !== null && !Array.isArray(one);
  if (Array.isArray(now) && Array.isArray(live) && Array.isArray(before))
    return now.map((one, index) => over(live[index] ?? null, before[index] ?? null, one));
  if (!isMap(live) || !isMap(before) || !isMap(now)) return structuredClone(now);
  const result = { ...live };
  for (const name of Object.keys(before)) if (!(name in now)) delete result[name];
  for (const [name, value] of Object.entries(now)) result[name] = over(live[name], before[name], value);
  return result;
}

const bucketOf = ({ buckets }: State, name: string) => buckets[name] as State["buckets"][string];

const bucket: Place = (state, { name }) => ({
  body: () => {
    const { tags, publicAccessBlock } = bucketOf(state, name);
    return structuredClone(has({ Tagging: { TagSet: tags }, PublicAccessBlockConfiguration: publicAccessBlock }));
  },
  put: ({ Tagging, PublicAccessBlockConfiguration: block }) => {
    Object.assign(bucketOf(state, name), { tags: Tagging?.TagSet, publicAccessBlock: block });
  },
  remove: () => delete state.buckets[name],
});

const bucketPolicy: Place = (state, { name }) => ({
  body: () => ({ Policy: JSON.parse(bucketOf(state, name).policy ?? "{}") }),
  put: ({ Policy }) => {
    const own = bucketOf(state, name);
    if (Policy === undefined) delete own.policy;
    else own.policy = JSON.stringify(Policy);
  },
  remove: () => delete bucketOf(state, name).policy,
});

const document: Place = (state, { name, part = "" }) => {
  const { objects } = bucketOf(state, part.replace(/^.*:/, ""));
  const object = () => objects[name] as Value;
  return {
    body: () => ({ Body: object().body, ...object().headers, ServerSideEncryption: "AES256" }),
    put: ({ Body = "", ServerSideEncryption, ...headers }) => {
      const isUsual = ServerSideEncryption === "AES256" || ServerSideEncryption === undefined;
      const encryption = isUsual ? {} : { encryption: { ServerSideEncryption } };
      objects[name] = { body: Body, headers, metadata: {}, ...encryption };
    },
    remove: () => delete objects[name],
  };
};

const accessControl: Place = (state, { name }) => {
  const controls = state.originAccessControls;
  const [id = ""] = Object.entries(controls).find(([, { config }]) => config.Name === name) ?? [];
  return {
    body: () => ({ OriginAccessControlConfig: structuredClone(controls[id]?.config) }),
    put: ({ OriginAccessControlConfig: config }) => void Object.assign(controls[id] as Value, { config }),
    remove: () => delete controls[id],
  };
};

const distribution: Place = (state, { name, body: wanted }) => {
  const all = state.distributions;
  const [id = ""] = Object.entries(all).find(([, { config }]) => config.CallerReference === name) ?? [];
  const own = () => all[id] as Value;
  const config = valueAt(wanted, ["DistributionConfigWithTags", "DistributionConfig"]);
  const body = () => ({
    DistributionConfigWithTags: {
      DistributionConfig: stated(config, own().config),
      Tags: { Items: structuredClone(own().tags) },
    },
  });
  return {
    body,
    put: ({ DistributionConfigWithTags: { DistributionConfig, Tags } }) => {
      const before = body().DistributionConfigWithTags.DistributionConfig;
      own().config = over(own().config, before, DistributionConfig);
      own().tags = Tags?.Items ?? [];
    },
    remove: () => delete all[id],
  };
};

const provider: Place = ({ providers }, { id }) => {
  const own = () => providers[id] as Value;
  return {
    body: () => structuredClone({ ClientIDList: own().clientIds, ThumbprintList: own().thumbprints, Tags: own().tags }),
    put: ({ ClientIDList = [], ThumbprintList = [], Tags = [] }) => {
      Object.assign(own(), { clientIds: ClientIDList, thumbprints: ThumbprintList, tags: Tags });
    },
    remove: () => delete providers[id],
  };
};

const role: Place = ({ roles }, { name }) => {
  const own = () => roles[name] as Value;
  return {
    body: () => {
      const { path, description, maxSessionDuration, permissionsBoundary, tags, trustPolicy } = structuredClone(own());
      const boundary = has({ PermissionsBoundary: permissionsBoundary });
      const rest = { MaxSessionDuration: maxSessionDuration, Tags: tags, AssumeRolePolicyDocument: trustPolicy };
      return { Path: path, Description: description, ...boundary, ...rest };
    },
    put: ({ Path = "/", Description, MaxSessionDuration = 3600, PermissionsBoundary, Tags = [], ...rest }) => {
      const { description: _, permissionsBoundary: __, ...before } = own();
      const now = { path: Path, description: Description, maxSessionDuration: MaxSessionDuration, tags: Tags };
      const trustPolicy = rest.AssumeRolePolicyDocument ?? {};
      roles[name] = has({ ...before, ...now, permissionsBoundary: PermissionsBoundary, trustPolicy });
    },
    remove: () => delete roles[name],
  };
};

const nameOf = (id: string) => id.replace(/#.*$/, "").replace(/^.*\//, "");

const inlinePolicy: Place = ({ roles }, { part = "", body }) => {
  const policies = (roles[nameOf(part)] as Value).inlinePolicies;
  const name = textAt(body, ["PolicyName"]);
  return {
    body: () => ({ PolicyDocument: structuredClone(policies[name]) }),
    put: ({ PolicyDocument }) => void Object.assign(policies, { [name]: PolicyDocument ?? {} }),
    remove: () => delete policies[name],
  };
};

const attachedPolicy: Place = ({ roles }, { part = "", body }) => ({
  body: () => ({ PolicyArn: body["PolicyArn"] }),
  put: () => undefined,
  remove: () => {
    const own = roles[nameOf(part)] as Value;
    own.attachedPolicies = own.attachedPolicies.filter((one: string) => one !== body["PolicyArn"]);
  },
});

const places: Readonly<Record<string, Place>> = {
  [kinds.bucket]: bucket,
  [kinds.bucketPolicy]: bucketPolicy,
  [kinds.document]: document,
  [kinds.accessControl]: accessControl,
  [kinds.distribution]: distribution,
  [kinds.provider]: provider,
  [kinds.role]: role,
  [kinds.inlinePolicy]: inlinePolicy,
  [kinds.attachedPolicy]: attachedPolicy,
};

/** Finds a wanted resource, which exists. */
export function place(state: State, wanted: WantedResource): Live {
  const find = places[wanted.kind];
  if (find === undefined) throw new Error(`unknown kind: ${wanted.kind}`);
  return find(state, wanted);
}
