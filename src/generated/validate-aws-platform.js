// Made from schemas/cluster-identity.schema.json by tools/generate.mjs. Do not edit.
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    function ucs2length(str) {
      let len = str.length, length = 0, pos = 0, value;
      for (; pos < len; )
        length++, value = str.charCodeAt(pos++), value >= 55296 && value <= 56319 && pos < len && (value = str.charCodeAt(pos), (value & 64512) === 56320 && pos++);
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// <stdin>
var validateAwsPlatform = validate10, schema11 = { type: "object", additionalProperties: !1, required: ["accountID"], properties: { accountID: { type: "string", pattern: "^[0-9]{12}$" }, region: { type: "string", pattern: "^[a-z0-9-]{1,32}$" }, partition: { type: "string", enum: ["aws", "aws-cn", "aws-us-gov", "aws-eusc", "aws-iso", "aws-iso-b", "aws-iso-e", "aws-iso-f"] }, identityProviderARN: { type: "string", minLength: 20, maxLength: 2048, pattern: "^arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:([0-9]{12}|aws)?:[!-~]+$" }, issuerHosting: { type: "object", additionalProperties: !1, properties: { type: { type: "string", enum: ["S3Public", "S3CloudFront", "External"] }, bucket: { type: "string" }, distributionDomain: { type: "string", pattern: "^[a-z0-9]+\\.cloudfront\\.(net|cn)$" }, domain: { type: "string", maxLength: 253, pattern: "^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\.)+[a-z]([-a-z0-9]{0,61}[a-z0-9])?$" }, certificateARN: { type: "string", minLength: 20, maxLength: 2048, pattern: "^arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:([0-9]{12}|aws)?:[!-~]+$" } } }, roles: { type: "object", additionalProperties: !1, properties: { path: { type: "string", maxLength: 512, pattern: "^/([!-.0-~]+/)*$" }, nameOverflow: { type: "string", enum: ["Truncate", "Hash", "Fail"] }, permissionsBoundaryARN: { type: "string", minLength: 20, maxLength: 2048, pattern: "^arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:([0-9]{12}|aws)?:[!-~]+$" }, maxSessionDuration: { type: "integer", minimum: 3600, maximum: 43200 }, requireAudience: { type: "boolean" } } }, thumbprints: { type: "array", maxItems: 5, uniqueItems: !0, items: { type: "string", pattern: "^[0-9a-fA-F]{40}$" } }, tags: { type: "object", additionalProperties: { type: "string" } }, includeRegionInSecret: { type: "boolean" }, overrides: { type: "object", propertyNames: { pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?/[a-z0-9]([-.a-z0-9]*[a-z0-9])?$" }, additionalProperties: { type: "object", additionalProperties: !1, minProperties: 1, properties: { roleName: { type: "string", pattern: "^[\\w+=,.@-]{1,64}$" }, managedPolicyARNs: { type: "array", maxItems: 20, uniqueItems: !0, items: { type: "string", minLength: 20, maxLength: 2048, pattern: "^arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:([0-9]{12}|aws)?:[!-~]+$" } } } } } }, $id: "https://cloudcredential.dev/schemas/v1alpha1/cluster-identity.schema.json/aws" }, func2 = Object.prototype.hasOwnProperty, func3 = require_ucs2length().default, pattern0 = new RegExp("^[0-9]{12}$", ""), pattern1 = new RegExp("^[a-z0-9-]{1,32}$", ""), pattern2 = new RegExp("^arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:([0-9]{12}|aws)?:[!-~]+$", ""), pattern3 = new RegExp("^[a-z0-9]+\\.cloudfront\\.(net|cn)$", ""), pattern4 = new RegExp("^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\.)+[a-z]([-a-z0-9]{0,61}[a-z0-9])?$", ""), pattern6 = new RegExp("^/([!-.0-~]+/)*$", ""), pattern8 = new RegExp("^[0-9a-fA-F]{40}$", ""), pattern9 = new RegExp("^[a-z0-9]([-a-z0-9]*[a-z0-9])?/[a-z0-9]([-.a-z0-9]*[a-z0-9])?$", ""), pattern10 = new RegExp("^[\\w+=,.@-]{1,64}$", "");
function validate10(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.accountID === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "accountID" } };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    for (let key0 in data)
      if (!func2.call(schema11.properties, key0)) {
        let err1 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    if (data.accountID !== void 0) {
      let data0 = data.accountID;
      if (typeof data0 == "string") {
        if (!pattern0.test(data0)) {
          let err2 = { instancePath: instancePath + "/accountID", schemaPath: "#/properties/accountID/pattern", keyword: "pattern", params: { pattern: "^[0-9]{12}$" } };
          vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
        }
      } else {
        let err3 = { instancePath: instancePath + "/accountID", schemaPath: "#/properties/accountID/type", keyword: "type", params: { type: "string" } };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.region !== void 0) {
      let data1 = data.region;
      if (typeof data1 == "string") {
        if (!pattern1.test(data1)) {
          let err4 = { instancePath: instancePath + "/region", schemaPath: "#/properties/region/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9-]{1,32}$" } };
          vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
        }
      } else {
        let err5 = { instancePath: instancePath + "/region", schemaPath: "#/properties/region/type", keyword: "type", params: { type: "string" } };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
    if (data.partition !== void 0) {
      let data2 = data.partition;
      if (typeof data2 != "string") {
        let err6 = { instancePath: instancePath + "/partition", schemaPath: "#/properties/partition/type", keyword: "type", params: { type: "string" } };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
      if (!(data2 === "aws" || data2 === "aws-cn" || data2 === "aws-us-gov" || data2 === "aws-eusc" || data2 === "aws-iso" || data2 === "aws-iso-b" || data2 === "aws-iso-e" || data2 === "aws-iso-f")) {
        let err7 = { instancePath: instancePath + "/partition", schemaPath: "#/properties/partition/enum", keyword: "enum", params: { allowedValues: schema11.properties.partition.enum } };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
    }
    if (data.identityProviderARN !== void 0) {
      let data3 = data.identityProviderARN;
      if (typeof data3 == "string") {
        if (func3(data3) > 2048) {
          let err8 = { instancePath: instancePath + "/identityProviderARN", schemaPath: "#/properties/identityProviderARN/maxLength", keyword: "maxLength", params: { limit: 2048 } };
          vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
        }
        if (func3(data3) < 20) {
          let err9 = { instancePath: instancePath + "/identityProviderARN", schemaPath: "#/properties/identityProviderARN/minLength", keyword: "minLength", params: { limit: 20 } };
          vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
        }
        if (!pattern2.test(data3)) {
          let err10 = { instancePath: instancePath + "/identityProviderARN", schemaPath: "#/properties/identityProviderARN/pattern", keyword: "pattern", params: { pattern: "^arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:([0-9]{12}|aws)?:[!-~]+$" } };
          vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
        }
      } else {
        let err11 = { instancePath: instancePath + "/identityProviderARN", schemaPath: "#/properties/identityProviderARN/type", keyword: "type", params: { type: "string" } };
        vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
      }
    }
    if (data.issuerHosting !== void 0) {
      let data4 = data.issuerHosting;
      if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
        for (let key1 in data4)
          if (!(key1 === "type" || key1 === "bucket" || key1 === "distributionDomain" || key1 === "domain" || key1 === "certificateARN")) {
            let err12 = { instancePath: instancePath + "/issuerHosting", schemaPath: "#/properties/issuerHosting/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 } };
            vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
          }
        if (data4.type !== void 0) {
          let data5 = data4.type;
          if (typeof data5 != "string") {
            let err13 = { instancePath: instancePath + "/issuerHosting/type", schemaPath: "#/properties/issuerHosting/properties/type/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
          }
          if (!(data5 === "S3Public" || data5 === "S3CloudFront" || data5 === "External")) {
            let err14 = { instancePath: instancePath + "/issuerHosting/type", schemaPath: "#/properties/issuerHosting/properties/type/enum", keyword: "enum", params: { allowedValues: schema11.properties.issuerHosting.properties.type.enum } };
            vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
          }
        }
        if (data4.bucket !== void 0 && typeof data4.bucket != "string") {
          let err15 = { instancePath: instancePath + "/issuerHosting/bucket", schemaPath: "#/properties/issuerHosting/properties/bucket/type", keyword: "type", params: { type: "string" } };
          vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
        }
        if (data4.distributionDomain !== void 0) {
          let data7 = data4.distributionDomain;
          if (typeof data7 == "string") {
            if (!pattern3.test(data7)) {
              let err16 = { instancePath: instancePath + "/issuerHosting/distributionDomain", schemaPath: "#/properties/issuerHosting/properties/distributionDomain/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]+\\.cloudfront\\.(net|cn)$" } };
              vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
            }
          } else {
            let err17 = { instancePath: instancePath + "/issuerHosting/distributionDomain", schemaPath: "#/properties/issuerHosting/properties/distributionDomain/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
          }
        }
        if (data4.domain !== void 0) {
          let data8 = data4.domain;
          if (typeof data8 == "string") {
            if (func3(data8) > 253) {
              let err18 = { instancePath: instancePath + "/issuerHosting/domain", schemaPath: "#/properties/issuerHosting/properties/domain/maxLength", keyword: "maxLength", params: { limit: 253 } };
              vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
            }
            if (!pattern4.test(data8)) {
              let err19 = { instancePath: instancePath + "/issuerHosting/domain", schemaPath: "#/properties/issuerHosting/properties/domain/pattern", keyword: "pattern", params: { pattern: "^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\.)+[a-z]([-a-z0-9]{0,61}[a-z0-9])?$" } };
              vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
            }
          } else {
            let err20 = { instancePath: instancePath + "/issuerHosting/domain", schemaPath: "#/properties/issuerHosting/properties/domain/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
          }
        }
        if (data4.certificateARN !== void 0) {
          let data9 = data4.certificateARN;
          if (typeof data9 == "string") {
            if (func3(data9) > 2048) {
              let err21 = { instancePath: instancePath + "/issuerHosting/certificateARN", schemaPath: "#/properties/issuerHosting/properties/certificateARN/maxLength", keyword: "maxLength", params: { limit: 2048 } };
              vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
            }
            if (func3(data9) < 20) {
              let err22 = { instancePath: instancePath + "/issuerHosting/certificateARN", schemaPath: "#/properties/issuerHosting/properties/certificateARN/minLength", keyword: "minLength", params: { limit: 20 } };
              vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
            }
            if (!pattern2.test(data9)) {
              let err23 = { instancePath: instancePath + "/issuerHosting/certificateARN", schemaPath: "#/properties/issuerHosting/properties/certificateARN/pattern", keyword: "pattern", params: { pattern: "^arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:([0-9]{12}|aws)?:[!-~]+$" } };
              vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
            }
          } else {
            let err24 = { instancePath: instancePath + "/issuerHosting/certificateARN", schemaPath: "#/properties/issuerHosting/properties/certificateARN/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
          }
        }
      } else {
        let err25 = { instancePath: instancePath + "/issuerHosting", schemaPath: "#/properties/issuerHosting/type", keyword: "type", params: { type: "object" } };
        vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
      }
    }
    if (data.roles !== void 0) {
      let data10 = data.roles;
      if (data10 && typeof data10 == "object" && !Array.isArray(data10)) {
        for (let key2 in data10)
          if (!(key2 === "path" || key2 === "nameOverflow" || key2 === "permissionsBoundaryARN" || key2 === "maxSessionDuration" || key2 === "requireAudience")) {
            let err26 = { instancePath: instancePath + "/roles", schemaPath: "#/properties/roles/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 } };
            vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
          }
        if (data10.path !== void 0) {
          let data11 = data10.path;
          if (typeof data11 == "string") {
            if (func3(data11) > 512) {
              let err27 = { instancePath: instancePath + "/roles/path", schemaPath: "#/properties/roles/properties/path/maxLength", keyword: "maxLength", params: { limit: 512 } };
              vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
            }
            if (!pattern6.test(data11)) {
              let err28 = { instancePath: instancePath + "/roles/path", schemaPath: "#/properties/roles/properties/path/pattern", keyword: "pattern", params: { pattern: "^/([!-.0-~]+/)*$" } };
              vErrors === null ? vErrors = [err28] : vErrors.push(err28), errors++;
            }
          } else {
            let err29 = { instancePath: instancePath + "/roles/path", schemaPath: "#/properties/roles/properties/path/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err29] : vErrors.push(err29), errors++;
          }
        }
        if (data10.nameOverflow !== void 0) {
          let data12 = data10.nameOverflow;
          if (typeof data12 != "string") {
            let err30 = { instancePath: instancePath + "/roles/nameOverflow", schemaPath: "#/properties/roles/properties/nameOverflow/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err30] : vErrors.push(err30), errors++;
          }
          if (!(data12 === "Truncate" || data12 === "Hash" || data12 === "Fail")) {
            let err31 = { instancePath: instancePath + "/roles/nameOverflow", schemaPath: "#/properties/roles/properties/nameOverflow/enum", keyword: "enum", params: { allowedValues: schema11.properties.roles.properties.nameOverflow.enum } };
            vErrors === null ? vErrors = [err31] : vErrors.push(err31), errors++;
          }
        }
        if (data10.permissionsBoundaryARN !== void 0) {
          let data13 = data10.permissionsBoundaryARN;
          if (typeof data13 == "string") {
            if (func3(data13) > 2048) {
              let err32 = { instancePath: instancePath + "/roles/permissionsBoundaryARN", schemaPath: "#/properties/roles/properties/permissionsBoundaryARN/maxLength", keyword: "maxLength", params: { limit: 2048 } };
              vErrors === null ? vErrors = [err32] : vErrors.push(err32), errors++;
            }
            if (func3(data13) < 20) {
              let err33 = { instancePath: instancePath + "/roles/permissionsBoundaryARN", schemaPath: "#/properties/roles/properties/permissionsBoundaryARN/minLength", keyword: "minLength", params: { limit: 20 } };
              vErrors === null ? vErrors = [err33] : vErrors.push(err33), errors++;
            }
            if (!pattern2.test(data13)) {
              let err34 = { instancePath: instancePath + "/roles/permissionsBoundaryARN", schemaPath: "#/properties/roles/properties/permissionsBoundaryARN/pattern", keyword: "pattern", params: { pattern: "^arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:([0-9]{12}|aws)?:[!-~]+$" } };
              vErrors === null ? vErrors = [err34] : vErrors.push(err34), errors++;
            }
          } else {
            let err35 = { instancePath: instancePath + "/roles/permissionsBoundaryARN", schemaPath: "#/properties/roles/properties/permissionsBoundaryARN/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err35] : vErrors.push(err35), errors++;
          }
        }
        if (data10.maxSessionDuration !== void 0) {
          let data14 = data10.maxSessionDuration;
          if (!(typeof data14 == "number" && !(data14 % 1) && !isNaN(data14) && isFinite(data14))) {
            let err36 = { instancePath: instancePath + "/roles/maxSessionDuration", schemaPath: "#/properties/roles/properties/maxSessionDuration/type", keyword: "type", params: { type: "integer" } };
            vErrors === null ? vErrors = [err36] : vErrors.push(err36), errors++;
          }
          if (typeof data14 == "number" && isFinite(data14)) {
            if (data14 > 43200 || isNaN(data14)) {
              let err37 = { instancePath: instancePath + "/roles/maxSessionDuration", schemaPath: "#/properties/roles/properties/maxSessionDuration/maximum", keyword: "maximum", params: { comparison: "<=", limit: 43200 } };
              vErrors === null ? vErrors = [err37] : vErrors.push(err37), errors++;
            }
            if (data14 < 3600 || isNaN(data14)) {
              let err38 = { instancePath: instancePath + "/roles/maxSessionDuration", schemaPath: "#/properties/roles/properties/maxSessionDuration/minimum", keyword: "minimum", params: { comparison: ">=", limit: 3600 } };
              vErrors === null ? vErrors = [err38] : vErrors.push(err38), errors++;
            }
          }
        }
        if (data10.requireAudience !== void 0 && typeof data10.requireAudience != "boolean") {
          let err39 = { instancePath: instancePath + "/roles/requireAudience", schemaPath: "#/properties/roles/properties/requireAudience/type", keyword: "type", params: { type: "boolean" } };
          vErrors === null ? vErrors = [err39] : vErrors.push(err39), errors++;
        }
      } else {
        let err40 = { instancePath: instancePath + "/roles", schemaPath: "#/properties/roles/type", keyword: "type", params: { type: "object" } };
        vErrors === null ? vErrors = [err40] : vErrors.push(err40), errors++;
      }
    }
    if (data.thumbprints !== void 0) {
      let data16 = data.thumbprints;
      if (Array.isArray(data16)) {
        if (data16.length > 5) {
          let err41 = { instancePath: instancePath + "/thumbprints", schemaPath: "#/properties/thumbprints/maxItems", keyword: "maxItems", params: { limit: 5 } };
          vErrors === null ? vErrors = [err41] : vErrors.push(err41), errors++;
        }
        let len0 = data16.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data17 = data16[i0];
          if (typeof data17 == "string") {
            if (!pattern8.test(data17)) {
              let err42 = { instancePath: instancePath + "/thumbprints/" + i0, schemaPath: "#/properties/thumbprints/items/pattern", keyword: "pattern", params: { pattern: "^[0-9a-fA-F]{40}$" } };
              vErrors === null ? vErrors = [err42] : vErrors.push(err42), errors++;
            }
          } else {
            let err43 = { instancePath: instancePath + "/thumbprints/" + i0, schemaPath: "#/properties/thumbprints/items/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err43] : vErrors.push(err43), errors++;
          }
        }
        let i1 = data16.length, j0;
        if (i1 > 1) {
          let indices0 = {};
          for (; i1--; ) {
            let item0 = data16[i1];
            if (typeof item0 == "string") {
              if (typeof indices0[item0] == "number") {
                j0 = indices0[item0];
                let err44 = { instancePath: instancePath + "/thumbprints", schemaPath: "#/properties/thumbprints/uniqueItems", keyword: "uniqueItems", params: { i: i1, j: j0 } };
                vErrors === null ? vErrors = [err44] : vErrors.push(err44), errors++;
                break;
              }
              indices0[item0] = i1;
            }
          }
        }
      } else {
        let err45 = { instancePath: instancePath + "/thumbprints", schemaPath: "#/properties/thumbprints/type", keyword: "type", params: { type: "array" } };
        vErrors === null ? vErrors = [err45] : vErrors.push(err45), errors++;
      }
    }
    if (data.tags !== void 0) {
      let data18 = data.tags;
      if (data18 && typeof data18 == "object" && !Array.isArray(data18)) {
        for (let key3 in data18)
          if (typeof data18[key3] != "string") {
            let err46 = { instancePath: instancePath + "/tags/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/tags/additionalProperties/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err46] : vErrors.push(err46), errors++;
          }
      } else {
        let err47 = { instancePath: instancePath + "/tags", schemaPath: "#/properties/tags/type", keyword: "type", params: { type: "object" } };
        vErrors === null ? vErrors = [err47] : vErrors.push(err47), errors++;
      }
    }
    if (data.includeRegionInSecret !== void 0 && typeof data.includeRegionInSecret != "boolean") {
      let err48 = { instancePath: instancePath + "/includeRegionInSecret", schemaPath: "#/properties/includeRegionInSecret/type", keyword: "type", params: { type: "boolean" } };
      vErrors === null ? vErrors = [err48] : vErrors.push(err48), errors++;
    }
    if (data.overrides !== void 0) {
      let data21 = data.overrides;
      if (data21 && typeof data21 == "object" && !Array.isArray(data21)) {
        for (let key4 in data21) {
          let _errs49 = errors;
          if (typeof key4 == "string" && !pattern9.test(key4)) {
            let err49 = { instancePath: instancePath + "/overrides", schemaPath: "#/properties/overrides/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?/[a-z0-9]([-.a-z0-9]*[a-z0-9])?$" }, propertyName: key4 };
            vErrors === null ? vErrors = [err49] : vErrors.push(err49), errors++;
          }
          var valid7 = _errs49 === errors;
          if (!valid7) {
            let err50 = { instancePath: instancePath + "/overrides", schemaPath: "#/properties/overrides/propertyNames", keyword: "propertyNames", params: { propertyName: key4 } };
            vErrors === null ? vErrors = [err50] : vErrors.push(err50), errors++;
          }
        }
        for (let key5 in data21) {
          let data22 = data21[key5];
          if (data22 && typeof data22 == "object" && !Array.isArray(data22)) {
            if (Object.keys(data22).length < 1) {
              let err51 = { instancePath: instancePath + "/overrides/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/overrides/additionalProperties/minProperties", keyword: "minProperties", params: { limit: 1 } };
              vErrors === null ? vErrors = [err51] : vErrors.push(err51), errors++;
            }
            for (let key6 in data22)
              if (!(key6 === "roleName" || key6 === "managedPolicyARNs")) {
                let err52 = { instancePath: instancePath + "/overrides/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/overrides/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 } };
                vErrors === null ? vErrors = [err52] : vErrors.push(err52), errors++;
              }
            if (data22.roleName !== void 0) {
              let data23 = data22.roleName;
              if (typeof data23 == "string") {
                if (!pattern10.test(data23)) {
                  let err53 = { instancePath: instancePath + "/overrides/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/roleName", schemaPath: "#/properties/overrides/additionalProperties/properties/roleName/pattern", keyword: "pattern", params: { pattern: "^[\\w+=,.@-]{1,64}$" } };
                  vErrors === null ? vErrors = [err53] : vErrors.push(err53), errors++;
                }
              } else {
                let err54 = { instancePath: instancePath + "/overrides/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/roleName", schemaPath: "#/properties/overrides/additionalProperties/properties/roleName/type", keyword: "type", params: { type: "string" } };
                vErrors === null ? vErrors = [err54] : vErrors.push(err54), errors++;
              }
            }
            if (data22.managedPolicyARNs !== void 0) {
              let data24 = data22.managedPolicyARNs;
              if (Array.isArray(data24)) {
                if (data24.length > 20) {
                  let err55 = { instancePath: instancePath + "/overrides/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/managedPolicyARNs", schemaPath: "#/properties/overrides/additionalProperties/properties/managedPolicyARNs/maxItems", keyword: "maxItems", params: { limit: 20 } };
                  vErrors === null ? vErrors = [err55] : vErrors.push(err55), errors++;
                }
                let len1 = data24.length;
                for (let i2 = 0; i2 < len1; i2++) {
                  let data25 = data24[i2];
                  if (typeof data25 == "string") {
                    if (func3(data25) > 2048) {
                      let err56 = { instancePath: instancePath + "/overrides/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/managedPolicyARNs/" + i2, schemaPath: "#/properties/overrides/additionalProperties/properties/managedPolicyARNs/items/maxLength", keyword: "maxLength", params: { limit: 2048 } };
                      vErrors === null ? vErrors = [err56] : vErrors.push(err56), errors++;
                    }
                    if (func3(data25) < 20) {
                      let err57 = { instancePath: instancePath + "/overrides/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/managedPolicyARNs/" + i2, schemaPath: "#/properties/overrides/additionalProperties/properties/managedPolicyARNs/items/minLength", keyword: "minLength", params: { limit: 20 } };
                      vErrors === null ? vErrors = [err57] : vErrors.push(err57), errors++;
                    }
                    if (!pattern2.test(data25)) {
                      let err58 = { instancePath: instancePath + "/overrides/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/managedPolicyARNs/" + i2, schemaPath: "#/properties/overrides/additionalProperties/properties/managedPolicyARNs/items/pattern", keyword: "pattern", params: { pattern: "^arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:([0-9]{12}|aws)?:[!-~]+$" } };
                      vErrors === null ? vErrors = [err58] : vErrors.push(err58), errors++;
                    }
                  } else {
                    let err59 = { instancePath: instancePath + "/overrides/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/managedPolicyARNs/" + i2, schemaPath: "#/properties/overrides/additionalProperties/properties/managedPolicyARNs/items/type", keyword: "type", params: { type: "string" } };
                    vErrors === null ? vErrors = [err59] : vErrors.push(err59), errors++;
                  }
                }
                let i3 = data24.length, j1;
                if (i3 > 1) {
                  let indices1 = {};
                  for (; i3--; ) {
                    let item1 = data24[i3];
                    if (typeof item1 == "string") {
                      if (typeof indices1[item1] == "number") {
                        j1 = indices1[item1];
                        let err60 = { instancePath: instancePath + "/overrides/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/managedPolicyARNs", schemaPath: "#/properties/overrides/additionalProperties/properties/managedPolicyARNs/uniqueItems", keyword: "uniqueItems", params: { i: i3, j: j1 } };
                        vErrors === null ? vErrors = [err60] : vErrors.push(err60), errors++;
                        break;
                      }
                      indices1[item1] = i3;
                    }
                  }
                }
              } else {
                let err61 = { instancePath: instancePath + "/overrides/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/managedPolicyARNs", schemaPath: "#/properties/overrides/additionalProperties/properties/managedPolicyARNs/type", keyword: "type", params: { type: "array" } };
                vErrors === null ? vErrors = [err61] : vErrors.push(err61), errors++;
              }
            }
          } else {
            let err62 = { instancePath: instancePath + "/overrides/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/overrides/additionalProperties/type", keyword: "type", params: { type: "object" } };
            vErrors === null ? vErrors = [err62] : vErrors.push(err62), errors++;
          }
        }
      } else {
        let err63 = { instancePath: instancePath + "/overrides", schemaPath: "#/properties/overrides/type", keyword: "type", params: { type: "object" } };
        vErrors === null ? vErrors = [err63] : vErrors.push(err63), errors++;
      }
    }
  } else {
    let err64 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err64] : vErrors.push(err64), errors++;
  }
  return validate10.errors = vErrors, errors === 0;
}
export {
  validateAwsPlatform
};
export const awsPlatformWords = () => ({
  "musts": {
    "#/properties/accountID": "must be 12 digits in quotes",
    "#/properties/region": "must be an AWS region, such as 'us-east-2'",
    "#/properties/identityProviderARN": "must be an ARN of 20 to 2048 characters",
    "#/properties/issuerHosting/properties/distributionDomain": "must be the domain that CloudFront gave, such as 'd111111abcdef8.cloudfront.net'",
    "#/properties/issuerHosting/properties/domain": "must be a domain name in lower case, such as 'oidc.example.com'",
    "#/properties/issuerHosting/properties/certificateARN": "must be an ARN of 20 to 2048 characters",
    "#/properties/roles/properties/path": "must begin and end with '/', at most 512 printable characters",
    "#/properties/roles/properties/permissionsBoundaryARN": "must be an ARN of 20 to 2048 characters",
    "#/properties/roles/properties/maxSessionDuration": "must be 3600 to 43200 seconds",
    "#/properties/thumbprints": "must hold at most 5 different thumbprints",
    "#/properties/thumbprints/items": "must be 40 hexadecimal digits",
    "#/properties/overrides/propertyNames": "must be <secret namespace>/<secret name>",
    "#/properties/overrides/additionalProperties": "must hold at least one field",
    "#/properties/overrides/additionalProperties/properties/roleName": "must be 1 to 64 letters, digits or characters of '+=,.@-_'",
    "#/properties/overrides/additionalProperties/properties/managedPolicyARNs": "must hold at most 20 different ARNs",
    "#/properties/overrides/additionalProperties/properties/managedPolicyARNs/items": "must be an ARN of 20 to 2048 characters"
  },
  "knownFields": {
    "#": [
      "accountID",
      "region",
      "partition",
      "identityProviderARN",
      "issuerHosting",
      "roles",
      "thumbprints",
      "tags",
      "includeRegionInSecret",
      "overrides"
    ],
    "#/properties/issuerHosting": [
      "type",
      "bucket",
      "distributionDomain",
      "domain",
      "certificateARN"
    ],
    "#/properties/roles": [
      "path",
      "nameOverflow",
      "permissionsBoundaryARN",
      "maxSessionDuration",
      "requireAudience"
    ],
    "#/properties/overrides/additionalProperties": [
      "roleName",
      "managedPolicyARNs"
    ]
  }
});
