// The stand-in's roles of AWS IAM.
import { arn, checkTags, date, idOf, own, policyDocument, requestTags, resourceTags, tagged } from "./common.mjs";
import { AwsError, NotCovered } from "./errors.mjs";

/** @import { Need, Operation, Role, Situation, Value } from "./types.ts" */

const tags = "[{Key!>1, Value!}]";

/** Calls that do not see a role yet, by its name. @type {WeakMap<object, Map<string, number>>} */
const unseen = new WeakMap();

/** @param {Value} parameters @param {Situation} situation @returns {Role} */
function found({ RoleName }, { state }) {
  const role = own(state.roles, RoleName);
  const waits = unseen.get(state);
  const left = waits?.get(RoleName) ?? 0;
  if (left > 0) waits?.set(RoleName, left - 1);
  if (role === undefined || left > 0) {
    throw new AwsError("NoSuchEntity", `The role with name ${RoleName} cannot be found.`);
  }
  return role;
}

/** IAM judges a role that is not there by its name alone. @param {Value} parameters @param {Situation} situation */
const arnOf = ({ RoleName }, situation) =>
  arn(situation, "iam", `role${own(situation.state.roles, RoleName)?.path ?? "/"}${RoleName}`);

/**
 * @param {string} action
 * @param {(parameters: Value, role: Role | undefined) => Need["keys"]} keys
 * @returns {Operation["needs"]}
 */
function needs(action, keys = () => ({})) {
  return (parameters, situation) => {
    const role = own(situation.state.roles, parameters.RoleName);
    const there = { ...resourceTags(role?.tags ?? []), ...resourceTags(role?.tags ?? [], "iam") };
    const resource = arnOf(parameters, situation);
    return [{ action: `iam:${action}`, resource, keys: { ...there, ...keys(parameters, role) } }];
  };
}

/** @param {string | undefined} policy @returns {NonNullable<Need["keys"]>} */
const boundary = (policy) => (policy === undefined ? {} : { "iam:PermissionsBoundary": policy });

/** @param {Value} _ @param {Role | undefined} role */
const boundaryThere = (_, role) => boundary(role?.permissionsBoundary);

/** @param {string} text */
const lower = (text) => text.toLowerCase();

/** @param {string} RoleName @param {Role} role @param {Situation} situation */
function described(RoleName, role, situation) {
  const { path, trustPolicy, description, maxSessionDuration, permissionsBoundary } = role;
  return {
    Path: path,
    RoleName,
    RoleId: idOf("AROA", RoleName, 21),
    Arn: arn(situation, "iam", `role${path}${RoleName}`),
    CreateDate: date,
    AssumeRolePolicyDocument: trustPolicy,
    ...(description === undefined ? {} : { Description: description }),
    MaxSessionDuration: maxSessionDuration,
    ...(permissionsBoundary === undefined
      ? {}
      : { PermissionsBoundary: { PermissionsBoundaryType: "Policy", PermissionsBoundaryArn: permissionsBoundary } }),
    ...(role.tags.length > 0 ? { Tags: role.tags } : {}),
    RoleLastUsed: role.lastUsed ?? {},
  };
}

/** @param {string} policy @param {Situation} situation */
function checkPolicy(policy, { state }) {
  const ofAws = policy.startsWith(`arn:${state.partition}:iam::aws:policy/`);
  if (ofAws || state.policies.includes(policy)) return;
  throw new AwsError("NoSuchEntity", `Policy ${policy} does not exist or is not attachable.`);
}

/** @param {number | undefined} seconds */
function checkDuration(seconds) {
  if (seconds !== undefined && (seconds < 3600 || seconds > 43200)) {
    const message = `1 validation error detected: Value '${seconds}' at 'maxSessionDuration' failed to satisfy constraint: `;
    throw new AwsError("ValidationError", `${message}Member must be between 3600 and 43200`);
  }
}

/** @param {string} text */
function trustPolicyOf(text) {
  const document = policyDocument(text, "MalformedPolicyDocument");
  if (text.length > 2048) throw new AwsError("LimitExceeded", "Cannot exceed quota for ACLSizePerRole: 2048");
  for (const value of [document.Statement].flat()) {
    if (value.Principal === undefined)
      throw new AwsError("MalformedPolicyDocument", "Missing required field Principal");
    if (value.Resource !== undefined) throw new AwsError("MalformedPolicyDocument", "Has prohibited field Resource");
  }
  return document;
}

/** @param {string} field @param {string} value @param {RegExp} pattern */
function checkText(field, value, pattern) {
  if (pattern.test(value)) return;
  const message = `The specified value for ${field} is invalid. It must contain only alphanumeric characters and/or the following: +=,.@_-`;
  throw new AwsError("ValidationError", message);
}

/** @type {Record<string, Operation>} */
const itself = {
  CreateRole: {
    parameters: `Path>1, RoleName!>1, AssumeRolePolicyDocument!>1, Description, MaxSessionDuration:int, PermissionsBoundary>20, Tags:${tags}`,
    changes: true,
    needs: ({ RoleName, Path = "/", PermissionsBoundary, Tags = [] }, situation) => {
      const resource = arn(situation, "iam", `role${Path}${RoleName}`);
      const ofTags = requestTags(Tags);
      const create = { action: "iam:CreateRole", resource, keys: { ...ofTags, ...boundary(PermissionsBoundary) } };
      return Tags.length === 0 ? [create] : [create, { action: "iam:TagRole", resource, keys: ofTags }];
    },
    run: (parameters, situation) => {
      const { RoleName, Path = "/", Description, MaxSessionDuration, PermissionsBoundary, Tags = [] } = parameters;
      checkText("roleName", RoleName, /^[\w+=,.@-]{1,64}$/);
      checkText("path", Path, /^\/([!-~]+\/)?$/);
      if ([...(Description ?? "")].length > 1000) throw new AwsError("ValidationError", "The description is too long");
      checkDuration(MaxSessionDuration);
      checkTags(Tags, "InvalidInput", lower);
      const trustPolicy = trustPolicyOf(parameters.AssumeRolePolicyDocument);
      const same = Object.keys(situation.state.roles).some((text) => lower(text) === lower(RoleName));
      if (same) throw new AwsError("EntityAlreadyExists", `Role with name ${RoleName} already exists.`);
      if (PermissionsBoundary !== undefined) checkPolicy(PermissionsBoundary, situation);
      const role = {
        path: Path,
        trustPolicy,
        ...(Description === undefined ? {} : { description: Description }),
        maxSessionDuration: MaxSessionDuration ?? 3600,
        ...(PermissionsBoundary === undefined ? {} : { permissionsBoundary: PermissionsBoundary }),
        tags: tagged([], Tags),
        inlinePolicies: {},
        attachedPolicies: [],
      };
      situation.state.roles[RoleName] = role;
      unseen.set(situation.state, (unseen.get(situation.state) ?? new Map()).set(RoleName, situation.settings.lag));
      const { RoleLastUsed, ...answer } = described(RoleName, role, situation);
      return { Role: answer };
    },
  },
  GetRole: {
    parameters: "RoleName!>1",
    needs: needs("GetRole"),
    run: (parameters, situation) => ({ Role: described(parameters.RoleName, found(parameters, situation), situation) }),
  },
  UpdateRole: {
    parameters: "RoleName!>1, Description, MaxSessionDuration:int",
    changes: true,
    needs: needs("UpdateRole"),
    run: (parameters, situation) => {
      const role = found(parameters, situation);
      const { Description, MaxSessionDuration } = parameters;
      checkDuration(MaxSessionDuration);
      if (Description !== undefined) role.description = Description;
      // As AWS says: one hour, where it is not given.
      role.maxSessionDuration = MaxSessionDuration ?? 3600;
    },
  },
  UpdateAssumeRolePolicy: {
    parameters: "RoleName!>1, PolicyDocument!>1",
    changes: true,
    needs: needs("UpdateAssumeRolePolicy"),
    run: (parameters, situation) => {
      found(parameters, situation).trustPolicy = trustPolicyOf(parameters.PolicyDocument);
    },
  },
  DeleteRole: {
    parameters: "RoleName!>1",
    changes: true,
    needs: needs("DeleteRole"),
    run: (parameters, situation) => {
      const { inlinePolicies, attachedPolicies } = found(parameters, situation);
      if (attachedPolicies.length > 0) {
        throw new AwsError("DeleteConflict", "Cannot delete entity, must detach all policies first.");
      }
      if (Object.keys(inlinePolicies).length > 0) {
        throw new AwsError("DeleteConflict", "Cannot delete entity, must delete policies first.");
      }
      delete situation.state.roles[parameters.RoleName];
    },
  },
  ListRoles: {
    parameters: "PathPrefix>1",
    pages: ["Roles"],
    needs: (_, situation) => [{ action: "iam:ListRoles", resource: arn(situation, "iam", "role/") }],
    run: ({ PathPrefix = "/" }, situation) => {
      const roles = Object.entries(situation.state.roles).filter(([, { path }]) => path.startsWith(PathPrefix));
      // A list has neither tags nor boundaries.
      const Roles = roles.map(([name, role]) => {
        const { Tags: _, PermissionsBoundary, RoleLastUsed, ...rest } = described(name, role, situation);
        return rest;
      });
      return { Roles };
    },
  },
};

/** @type {Record<string, Operation>} */
const all = {
  GetAccountAuthorizationDetails: {
    parameters: "Filter:[]",
    pages: ["RoleDetailList"],
    needs: () => [{ action: "iam:GetAccountAuthorizationDetails", resource: "*" }],
    run: ({ Filter }, situation) => {
      if (Filter?.join() !== "Role") throw new NotCovered(`--filter ${Filter}`);
      const seen = Object.keys(situation.state.roles).filter((name) => isSeen(name, situation));
      return { RoleDetailList: seen.map((name) => detailed(name, situation)) };
    },
  },
};

/** @param {string} RoleName @param {Situation} situation */
function isSeen(RoleName, situation) {
  try {
    found({ RoleName }, situation);
    return true;
  } catch {
    return false;
  }
}

/** A role with all that hangs on it, but without what only the role itself says. @param {string} name @param {Situation} situation */
function detailed(name, situation) {
  const role = /** @type {Role} */ (situation.state.roles[name]);
  const { Description, MaxSessionDuration, ...rest } = described(name, role, situation);
  const policies = Object.entries(role.inlinePolicies);
  return {
    Tags: [],
    ...rest,
    InstanceProfileList: [],
    RolePolicyList: policies.map(([PolicyName, PolicyDocument]) => ({ PolicyName, PolicyDocument })),
    AttachedManagedPolicies: attached(role),
  };
}

/** @param {Role} role */
function attached({ attachedPolicies }) {
  return attachedPolicies.map((attachedPolicy) => ({
    PolicyName: attachedPolicy.replace(/^.*\//, ""),
    PolicyArn: attachedPolicy,
  }));
}

/** @type {Record<string, Operation>} */
const itsTags = {
  TagRole: {
    parameters: `RoleName!>1, Tags!:${tags}`,
    changes: true,
    needs: needs("TagRole", ({ Tags }) => requestTags(Tags)),
    run: (parameters, situation) => {
      const role = found(parameters, situation);
      checkTags(parameters.Tags, "InvalidInput", lower);
      const all = tagged(role.tags, parameters.Tags, lower);
      checkTags(all, "InvalidInput", lower);
      role.tags = all;
    },
  },
  UntagRole: {
    parameters: "RoleName!>1, TagKeys!:[>1]",
    changes: true,
    needs: needs("UntagRole", ({ TagKeys }) => ({ "aws:TagKeys": TagKeys })),
    run: (parameters, situation) => {
      const role = found(parameters, situation);
      role.tags = role.tags.filter(({ Key }) => !parameters.TagKeys.map(lower).includes(lower(Key)));
    },
  },
  ListRoleTags: {
    parameters: "RoleName!>1",
    pages: ["Tags"],
    needs: needs("ListRoleTags"),
    run: (parameters, situation) => ({ Tags: found(parameters, situation).tags }),
  },
};

/** @type {Record<string, Operation>} */
const itsPolicies = {
  PutRolePolicy: {
    parameters: "RoleName!>1, PolicyName!>1, PolicyDocument!>1",
    changes: true,
    needs: needs("PutRolePolicy", boundaryThere),
    run: (parameters, situation) => {
      const role = found(parameters, situation);
      checkText("policyName", parameters.PolicyName, /^[\w+=,.@-]{1,128}$/);
      const document = policyDocument(parameters.PolicyDocument, "MalformedPolicyDocument");
      const policies = { ...role.inlinePolicies, [parameters.PolicyName]: document };
      if (JSON.stringify(Object.values(policies)).length > 10_240) {
        throw new AwsError(
          "LimitExceeded",
          `Maximum policy size of 10240 bytes exceeded for role ${parameters.RoleName}`,
        );
      }
      role.inlinePolicies = policies;
    },
  },
  GetRolePolicy: {
    parameters: "RoleName!>1, PolicyName!>1",
    needs: needs("GetRolePolicy"),
    run: (parameters, situation) => {
      const { RoleName, PolicyName } = parameters;
      const PolicyDocument = inline(found(parameters, situation), PolicyName);
      return { RoleName, PolicyName, PolicyDocument };
    },
  },
  ListRolePolicies: {
    parameters: "RoleName!>1",
    pages: ["PolicyNames"],
    needs: needs("ListRolePolicies"),
    run: (parameters, situation) => ({ PolicyNames: Object.keys(found(parameters, situation).inlinePolicies) }),
  },
  DeleteRolePolicy: {
    parameters: "RoleName!>1, PolicyName!>1",
    changes: true,
    needs: needs("DeleteRolePolicy", boundaryThere),
    run: (parameters, situation) => {
      const role = found(parameters, situation);
      inline(role, parameters.PolicyName);
      delete role.inlinePolicies[parameters.PolicyName];
    },
  },
  AttachRolePolicy: {
    parameters: "RoleName!>1, PolicyArn!>20",
    changes: true,
    needs: needs("AttachRolePolicy", attachment),
    run: (parameters, situation) => {
      const role = found(parameters, situation);
      checkPolicy(parameters.PolicyArn, situation);
      const policies = [...new Set([...role.attachedPolicies, parameters.PolicyArn])];
      if (policies.length > 10) throw new AwsError("LimitExceeded", "Cannot exceed quota for PoliciesPerRole: 10");
      role.attachedPolicies = policies;
    },
  },
  DetachRolePolicy: {
    parameters: "RoleName!>1, PolicyArn!>20",
    changes: true,
    needs: needs("DetachRolePolicy", attachment),
    run: (parameters, situation) => {
      const role = found(parameters, situation);
      if (!role.attachedPolicies.includes(parameters.PolicyArn)) {
        throw new AwsError("NoSuchEntity", `Policy ${parameters.PolicyArn} was not found.`);
      }
      role.attachedPolicies = role.attachedPolicies.filter((attachedPolicy) => attachedPolicy !== parameters.PolicyArn);
    },
  },
  ListAttachedRolePolicies: {
    parameters: "RoleName!>1, PathPrefix>1",
    pages: ["AttachedPolicies"],
    needs: needs("ListAttachedRolePolicies"),
    run: (parameters, situation) => {
      return { AttachedPolicies: attached(found(parameters, situation)) };
    },
  },
  PutRolePermissionsBoundary: {
    parameters: "RoleName!>1, PermissionsBoundary!>20",
    changes: true,
    needs: needs("PutRolePermissionsBoundary", ({ PermissionsBoundary }) => boundary(PermissionsBoundary)),
    run: (parameters, situation) => {
      const role = found(parameters, situation);
      checkPolicy(parameters.PermissionsBoundary, situation);
      role.permissionsBoundary = parameters.PermissionsBoundary;
    },
  },
  DeleteRolePermissionsBoundary: {
    parameters: "RoleName!>1",
    changes: true,
    needs: needs("DeleteRolePermissionsBoundary", boundaryThere),
    run: (parameters, situation) => {
      const role = found(parameters, situation);
      if (role.permissionsBoundary === undefined) {
        throw new AwsError("NoSuchEntity", `Role ${parameters.RoleName} has no permissions boundary.`);
      }
      delete role.permissionsBoundary;
    },
  },
};

/** @param {Value} parameters @param {Role | undefined} role */
function attachment({ PolicyArn }, role) {
  return { "iam:PolicyARN": PolicyArn, ...boundary(role?.permissionsBoundary) };
}

/** @param {Role} role @param {string} name */
function inline(role, name) {
  const document = own(role.inlinePolicies, name);
  if (document !== undefined) return document;
  throw new AwsError("NoSuchEntity", `The role policy with name ${name} cannot be found.`);
}

/** @type {Record<string, Operation>} */
export const iamRoles = { ...itself, ...all, ...itsTags, ...itsPolicies };
