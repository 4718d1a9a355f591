// The stand-in's origin access controls of Amazon CloudFront.
import { arn, idOf, own } from "./common.mjs";
import { AwsError } from "./errors.mjs";

/** @import { Operation, OriginAccessControl, Situation, Value } from "./types.ts" */

const config =
  "OriginAccessControlConfig!:{Name!, Description, SigningProtocol!, SigningBehavior!, OriginAccessControlOriginType!}";

/** The ETag of a thing at one version. @param {string} id @param {number} version */
export const etag = (id, version) => idOf("E", `${id} ${version}`, 14);

/** @param {string | undefined} given @param {string} expected */
export function checkMatch(given, expected) {
  if (given === undefined) {
    const message = "The If-Match version is missing or not valid for the resource.";
    throw new AwsError("InvalidIfMatchVersion", message);
  }
  if (given !== expected) {
    const message = "The request failed because it didn't meet the preconditions in one or more request-header fields.";
    throw new AwsError("PreconditionFailed", message);
  }
}

/** @param {Value} parameters @param {Situation} situation @returns {OriginAccessControl} */
function found({ Id }, { state }) {
  const control = own(state.originAccessControls, Id);
  if (control !== undefined) return control;
  throw new AwsError("NoSuchOriginAccessControl", "The specified origin access control does not exist.");
}

/** @param {string} action @returns {Operation["needs"]} */
function needs(action) {
  return ({ Id = "*" }, situation) => {
    return [{ action: `cloudfront:${action}`, resource: arn(situation, "cloudfront", `origin-access-control/${Id}`) }];
  };
}

/** @param {Value} given @param {string | undefined} id that may have the name already. @param {Situation} situation */
function checkConfig(given, id, { state }) {
  const { Name, SigningProtocol, SigningBehavior, OriginAccessControlOriginType: type } = given;
  const valid =
    /^[\w-]{1,64}$/.test(Name) &&
    SigningProtocol === "sigv4" &&
    ["always", "never", "no-override"].includes(SigningBehavior) &&
    ["s3", "mediastore", "mediapackagev2", "lambda"].includes(type);
  if (!valid) throw new AwsError("InvalidArgument", "The parameter OriginAccessControlConfig is not valid.");
  const others = Object.entries(state.originAccessControls).filter(([other]) => other !== id);
  if (others.some(([, other]) => other.config.Name === Name)) {
    const message = "An origin access control with the specified parameters already exists.";
    throw new AwsError("OriginAccessControlAlreadyExists", message);
  }
}

/** @param {string} Id @param {OriginAccessControl} control */
const described = (Id, control) => ({ Id, OriginAccessControlConfig: control.config });

/** @type {Record<string, Operation>} */
export const cloudfrontAccess = {
  ListOriginAccessControls: {
    parameters: "",
    pages: ["OriginAccessControlList", "Items"],
    needs: () => [{ action: "cloudfront:ListOriginAccessControls", resource: "*" }],
    run: (_, { state }) => {
      const controls = Object.entries(state.originAccessControls);
      const Items = controls.map(([Id, { config: one }]) => ({ Id, Description: "", ...one }));
      return Items.length > 0 ? { OriginAccessControlList: { Items } } : {};
    },
  },
  CreateOriginAccessControl: {
    parameters: config,
    changes: true,
    needs: needs("CreateOriginAccessControl"),
    run: ({ OriginAccessControlConfig: given }, situation) => {
      checkConfig(given, undefined, situation);
      const id = idOf("E", `origin access control ${given.Name}`, 14);
      const control = { config: given, version: 1 };
      situation.state.originAccessControls[id] = control;
      const Location = `https://cloudfront.amazonaws.com/2020-05-31/origin-access-control/${id}`;
      return { Location, ETag: etag(id, 1), OriginAccessControl: described(id, control) };
    },
  },
  GetOriginAccessControl: {
    parameters: "Id!",
    needs: needs("GetOriginAccessControl"),
    run: (parameters, situation) => {
      const control = found(parameters, situation);
      return { ETag: etag(parameters.Id, control.version), OriginAccessControl: described(parameters.Id, control) };
    },
  },
  UpdateOriginAccessControl: {
    parameters: `${config}, Id!, IfMatch`,
    changes: true,
    needs: needs("UpdateOriginAccessControl"),
    run: (parameters, situation) => {
      const { Id, IfMatch, OriginAccessControlConfig: given } = parameters;
      const control = found(parameters, situation);
      checkMatch(IfMatch, etag(Id, control.version));
      checkConfig(given, Id, situation);
      control.config = given;
      control.version += 1;
      return { ETag: etag(Id, control.version), OriginAccessControl: described(Id, control) };
    },
  },
  DeleteOriginAccessControl: {
    parameters: "Id!, IfMatch",
    changes: true,
    needs: needs("DeleteOriginAccessControl"),
    run: (parameters, situation) => {
      const { Id, IfMatch } = parameters;
      const control = found(parameters, situation);
      checkMatch(IfMatch, etag(Id, control.version));
      const origins = Object.values(situation.state.distributions).flatMap(
        ({ config: one }) => one.Origins?.Items ?? [],
      );
      if (origins.some(({ OriginAccessControlId }) => OriginAccessControlId === Id)) {
        const message = "Cannot delete the origin access control because it's in use by one or more distributions.";
        throw new AwsError("OriginAccessControlInUse", message);
      }
      delete situation.state.originAccessControls[Id];
    },
  },
};
