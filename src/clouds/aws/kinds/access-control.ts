import { fieldsOf } from "../../fields.ts";

/** How CloudFront signs its requests to a bucket (CloudFront API reference, OriginAccessControlConfig). */
export type AccessControlConfig = {
  readonly Name: string;
  readonly Description: string;
  readonly OriginAccessControlOriginType: string;
  readonly SigningBehavior: string;
  readonly SigningProtocol: string;
};

export const accessControlFields = fieldsOf<AccessControlConfig>()({
  Name: {},
  Description: {},
  OriginAccessControlOriginType: {},
  SigningBehavior: {},
  SigningProtocol: {},
});
