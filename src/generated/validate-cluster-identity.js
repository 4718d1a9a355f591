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
var validateClusterIdentity = validate10, schema11 = { $schema: "http://json-schema.org/draft-07/schema#", $id: "https://cloudcredential.dev/schemas/v1alpha1/cluster-identity.schema.json", type: "object", additionalProperties: !1, required: ["apiVersion", "kind", "metadata", "spec"], properties: { apiVersion: { const: "fn.cloudcredential.dev/v1alpha1" }, kind: { const: "ClusterIdentity" }, metadata: { type: "object", required: ["name"], properties: { name: { type: "string", maxLength: 63, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" }, annotations: { type: "object", additionalProperties: !0 }, labels: { type: "object", additionalProperties: !0 } }, additionalProperties: !0 }, spec: { type: "object", additionalProperties: !1, required: ["platform"], properties: { resourcePrefix: { type: "string", maxLength: 63, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" }, release: { type: "object", additionalProperties: !1, properties: { version: { type: "string", pattern: "^[0-9]{1,3}\\.[0-9]{1,4}$" }, profile: { type: "string", pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" }, excludeIdentifier: { type: "string", pattern: "^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$" }, featureSet: { type: "string", enum: ["Default", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade", "OKD"] }, featureGates: { type: "array", items: { type: "string", pattern: "^-?[A-Za-z0-9][-A-Za-z0-9_.]*$" } }, capabilities: { type: "array", items: { type: "string", pattern: "^[A-Za-z0-9][-A-Za-z0-9_.]*$" } } } }, issuer: { type: "object", additionalProperties: !1, properties: { url: { type: "string", maxLength: 255, pattern: "^https://[a-z0-9]([-.a-z0-9]*[a-z0-9])?(/[A-Za-z0-9._~/-]*[A-Za-z0-9._~-])?$" }, previous: { type: "array", items: { type: "string", maxLength: 255, pattern: "^https://[a-z0-9]([-.a-z0-9]*[a-z0-9])?(/[A-Za-z0-9._~/-]*[A-Za-z0-9._~-])?$" } }, audiences: { type: "array", minItems: 1, maxItems: 100, uniqueItems: !0, items: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" } }, signingKeys: { type: "array", minItems: 1, items: { type: "object", additionalProperties: !1, minProperties: 1, maxProperties: 1, properties: { publicKey: { type: "string" }, from: { type: "object", additionalProperties: !1, required: ["configMapKeyRef"], properties: { configMapKeyRef: { type: "object", additionalProperties: !1, required: ["name", "key"], properties: { name: { type: "string", minLength: 1 }, namespace: { type: "string" }, key: { type: "string", minLength: 1 } } } } } } } } } }, tokenPath: { type: "string", maxLength: 4096, pattern: "^/(?!.*(?:[\\udb40-\\udb43]|\\ud804[\\udcbd\\udccd]|\\ud80d[\\udc30-\\udc3f]|\\ud82f[\\udca0-\\udca3]|\\ud834[\\udd73-\\udd7a]))(?:[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890-\\u0891\\u08e2\\u115f-\\u1160\\u17b4-\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe-\\uffff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$" }, secret: { type: "object", additionalProperties: !1, properties: { encoding: { type: "string", enum: ["stringData", "data"] } } }, operators: { type: "object", additionalProperties: !1, properties: { installPlanApproval: { type: "string", enum: ["Manual", "Automatic"] }, emitSecrets: { type: "boolean" } } }, overrides: { type: "object", propertyNames: { pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?/[a-z0-9]([-.a-z0-9]*[a-z0-9])?$" }, additionalProperties: { type: "object", additionalProperties: !1, minProperties: 1, properties: { skip: { type: "boolean" }, serviceAccountNames: { type: "array", minItems: 1, uniqueItems: !0, items: { type: "string", maxLength: 317, pattern: "^([a-z0-9]([-a-z0-9]*[a-z0-9])?/)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$" } } } } }, accept: { type: "array", items: { type: "object", additionalProperties: !1, required: ["rule", "object", "reason"], properties: { rule: { type: "string", minLength: 1, maxLength: 100 }, object: { type: "string", maxLength: 384, pattern: "^([a-z0-9][-.a-z0-9]*/[a-z0-9][-.a-z0-9]*|[A-Z][A-Za-z0-9]*(/[a-z0-9][-.:a-z0-9]*){1,2})$" }, reason: { type: "string", minLength: 1, maxLength: 1024 }, until: { type: "string", pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$" } } } }, platform: { type: "object", minProperties: 1, maxProperties: 1 } } } } }, func2 = require_ucs2length().default, func3 = Object.prototype.hasOwnProperty, pattern0 = new RegExp("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", ""), pattern2 = new RegExp("^[0-9]{1,3}\\.[0-9]{1,4}$", ""), pattern4 = new RegExp("^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$", ""), pattern5 = new RegExp("^-?[A-Za-z0-9][-A-Za-z0-9_.]*$", ""), pattern6 = new RegExp("^[A-Za-z0-9][-A-Za-z0-9_.]*$", ""), pattern7 = new RegExp("^https://[a-z0-9]([-.a-z0-9]*[a-z0-9])?(/[A-Za-z0-9._~/-]*[A-Za-z0-9._~-])?$", ""), pattern9 = new RegExp("^[!-~]+$", ""), pattern10 = new RegExp("^/(?!.*(?:[\\udb40-\\udb43]|\\ud804[\\udcbd\\udccd]|\\ud80d[\\udc30-\\udc3f]|\\ud82f[\\udca0-\\udca3]|\\ud834[\\udd73-\\udd7a]))(?:[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890-\\u0891\\u08e2\\u115f-\\u1160\\u17b4-\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe-\\uffff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$", ""), pattern11 = new RegExp("^[a-z0-9]([-a-z0-9]*[a-z0-9])?/[a-z0-9]([-.a-z0-9]*[a-z0-9])?$", ""), pattern12 = new RegExp("^([a-z0-9]([-a-z0-9]*[a-z0-9])?/)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", ""), pattern13 = new RegExp("^([a-z0-9][-.a-z0-9]*/[a-z0-9][-.a-z0-9]*|[A-Z][A-Za-z0-9]*(/[a-z0-9][-.:a-z0-9]*){1,2})$", ""), pattern14 = new RegExp("^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$", "");
function validate10(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.apiVersion === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "apiVersion" } };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.kind === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "kind" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.metadata === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "metadata" } };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.spec === void 0) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "spec" } };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    for (let key0 in data)
      if (!(key0 === "apiVersion" || key0 === "kind" || key0 === "metadata" || key0 === "spec")) {
        let err4 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    if (data.apiVersion !== void 0 && data.apiVersion !== "fn.cloudcredential.dev/v1alpha1") {
      let err5 = { instancePath: instancePath + "/apiVersion", schemaPath: "#/properties/apiVersion/const", keyword: "const", params: { allowedValue: "fn.cloudcredential.dev/v1alpha1" } };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
    if (data.kind !== void 0 && data.kind !== "ClusterIdentity") {
      let err6 = { instancePath: instancePath + "/kind", schemaPath: "#/properties/kind/const", keyword: "const", params: { allowedValue: "ClusterIdentity" } };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    if (data.metadata !== void 0) {
      let data2 = data.metadata;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.name === void 0) {
          let err7 = { instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/required", keyword: "required", params: { missingProperty: "name" } };
          vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
        }
        if (data2.name !== void 0) {
          let data3 = data2.name;
          if (typeof data3 == "string") {
            if (func2(data3) > 63) {
              let err8 = { instancePath: instancePath + "/metadata/name", schemaPath: "#/properties/metadata/properties/name/maxLength", keyword: "maxLength", params: { limit: 63 } };
              vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
            }
            if (!pattern0.test(data3)) {
              let err9 = { instancePath: instancePath + "/metadata/name", schemaPath: "#/properties/metadata/properties/name/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" } };
              vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
            }
          } else {
            let err10 = { instancePath: instancePath + "/metadata/name", schemaPath: "#/properties/metadata/properties/name/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
          }
        }
        if (data2.annotations !== void 0) {
          let data4 = data2.annotations;
          if (!(data4 && typeof data4 == "object" && !Array.isArray(data4))) {
            let err11 = { instancePath: instancePath + "/metadata/annotations", schemaPath: "#/properties/metadata/properties/annotations/type", keyword: "type", params: { type: "object" } };
            vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
          }
        }
        if (data2.labels !== void 0) {
          let data5 = data2.labels;
          if (!(data5 && typeof data5 == "object" && !Array.isArray(data5))) {
            let err12 = { instancePath: instancePath + "/metadata/labels", schemaPath: "#/properties/metadata/properties/labels/type", keyword: "type", params: { type: "object" } };
            vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
          }
        }
      } else {
        let err13 = { instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: "object" } };
        vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
      }
    }
    if (data.spec !== void 0) {
      let data6 = data.spec;
      if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
        if (data6.platform === void 0) {
          let err14 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/required", keyword: "required", params: { missingProperty: "platform" } };
          vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
        }
        for (let key1 in data6)
          if (!func3.call(schema11.properties.spec.properties, key1)) {
            let err15 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 } };
            vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
          }
        if (data6.resourcePrefix !== void 0) {
          let data7 = data6.resourcePrefix;
          if (typeof data7 == "string") {
            if (func2(data7) > 63) {
              let err16 = { instancePath: instancePath + "/spec/resourcePrefix", schemaPath: "#/properties/spec/properties/resourcePrefix/maxLength", keyword: "maxLength", params: { limit: 63 } };
              vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
            }
            if (!pattern0.test(data7)) {
              let err17 = { instancePath: instancePath + "/spec/resourcePrefix", schemaPath: "#/properties/spec/properties/resourcePrefix/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" } };
              vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
            }
          } else {
            let err18 = { instancePath: instancePath + "/spec/resourcePrefix", schemaPath: "#/properties/spec/properties/resourcePrefix/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
          }
        }
        if (data6.release !== void 0) {
          let data8 = data6.release;
          if (data8 && typeof data8 == "object" && !Array.isArray(data8)) {
            for (let key2 in data8)
              if (!(key2 === "version" || key2 === "profile" || key2 === "excludeIdentifier" || key2 === "featureSet" || key2 === "featureGates" || key2 === "capabilities")) {
                let err19 = { instancePath: instancePath + "/spec/release", schemaPath: "#/properties/spec/properties/release/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 } };
                vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
              }
            if (data8.version !== void 0) {
              let data9 = data8.version;
              if (typeof data9 == "string") {
                if (!pattern2.test(data9)) {
                  let err20 = { instancePath: instancePath + "/spec/release/version", schemaPath: "#/properties/spec/properties/release/properties/version/pattern", keyword: "pattern", params: { pattern: "^[0-9]{1,3}\\.[0-9]{1,4}$" } };
                  vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
                }
              } else {
                let err21 = { instancePath: instancePath + "/spec/release/version", schemaPath: "#/properties/spec/properties/release/properties/version/type", keyword: "type", params: { type: "string" } };
                vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
              }
            }
            if (data8.profile !== void 0) {
              let data10 = data8.profile;
              if (typeof data10 == "string") {
                if (!pattern0.test(data10)) {
                  let err22 = { instancePath: instancePath + "/spec/release/profile", schemaPath: "#/properties/spec/properties/release/properties/profile/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" } };
                  vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
                }
              } else {
                let err23 = { instancePath: instancePath + "/spec/release/profile", schemaPath: "#/properties/spec/properties/release/properties/profile/type", keyword: "type", params: { type: "string" } };
                vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
              }
            }
            if (data8.excludeIdentifier !== void 0) {
              let data11 = data8.excludeIdentifier;
              if (typeof data11 == "string") {
                if (!pattern4.test(data11)) {
                  let err24 = { instancePath: instancePath + "/spec/release/excludeIdentifier", schemaPath: "#/properties/spec/properties/release/properties/excludeIdentifier/pattern", keyword: "pattern", params: { pattern: "^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$" } };
                  vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
                }
              } else {
                let err25 = { instancePath: instancePath + "/spec/release/excludeIdentifier", schemaPath: "#/properties/spec/properties/release/properties/excludeIdentifier/type", keyword: "type", params: { type: "string" } };
                vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
              }
            }
            if (data8.featureSet !== void 0) {
              let data12 = data8.featureSet;
              if (typeof data12 != "string") {
                let err26 = { instancePath: instancePath + "/spec/release/featureSet", schemaPath: "#/properties/spec/properties/release/properties/featureSet/type", keyword: "type", params: { type: "string" } };
                vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
              }
              if (!(data12 === "Default" || data12 === "TechPreviewNoUpgrade" || data12 === "DevPreviewNoUpgrade" || data12 === "CustomNoUpgrade" || data12 === "OKD")) {
                let err27 = { instancePath: instancePath + "/spec/release/featureSet", schemaPath: "#/properties/spec/properties/release/properties/featureSet/enum", keyword: "enum", params: { allowedValues: schema11.properties.spec.properties.release.properties.featureSet.enum } };
                vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
              }
            }
            if (data8.featureGates !== void 0) {
              let data13 = data8.featureGates;
              if (Array.isArray(data13)) {
                let len0 = data13.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  let data14 = data13[i0];
                  if (typeof data14 == "string") {
                    if (!pattern5.test(data14)) {
                      let err28 = { instancePath: instancePath + "/spec/release/featureGates/" + i0, schemaPath: "#/properties/spec/properties/release/properties/featureGates/items/pattern", keyword: "pattern", params: { pattern: "^-?[A-Za-z0-9][-A-Za-z0-9_.]*$" } };
                      vErrors === null ? vErrors = [err28] : vErrors.push(err28), errors++;
                    }
                  } else {
                    let err29 = { instancePath: instancePath + "/spec/release/featureGates/" + i0, schemaPath: "#/properties/spec/properties/release/properties/featureGates/items/type", keyword: "type", params: { type: "string" } };
                    vErrors === null ? vErrors = [err29] : vErrors.push(err29), errors++;
                  }
                }
              } else {
                let err30 = { instancePath: instancePath + "/spec/release/featureGates", schemaPath: "#/properties/spec/properties/release/properties/featureGates/type", keyword: "type", params: { type: "array" } };
                vErrors === null ? vErrors = [err30] : vErrors.push(err30), errors++;
              }
            }
            if (data8.capabilities !== void 0) {
              let data15 = data8.capabilities;
              if (Array.isArray(data15)) {
                let len1 = data15.length;
                for (let i1 = 0; i1 < len1; i1++) {
                  let data16 = data15[i1];
                  if (typeof data16 == "string") {
                    if (!pattern6.test(data16)) {
                      let err31 = { instancePath: instancePath + "/spec/release/capabilities/" + i1, schemaPath: "#/properties/spec/properties/release/properties/capabilities/items/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9][-A-Za-z0-9_.]*$" } };
                      vErrors === null ? vErrors = [err31] : vErrors.push(err31), errors++;
                    }
                  } else {
                    let err32 = { instancePath: instancePath + "/spec/release/capabilities/" + i1, schemaPath: "#/properties/spec/properties/release/properties/capabilities/items/type", keyword: "type", params: { type: "string" } };
                    vErrors === null ? vErrors = [err32] : vErrors.push(err32), errors++;
                  }
                }
              } else {
                let err33 = { instancePath: instancePath + "/spec/release/capabilities", schemaPath: "#/properties/spec/properties/release/properties/capabilities/type", keyword: "type", params: { type: "array" } };
                vErrors === null ? vErrors = [err33] : vErrors.push(err33), errors++;
              }
            }
          } else {
            let err34 = { instancePath: instancePath + "/spec/release", schemaPath: "#/properties/spec/properties/release/type", keyword: "type", params: { type: "object" } };
            vErrors === null ? vErrors = [err34] : vErrors.push(err34), errors++;
          }
        }
        if (data6.issuer !== void 0) {
          let data17 = data6.issuer;
          if (data17 && typeof data17 == "object" && !Array.isArray(data17)) {
            for (let key3 in data17)
              if (!(key3 === "url" || key3 === "previous" || key3 === "audiences" || key3 === "signingKeys")) {
                let err35 = { instancePath: instancePath + "/spec/issuer", schemaPath: "#/properties/spec/properties/issuer/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 } };
                vErrors === null ? vErrors = [err35] : vErrors.push(err35), errors++;
              }
            if (data17.url !== void 0) {
              let data18 = data17.url;
              if (typeof data18 == "string") {
                if (func2(data18) > 255) {
                  let err36 = { instancePath: instancePath + "/spec/issuer/url", schemaPath: "#/properties/spec/properties/issuer/properties/url/maxLength", keyword: "maxLength", params: { limit: 255 } };
                  vErrors === null ? vErrors = [err36] : vErrors.push(err36), errors++;
                }
                if (!pattern7.test(data18)) {
                  let err37 = { instancePath: instancePath + "/spec/issuer/url", schemaPath: "#/properties/spec/properties/issuer/properties/url/pattern", keyword: "pattern", params: { pattern: "^https://[a-z0-9]([-.a-z0-9]*[a-z0-9])?(/[A-Za-z0-9._~/-]*[A-Za-z0-9._~-])?$" } };
                  vErrors === null ? vErrors = [err37] : vErrors.push(err37), errors++;
                }
              } else {
                let err38 = { instancePath: instancePath + "/spec/issuer/url", schemaPath: "#/properties/spec/properties/issuer/properties/url/type", keyword: "type", params: { type: "string" } };
                vErrors === null ? vErrors = [err38] : vErrors.push(err38), errors++;
              }
            }
            if (data17.previous !== void 0) {
              let data19 = data17.previous;
              if (Array.isArray(data19)) {
                let len2 = data19.length;
                for (let i2 = 0; i2 < len2; i2++) {
                  let data20 = data19[i2];
                  if (typeof data20 == "string") {
                    if (func2(data20) > 255) {
                      let err39 = { instancePath: instancePath + "/spec/issuer/previous/" + i2, schemaPath: "#/properties/spec/properties/issuer/properties/previous/items/maxLength", keyword: "maxLength", params: { limit: 255 } };
                      vErrors === null ? vErrors = [err39] : vErrors.push(err39), errors++;
                    }
                    if (!pattern7.test(data20)) {
                      let err40 = { instancePath: instancePath + "/spec/issuer/previous/" + i2, schemaPath: "#/properties/spec/properties/issuer/properties/previous/items/pattern", keyword: "pattern", params: { pattern: "^https://[a-z0-9]([-.a-z0-9]*[a-z0-9])?(/[A-Za-z0-9._~/-]*[A-Za-z0-9._~-])?$" } };
                      vErrors === null ? vErrors = [err40] : vErrors.push(err40), errors++;
                    }
                  } else {
                    let err41 = { instancePath: instancePath + "/spec/issuer/previous/" + i2, schemaPath: "#/properties/spec/properties/issuer/properties/previous/items/type", keyword: "type", params: { type: "string" } };
                    vErrors === null ? vErrors = [err41] : vErrors.push(err41), errors++;
                  }
                }
              } else {
                let err42 = { instancePath: instancePath + "/spec/issuer/previous", schemaPath: "#/properties/spec/properties/issuer/properties/previous/type", keyword: "type", params: { type: "array" } };
                vErrors === null ? vErrors = [err42] : vErrors.push(err42), errors++;
              }
            }
            if (data17.audiences !== void 0) {
              let data21 = data17.audiences;
              if (Array.isArray(data21)) {
                if (data21.length > 100) {
                  let err43 = { instancePath: instancePath + "/spec/issuer/audiences", schemaPath: "#/properties/spec/properties/issuer/properties/audiences/maxItems", keyword: "maxItems", params: { limit: 100 } };
                  vErrors === null ? vErrors = [err43] : vErrors.push(err43), errors++;
                }
                if (data21.length < 1) {
                  let err44 = { instancePath: instancePath + "/spec/issuer/audiences", schemaPath: "#/properties/spec/properties/issuer/properties/audiences/minItems", keyword: "minItems", params: { limit: 1 } };
                  vErrors === null ? vErrors = [err44] : vErrors.push(err44), errors++;
                }
                let len3 = data21.length;
                for (let i3 = 0; i3 < len3; i3++) {
                  let data22 = data21[i3];
                  if (typeof data22 == "string") {
                    if (func2(data22) > 255) {
                      let err45 = { instancePath: instancePath + "/spec/issuer/audiences/" + i3, schemaPath: "#/properties/spec/properties/issuer/properties/audiences/items/maxLength", keyword: "maxLength", params: { limit: 255 } };
                      vErrors === null ? vErrors = [err45] : vErrors.push(err45), errors++;
                    }
                    if (func2(data22) < 1) {
                      let err46 = { instancePath: instancePath + "/spec/issuer/audiences/" + i3, schemaPath: "#/properties/spec/properties/issuer/properties/audiences/items/minLength", keyword: "minLength", params: { limit: 1 } };
                      vErrors === null ? vErrors = [err46] : vErrors.push(err46), errors++;
                    }
                    if (!pattern9.test(data22)) {
                      let err47 = { instancePath: instancePath + "/spec/issuer/audiences/" + i3, schemaPath: "#/properties/spec/properties/issuer/properties/audiences/items/pattern", keyword: "pattern", params: { pattern: "^[!-~]+$" } };
                      vErrors === null ? vErrors = [err47] : vErrors.push(err47), errors++;
                    }
                  } else {
                    let err48 = { instancePath: instancePath + "/spec/issuer/audiences/" + i3, schemaPath: "#/properties/spec/properties/issuer/properties/audiences/items/type", keyword: "type", params: { type: "string" } };
                    vErrors === null ? vErrors = [err48] : vErrors.push(err48), errors++;
                  }
                }
                let i4 = data21.length, j0;
                if (i4 > 1) {
                  let indices0 = {};
                  for (; i4--; ) {
                    let item0 = data21[i4];
                    if (typeof item0 == "string") {
                      if (typeof indices0[item0] == "number") {
                        j0 = indices0[item0];
                        let err49 = { instancePath: instancePath + "/spec/issuer/audiences", schemaPath: "#/properties/spec/properties/issuer/properties/audiences/uniqueItems", keyword: "uniqueItems", params: { i: i4, j: j0 } };
                        vErrors === null ? vErrors = [err49] : vErrors.push(err49), errors++;
                        break;
                      }
                      indices0[item0] = i4;
                    }
                  }
                }
              } else {
                let err50 = { instancePath: instancePath + "/spec/issuer/audiences", schemaPath: "#/properties/spec/properties/issuer/properties/audiences/type", keyword: "type", params: { type: "array" } };
                vErrors === null ? vErrors = [err50] : vErrors.push(err50), errors++;
              }
            }
            if (data17.signingKeys !== void 0) {
              let data23 = data17.signingKeys;
              if (Array.isArray(data23)) {
                if (data23.length < 1) {
                  let err51 = { instancePath: instancePath + "/spec/issuer/signingKeys", schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/minItems", keyword: "minItems", params: { limit: 1 } };
                  vErrors === null ? vErrors = [err51] : vErrors.push(err51), errors++;
                }
                let len4 = data23.length;
                for (let i5 = 0; i5 < len4; i5++) {
                  let data24 = data23[i5];
                  if (data24 && typeof data24 == "object" && !Array.isArray(data24)) {
                    if (Object.keys(data24).length > 1) {
                      let err52 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5, schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/maxProperties", keyword: "maxProperties", params: { limit: 1 } };
                      vErrors === null ? vErrors = [err52] : vErrors.push(err52), errors++;
                    }
                    if (Object.keys(data24).length < 1) {
                      let err53 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5, schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/minProperties", keyword: "minProperties", params: { limit: 1 } };
                      vErrors === null ? vErrors = [err53] : vErrors.push(err53), errors++;
                    }
                    for (let key4 in data24)
                      if (!(key4 === "publicKey" || key4 === "from")) {
                        let err54 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5, schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 } };
                        vErrors === null ? vErrors = [err54] : vErrors.push(err54), errors++;
                      }
                    if (data24.publicKey !== void 0 && typeof data24.publicKey != "string") {
                      let err55 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5 + "/publicKey", schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/publicKey/type", keyword: "type", params: { type: "string" } };
                      vErrors === null ? vErrors = [err55] : vErrors.push(err55), errors++;
                    }
                    if (data24.from !== void 0) {
                      let data26 = data24.from;
                      if (data26 && typeof data26 == "object" && !Array.isArray(data26)) {
                        if (data26.configMapKeyRef === void 0) {
                          let err56 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5 + "/from", schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from/required", keyword: "required", params: { missingProperty: "configMapKeyRef" } };
                          vErrors === null ? vErrors = [err56] : vErrors.push(err56), errors++;
                        }
                        for (let key5 in data26)
                          if (key5 !== "configMapKeyRef") {
                            let err57 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5 + "/from", schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 } };
                            vErrors === null ? vErrors = [err57] : vErrors.push(err57), errors++;
                          }
                        if (data26.configMapKeyRef !== void 0) {
                          let data27 = data26.configMapKeyRef;
                          if (data27 && typeof data27 == "object" && !Array.isArray(data27)) {
                            if (data27.name === void 0) {
                              let err58 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5 + "/from/configMapKeyRef", schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from/properties/configMapKeyRef/required", keyword: "required", params: { missingProperty: "name" } };
                              vErrors === null ? vErrors = [err58] : vErrors.push(err58), errors++;
                            }
                            if (data27.key === void 0) {
                              let err59 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5 + "/from/configMapKeyRef", schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from/properties/configMapKeyRef/required", keyword: "required", params: { missingProperty: "key" } };
                              vErrors === null ? vErrors = [err59] : vErrors.push(err59), errors++;
                            }
                            for (let key6 in data27)
                              if (!(key6 === "name" || key6 === "namespace" || key6 === "key")) {
                                let err60 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5 + "/from/configMapKeyRef", schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from/properties/configMapKeyRef/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 } };
                                vErrors === null ? vErrors = [err60] : vErrors.push(err60), errors++;
                              }
                            if (data27.name !== void 0) {
                              let data28 = data27.name;
                              if (typeof data28 == "string") {
                                if (func2(data28) < 1) {
                                  let err61 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5 + "/from/configMapKeyRef/name", schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from/properties/configMapKeyRef/properties/name/minLength", keyword: "minLength", params: { limit: 1 } };
                                  vErrors === null ? vErrors = [err61] : vErrors.push(err61), errors++;
                                }
                              } else {
                                let err62 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5 + "/from/configMapKeyRef/name", schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from/properties/configMapKeyRef/properties/name/type", keyword: "type", params: { type: "string" } };
                                vErrors === null ? vErrors = [err62] : vErrors.push(err62), errors++;
                              }
                            }
                            if (data27.namespace !== void 0 && typeof data27.namespace != "string") {
                              let err63 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5 + "/from/configMapKeyRef/namespace", schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from/properties/configMapKeyRef/properties/namespace/type", keyword: "type", params: { type: "string" } };
                              vErrors === null ? vErrors = [err63] : vErrors.push(err63), errors++;
                            }
                            if (data27.key !== void 0) {
                              let data30 = data27.key;
                              if (typeof data30 == "string") {
                                if (func2(data30) < 1) {
                                  let err64 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5 + "/from/configMapKeyRef/key", schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from/properties/configMapKeyRef/properties/key/minLength", keyword: "minLength", params: { limit: 1 } };
                                  vErrors === null ? vErrors = [err64] : vErrors.push(err64), errors++;
                                }
                              } else {
                                let err65 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5 + "/from/configMapKeyRef/key", schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from/properties/configMapKeyRef/properties/key/type", keyword: "type", params: { type: "string" } };
                                vErrors === null ? vErrors = [err65] : vErrors.push(err65), errors++;
                              }
                            }
                          } else {
                            let err66 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5 + "/from/configMapKeyRef", schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from/properties/configMapKeyRef/type", keyword: "type", params: { type: "object" } };
                            vErrors === null ? vErrors = [err66] : vErrors.push(err66), errors++;
                          }
                        }
                      } else {
                        let err67 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5 + "/from", schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from/type", keyword: "type", params: { type: "object" } };
                        vErrors === null ? vErrors = [err67] : vErrors.push(err67), errors++;
                      }
                    }
                  } else {
                    let err68 = { instancePath: instancePath + "/spec/issuer/signingKeys/" + i5, schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/items/type", keyword: "type", params: { type: "object" } };
                    vErrors === null ? vErrors = [err68] : vErrors.push(err68), errors++;
                  }
                }
              } else {
                let err69 = { instancePath: instancePath + "/spec/issuer/signingKeys", schemaPath: "#/properties/spec/properties/issuer/properties/signingKeys/type", keyword: "type", params: { type: "array" } };
                vErrors === null ? vErrors = [err69] : vErrors.push(err69), errors++;
              }
            }
          } else {
            let err70 = { instancePath: instancePath + "/spec/issuer", schemaPath: "#/properties/spec/properties/issuer/type", keyword: "type", params: { type: "object" } };
            vErrors === null ? vErrors = [err70] : vErrors.push(err70), errors++;
          }
        }
        if (data6.tokenPath !== void 0) {
          let data31 = data6.tokenPath;
          if (typeof data31 == "string") {
            if (func2(data31) > 4096) {
              let err71 = { instancePath: instancePath + "/spec/tokenPath", schemaPath: "#/properties/spec/properties/tokenPath/maxLength", keyword: "maxLength", params: { limit: 4096 } };
              vErrors === null ? vErrors = [err71] : vErrors.push(err71), errors++;
            }
            if (!pattern10.test(data31)) {
              let err72 = { instancePath: instancePath + "/spec/tokenPath", schemaPath: "#/properties/spec/properties/tokenPath/pattern", keyword: "pattern", params: { pattern: "^/(?!.*(?:[\\udb40-\\udb43]|\\ud804[\\udcbd\\udccd]|\\ud80d[\\udc30-\\udc3f]|\\ud82f[\\udca0-\\udca3]|\\ud834[\\udd73-\\udd7a]))(?:[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890-\\u0891\\u08e2\\u115f-\\u1160\\u17b4-\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe-\\uffff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$" } };
              vErrors === null ? vErrors = [err72] : vErrors.push(err72), errors++;
            }
          } else {
            let err73 = { instancePath: instancePath + "/spec/tokenPath", schemaPath: "#/properties/spec/properties/tokenPath/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err73] : vErrors.push(err73), errors++;
          }
        }
        if (data6.secret !== void 0) {
          let data32 = data6.secret;
          if (data32 && typeof data32 == "object" && !Array.isArray(data32)) {
            for (let key7 in data32)
              if (key7 !== "encoding") {
                let err74 = { instancePath: instancePath + "/spec/secret", schemaPath: "#/properties/spec/properties/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 } };
                vErrors === null ? vErrors = [err74] : vErrors.push(err74), errors++;
              }
            if (data32.encoding !== void 0) {
              let data33 = data32.encoding;
              if (typeof data33 != "string") {
                let err75 = { instancePath: instancePath + "/spec/secret/encoding", schemaPath: "#/properties/spec/properties/secret/properties/encoding/type", keyword: "type", params: { type: "string" } };
                vErrors === null ? vErrors = [err75] : vErrors.push(err75), errors++;
              }
              if (!(data33 === "stringData" || data33 === "data")) {
                let err76 = { instancePath: instancePath + "/spec/secret/encoding", schemaPath: "#/properties/spec/properties/secret/properties/encoding/enum", keyword: "enum", params: { allowedValues: schema11.properties.spec.properties.secret.properties.encoding.enum } };
                vErrors === null ? vErrors = [err76] : vErrors.push(err76), errors++;
              }
            }
          } else {
            let err77 = { instancePath: instancePath + "/spec/secret", schemaPath: "#/properties/spec/properties/secret/type", keyword: "type", params: { type: "object" } };
            vErrors === null ? vErrors = [err77] : vErrors.push(err77), errors++;
          }
        }
        if (data6.operators !== void 0) {
          let data34 = data6.operators;
          if (data34 && typeof data34 == "object" && !Array.isArray(data34)) {
            for (let key8 in data34)
              if (!(key8 === "installPlanApproval" || key8 === "emitSecrets")) {
                let err78 = { instancePath: instancePath + "/spec/operators", schemaPath: "#/properties/spec/properties/operators/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key8 } };
                vErrors === null ? vErrors = [err78] : vErrors.push(err78), errors++;
              }
            if (data34.installPlanApproval !== void 0) {
              let data35 = data34.installPlanApproval;
              if (typeof data35 != "string") {
                let err79 = { instancePath: instancePath + "/spec/operators/installPlanApproval", schemaPath: "#/properties/spec/properties/operators/properties/installPlanApproval/type", keyword: "type", params: { type: "string" } };
                vErrors === null ? vErrors = [err79] : vErrors.push(err79), errors++;
              }
              if (!(data35 === "Manual" || data35 === "Automatic")) {
                let err80 = { instancePath: instancePath + "/spec/operators/installPlanApproval", schemaPath: "#/properties/spec/properties/operators/properties/installPlanApproval/enum", keyword: "enum", params: { allowedValues: schema11.properties.spec.properties.operators.properties.installPlanApproval.enum } };
                vErrors === null ? vErrors = [err80] : vErrors.push(err80), errors++;
              }
            }
            if (data34.emitSecrets !== void 0 && typeof data34.emitSecrets != "boolean") {
              let err81 = { instancePath: instancePath + "/spec/operators/emitSecrets", schemaPath: "#/properties/spec/properties/operators/properties/emitSecrets/type", keyword: "type", params: { type: "boolean" } };
              vErrors === null ? vErrors = [err81] : vErrors.push(err81), errors++;
            }
          } else {
            let err82 = { instancePath: instancePath + "/spec/operators", schemaPath: "#/properties/spec/properties/operators/type", keyword: "type", params: { type: "object" } };
            vErrors === null ? vErrors = [err82] : vErrors.push(err82), errors++;
          }
        }
        if (data6.overrides !== void 0) {
          let data37 = data6.overrides;
          if (data37 && typeof data37 == "object" && !Array.isArray(data37)) {
            for (let key9 in data37) {
              let _errs87 = errors;
              if (typeof key9 == "string" && !pattern11.test(key9)) {
                let err83 = { instancePath: instancePath + "/spec/overrides", schemaPath: "#/properties/spec/properties/overrides/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?/[a-z0-9]([-.a-z0-9]*[a-z0-9])?$" }, propertyName: key9 };
                vErrors === null ? vErrors = [err83] : vErrors.push(err83), errors++;
              }
              var valid21 = _errs87 === errors;
              if (!valid21) {
                let err84 = { instancePath: instancePath + "/spec/overrides", schemaPath: "#/properties/spec/properties/overrides/propertyNames", keyword: "propertyNames", params: { propertyName: key9 } };
                vErrors === null ? vErrors = [err84] : vErrors.push(err84), errors++;
              }
            }
            for (let key10 in data37) {
              let data38 = data37[key10];
              if (data38 && typeof data38 == "object" && !Array.isArray(data38)) {
                if (Object.keys(data38).length < 1) {
                  let err85 = { instancePath: instancePath + "/spec/overrides/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/spec/properties/overrides/additionalProperties/minProperties", keyword: "minProperties", params: { limit: 1 } };
                  vErrors === null ? vErrors = [err85] : vErrors.push(err85), errors++;
                }
                for (let key11 in data38)
                  if (!(key11 === "skip" || key11 === "serviceAccountNames")) {
                    let err86 = { instancePath: instancePath + "/spec/overrides/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/spec/properties/overrides/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key11 } };
                    vErrors === null ? vErrors = [err86] : vErrors.push(err86), errors++;
                  }
                if (data38.skip !== void 0 && typeof data38.skip != "boolean") {
                  let err87 = { instancePath: instancePath + "/spec/overrides/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/skip", schemaPath: "#/properties/spec/properties/overrides/additionalProperties/properties/skip/type", keyword: "type", params: { type: "boolean" } };
                  vErrors === null ? vErrors = [err87] : vErrors.push(err87), errors++;
                }
                if (data38.serviceAccountNames !== void 0) {
                  let data40 = data38.serviceAccountNames;
                  if (Array.isArray(data40)) {
                    if (data40.length < 1) {
                      let err88 = { instancePath: instancePath + "/spec/overrides/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/serviceAccountNames", schemaPath: "#/properties/spec/properties/overrides/additionalProperties/properties/serviceAccountNames/minItems", keyword: "minItems", params: { limit: 1 } };
                      vErrors === null ? vErrors = [err88] : vErrors.push(err88), errors++;
                    }
                    let len5 = data40.length;
                    for (let i6 = 0; i6 < len5; i6++) {
                      let data41 = data40[i6];
                      if (typeof data41 == "string") {
                        if (func2(data41) > 317) {
                          let err89 = { instancePath: instancePath + "/spec/overrides/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/serviceAccountNames/" + i6, schemaPath: "#/properties/spec/properties/overrides/additionalProperties/properties/serviceAccountNames/items/maxLength", keyword: "maxLength", params: { limit: 317 } };
                          vErrors === null ? vErrors = [err89] : vErrors.push(err89), errors++;
                        }
                        if (!pattern12.test(data41)) {
                          let err90 = { instancePath: instancePath + "/spec/overrides/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/serviceAccountNames/" + i6, schemaPath: "#/properties/spec/properties/overrides/additionalProperties/properties/serviceAccountNames/items/pattern", keyword: "pattern", params: { pattern: "^([a-z0-9]([-a-z0-9]*[a-z0-9])?/)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$" } };
                          vErrors === null ? vErrors = [err90] : vErrors.push(err90), errors++;
                        }
                      } else {
                        let err91 = { instancePath: instancePath + "/spec/overrides/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/serviceAccountNames/" + i6, schemaPath: "#/properties/spec/properties/overrides/additionalProperties/properties/serviceAccountNames/items/type", keyword: "type", params: { type: "string" } };
                        vErrors === null ? vErrors = [err91] : vErrors.push(err91), errors++;
                      }
                    }
                    let i7 = data40.length, j1;
                    if (i7 > 1) {
                      let indices1 = {};
                      for (; i7--; ) {
                        let item1 = data40[i7];
                        if (typeof item1 == "string") {
                          if (typeof indices1[item1] == "number") {
                            j1 = indices1[item1];
                            let err92 = { instancePath: instancePath + "/spec/overrides/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/serviceAccountNames", schemaPath: "#/properties/spec/properties/overrides/additionalProperties/properties/serviceAccountNames/uniqueItems", keyword: "uniqueItems", params: { i: i7, j: j1 } };
                            vErrors === null ? vErrors = [err92] : vErrors.push(err92), errors++;
                            break;
                          }
                          indices1[item1] = i7;
                        }
                      }
                    }
                  } else {
                    let err93 = { instancePath: instancePath + "/spec/overrides/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/serviceAccountNames", schemaPath: "#/properties/spec/properties/overrides/additionalProperties/properties/serviceAccountNames/type", keyword: "type", params: { type: "array" } };
                    vErrors === null ? vErrors = [err93] : vErrors.push(err93), errors++;
                  }
                }
              } else {
                let err94 = { instancePath: instancePath + "/spec/overrides/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/spec/properties/overrides/additionalProperties/type", keyword: "type", params: { type: "object" } };
                vErrors === null ? vErrors = [err94] : vErrors.push(err94), errors++;
              }
            }
          } else {
            let err95 = { instancePath: instancePath + "/spec/overrides", schemaPath: "#/properties/spec/properties/overrides/type", keyword: "type", params: { type: "object" } };
            vErrors === null ? vErrors = [err95] : vErrors.push(err95), errors++;
          }
        }
        if (data6.accept !== void 0) {
          let data42 = data6.accept;
          if (Array.isArray(data42)) {
            let len6 = data42.length;
            for (let i8 = 0; i8 < len6; i8++) {
              let data43 = data42[i8];
              if (data43 && typeof data43 == "object" && !Array.isArray(data43)) {
                if (data43.rule === void 0) {
                  let err96 = { instancePath: instancePath + "/spec/accept/" + i8, schemaPath: "#/properties/spec/properties/accept/items/required", keyword: "required", params: { missingProperty: "rule" } };
                  vErrors === null ? vErrors = [err96] : vErrors.push(err96), errors++;
                }
                if (data43.object === void 0) {
                  let err97 = { instancePath: instancePath + "/spec/accept/" + i8, schemaPath: "#/properties/spec/properties/accept/items/required", keyword: "required", params: { missingProperty: "object" } };
                  vErrors === null ? vErrors = [err97] : vErrors.push(err97), errors++;
                }
                if (data43.reason === void 0) {
                  let err98 = { instancePath: instancePath + "/spec/accept/" + i8, schemaPath: "#/properties/spec/properties/accept/items/required", keyword: "required", params: { missingProperty: "reason" } };
                  vErrors === null ? vErrors = [err98] : vErrors.push(err98), errors++;
                }
                for (let key12 in data43)
                  if (!(key12 === "rule" || key12 === "object" || key12 === "reason" || key12 === "until")) {
                    let err99 = { instancePath: instancePath + "/spec/accept/" + i8, schemaPath: "#/properties/spec/properties/accept/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key12 } };
                    vErrors === null ? vErrors = [err99] : vErrors.push(err99), errors++;
                  }
                if (data43.rule !== void 0) {
                  let data44 = data43.rule;
                  if (typeof data44 == "string") {
                    if (func2(data44) > 100) {
                      let err100 = { instancePath: instancePath + "/spec/accept/" + i8 + "/rule", schemaPath: "#/properties/spec/properties/accept/items/properties/rule/maxLength", keyword: "maxLength", params: { limit: 100 } };
                      vErrors === null ? vErrors = [err100] : vErrors.push(err100), errors++;
                    }
                    if (func2(data44) < 1) {
                      let err101 = { instancePath: instancePath + "/spec/accept/" + i8 + "/rule", schemaPath: "#/properties/spec/properties/accept/items/properties/rule/minLength", keyword: "minLength", params: { limit: 1 } };
                      vErrors === null ? vErrors = [err101] : vErrors.push(err101), errors++;
                    }
                  } else {
                    let err102 = { instancePath: instancePath + "/spec/accept/" + i8 + "/rule", schemaPath: "#/properties/spec/properties/accept/items/properties/rule/type", keyword: "type", params: { type: "string" } };
                    vErrors === null ? vErrors = [err102] : vErrors.push(err102), errors++;
                  }
                }
                if (data43.object !== void 0) {
                  let data45 = data43.object;
                  if (typeof data45 == "string") {
                    if (func2(data45) > 384) {
                      let err103 = { instancePath: instancePath + "/spec/accept/" + i8 + "/object", schemaPath: "#/properties/spec/properties/accept/items/properties/object/maxLength", keyword: "maxLength", params: { limit: 384 } };
                      vErrors === null ? vErrors = [err103] : vErrors.push(err103), errors++;
                    }
                    if (!pattern13.test(data45)) {
                      let err104 = { instancePath: instancePath + "/spec/accept/" + i8 + "/object", schemaPath: "#/properties/spec/properties/accept/items/properties/object/pattern", keyword: "pattern", params: { pattern: "^([a-z0-9][-.a-z0-9]*/[a-z0-9][-.a-z0-9]*|[A-Z][A-Za-z0-9]*(/[a-z0-9][-.:a-z0-9]*){1,2})$" } };
                      vErrors === null ? vErrors = [err104] : vErrors.push(err104), errors++;
                    }
                  } else {
                    let err105 = { instancePath: instancePath + "/spec/accept/" + i8 + "/object", schemaPath: "#/properties/spec/properties/accept/items/properties/object/type", keyword: "type", params: { type: "string" } };
                    vErrors === null ? vErrors = [err105] : vErrors.push(err105), errors++;
                  }
                }
                if (data43.reason !== void 0) {
                  let data46 = data43.reason;
                  if (typeof data46 == "string") {
                    if (func2(data46) > 1024) {
                      let err106 = { instancePath: instancePath + "/spec/accept/" + i8 + "/reason", schemaPath: "#/properties/spec/properties/accept/items/properties/reason/maxLength", keyword: "maxLength", params: { limit: 1024 } };
                      vErrors === null ? vErrors = [err106] : vErrors.push(err106), errors++;
                    }
                    if (func2(data46) < 1) {
                      let err107 = { instancePath: instancePath + "/spec/accept/" + i8 + "/reason", schemaPath: "#/properties/spec/properties/accept/items/properties/reason/minLength", keyword: "minLength", params: { limit: 1 } };
                      vErrors === null ? vErrors = [err107] : vErrors.push(err107), errors++;
                    }
                  } else {
                    let err108 = { instancePath: instancePath + "/spec/accept/" + i8 + "/reason", schemaPath: "#/properties/spec/properties/accept/items/properties/reason/type", keyword: "type", params: { type: "string" } };
                    vErrors === null ? vErrors = [err108] : vErrors.push(err108), errors++;
                  }
                }
                if (data43.until !== void 0) {
                  let data47 = data43.until;
                  if (typeof data47 == "string") {
                    if (!pattern14.test(data47)) {
                      let err109 = { instancePath: instancePath + "/spec/accept/" + i8 + "/until", schemaPath: "#/properties/spec/properties/accept/items/properties/until/pattern", keyword: "pattern", params: { pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$" } };
                      vErrors === null ? vErrors = [err109] : vErrors.push(err109), errors++;
                    }
                  } else {
                    let err110 = { instancePath: instancePath + "/spec/accept/" + i8 + "/until", schemaPath: "#/properties/spec/properties/accept/items/properties/until/type", keyword: "type", params: { type: "string" } };
                    vErrors === null ? vErrors = [err110] : vErrors.push(err110), errors++;
                  }
                }
              } else {
                let err111 = { instancePath: instancePath + "/spec/accept/" + i8, schemaPath: "#/properties/spec/properties/accept/items/type", keyword: "type", params: { type: "object" } };
                vErrors === null ? vErrors = [err111] : vErrors.push(err111), errors++;
              }
            }
          } else {
            let err112 = { instancePath: instancePath + "/spec/accept", schemaPath: "#/properties/spec/properties/accept/type", keyword: "type", params: { type: "array" } };
            vErrors === null ? vErrors = [err112] : vErrors.push(err112), errors++;
          }
        }
        if (data6.platform !== void 0) {
          let data48 = data6.platform;
          if (data48 && typeof data48 == "object" && !Array.isArray(data48)) {
            if (Object.keys(data48).length > 1) {
              let err113 = { instancePath: instancePath + "/spec/platform", schemaPath: "#/properties/spec/properties/platform/maxProperties", keyword: "maxProperties", params: { limit: 1 } };
              vErrors === null ? vErrors = [err113] : vErrors.push(err113), errors++;
            }
            if (Object.keys(data48).length < 1) {
              let err114 = { instancePath: instancePath + "/spec/platform", schemaPath: "#/properties/spec/properties/platform/minProperties", keyword: "minProperties", params: { limit: 1 } };
              vErrors === null ? vErrors = [err114] : vErrors.push(err114), errors++;
            }
          } else {
            let err115 = { instancePath: instancePath + "/spec/platform", schemaPath: "#/properties/spec/properties/platform/type", keyword: "type", params: { type: "object" } };
            vErrors === null ? vErrors = [err115] : vErrors.push(err115), errors++;
          }
        }
      } else {
        let err116 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/type", keyword: "type", params: { type: "object" } };
        vErrors === null ? vErrors = [err116] : vErrors.push(err116), errors++;
      }
    }
  } else {
    let err117 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err117] : vErrors.push(err117), errors++;
  }
  return validate10.errors = vErrors, errors === 0;
}
export {
  validateClusterIdentity
};
export const clusterIdentityWords = () => ({
  "musts": {
    "#/properties/metadata/properties/name": "must be a DNS label: up to 63 lower case letters, digits and '-', starting and ending with a letter or digit",
    "#/properties/spec/properties/resourcePrefix": "must be up to 63 lower case letters, digits and '-', starting and ending with a letter or digit",
    "#/properties/spec/properties/release/properties/version": "must be major and minor in quotes, such as \"4.22\"",
    "#/properties/spec/properties/release/properties/profile": "must be the name of a cluster profile, such as 'self-managed-high-availability'",
    "#/properties/spec/properties/release/properties/excludeIdentifier": "must be an identifier of lower case letters, digits and '-'",
    "#/properties/spec/properties/release/properties/featureGates/items": "must be a gate's name, of letters, digits, '-', '_' and '.'; '-' before it says that it is off",
    "#/properties/spec/properties/release/properties/capabilities/items": "must be a name of letters, digits, '-', '_' and '.'",
    "#/properties/spec/properties/issuer/properties/url": "must be an https:// URL in lower case of at most 255 characters, without port, query, fragment or slash at the end",
    "#/properties/spec/properties/issuer/properties/previous/items": "must be an https:// URL in lower case of at most 255 characters, without port, query, fragment or slash at the end",
    "#/properties/spec/properties/issuer/properties/audiences": "must hold 1 to 100 different audiences",
    "#/properties/spec/properties/issuer/properties/audiences/items": "must be 1 to 255 printable characters without white space",
    "#/properties/spec/properties/issuer/properties/signingKeys": "must hold at least one key, or be left out",
    "#/properties/spec/properties/issuer/properties/signingKeys/items": "must have exactly one of 'publicKey' and 'from'",
    "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from/properties/configMapKeyRef/properties/name": "must be the name of a ConfigMap",
    "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from/properties/configMapKeyRef/properties/key": "must be a key of the ConfigMap's data",
    "#/properties/spec/properties/tokenPath": "must be an absolute path without control characters, line separators and characters that cannot be seen",
    "#/properties/spec/properties/overrides/propertyNames": "must be <secret namespace>/<secret name>",
    "#/properties/spec/properties/overrides/additionalProperties": "must hold at least one field",
    "#/properties/spec/properties/overrides/additionalProperties/properties/serviceAccountNames": "must hold at least one name, each once",
    "#/properties/spec/properties/overrides/additionalProperties/properties/serviceAccountNames/items": "must be a service account's name, or <namespace>/<name>",
    "#/properties/spec/properties/accept/items/properties/rule": "must be the code of a rule, such as 'pass-role-any'",
    "#/properties/spec/properties/accept/items/properties/object": "must be '<secret namespace>/<secret name>', '<Kind>/<namespace>/<name>' or '<Kind>/<name>'",
    "#/properties/spec/properties/accept/items/properties/reason": "must say why, in 1 to 1024 characters",
    "#/properties/spec/properties/accept/items/properties/until": "must be a date in quotes, such as '2027-06-30'",
    "#/properties/spec/properties/platform": "must have exactly one key, the cloud, such as 'aws'"
  },
  "knownFields": {
    "#": [
      "apiVersion",
      "kind",
      "metadata",
      "spec"
    ],
    "#/properties/spec": [
      "resourcePrefix",
      "release",
      "issuer",
      "tokenPath",
      "secret",
      "operators",
      "overrides",
      "accept",
      "platform"
    ],
    "#/properties/spec/properties/release": [
      "version",
      "profile",
      "excludeIdentifier",
      "featureSet",
      "featureGates",
      "capabilities"
    ],
    "#/properties/spec/properties/issuer": [
      "url",
      "previous",
      "audiences",
      "signingKeys"
    ],
    "#/properties/spec/properties/issuer/properties/signingKeys/items": [
      "publicKey",
      "from"
    ],
    "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from": [
      "configMapKeyRef"
    ],
    "#/properties/spec/properties/issuer/properties/signingKeys/items/properties/from/properties/configMapKeyRef": [
      "name",
      "namespace",
      "key"
    ],
    "#/properties/spec/properties/secret": [
      "encoding"
    ],
    "#/properties/spec/properties/operators": [
      "installPlanApproval",
      "emitSecrets"
    ],
    "#/properties/spec/properties/overrides/additionalProperties": [
      "skip",
      "serviceAccountNames"
    ],
    "#/properties/spec/properties/accept/items": [
      "rule",
      "object",
      "reason",
      "until"
    ]
  }
});
