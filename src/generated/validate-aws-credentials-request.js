// Made from schemas/aws-credentials-request.schema.json by tools/generate.mjs. Do not edit.
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
var validateAwsCredentialsRequest = validate10, schema11 = { $schema: "http://json-schema.org/draft-07/schema#", $id: "https://cloudcredential.dev/schemas/v1alpha1/aws-credentials-request.schema.json", type: "object", required: ["metadata", "spec"], properties: { metadata: { type: "object", required: ["name"], properties: { name: { type: "string", maxLength: 253, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$" } }, additionalProperties: !0 }, spec: { type: "object", required: ["secretRef", "providerSpec"], properties: { secretRef: { type: "object", required: ["name", "namespace"], properties: { name: { type: "string", maxLength: 253, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$" }, namespace: { type: "string", maxLength: 63, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" } }, additionalProperties: !0 }, serviceAccountNames: { type: ["array", "null"], items: { type: "string" } }, cloudTokenPath: { type: "string", maxLength: 4096, pattern: "^(/(?!.*(?:[\\udb40-\\udb43]|\\ud804[\\udcbd\\udccd]|\\ud80d[\\udc30-\\udc3f]|\\ud82f[\\udca0-\\udca3]|\\ud834[\\udd73-\\udd7a]))(?:[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890-\\u0891\\u08e2\\u115f-\\u1160\\u17b4-\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe-\\uffff]|[\\ud800-\\udbff][\\udc00-\\udfff])*)?$" }, providerSpec: { type: "object", required: ["statementEntries"], properties: { statementEntries: { type: "array", minItems: 1, items: { type: "object", additionalProperties: !1, required: ["effect", "action", "resource"], properties: { effect: { type: "string", enum: ["Allow", "Deny"] }, action: { type: "array", minItems: 1, items: { type: "string", pattern: "^(\\*|[A-Za-z0-9-]+:[A-Za-z0-9*?]+)$" } }, resource: { type: "string", maxLength: 2048, pattern: "^(\\*|arn:[!-~]+)$" }, policyCondition: { type: "object", propertyNames: { pattern: "^[A-Za-z]+(:[A-Za-z]+)?$" }, additionalProperties: { type: "object", propertyNames: { pattern: "^[!-~]+$" }, additionalProperties: !0 } } } } } }, additionalProperties: !0 } }, additionalProperties: !0 } } }, func2 = require_ucs2length().default, pattern0 = new RegExp("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", ""), pattern2 = new RegExp("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", ""), pattern3 = new RegExp("^(/(?!.*(?:[\\udb40-\\udb43]|\\ud804[\\udcbd\\udccd]|\\ud80d[\\udc30-\\udc3f]|\\ud82f[\\udca0-\\udca3]|\\ud834[\\udd73-\\udd7a]))(?:[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890-\\u0891\\u08e2\\u115f-\\u1160\\u17b4-\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe-\\uffff]|[\\ud800-\\udbff][\\udc00-\\udfff])*)?$", ""), pattern4 = new RegExp("^(\\*|[A-Za-z0-9-]+:[A-Za-z0-9*?]+)$", ""), pattern5 = new RegExp("^(\\*|arn:[!-~]+)$", ""), pattern6 = new RegExp("^[A-Za-z]+(:[A-Za-z]+)?$", ""), pattern7 = new RegExp("^[!-~]+$", "");
function validate10(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.metadata === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "metadata" } };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.spec === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "spec" } };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.metadata !== void 0) {
      let data0 = data.metadata;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0.name === void 0) {
          let err2 = { instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/required", keyword: "required", params: { missingProperty: "name" } };
          vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
        }
        if (data0.name !== void 0) {
          let data1 = data0.name;
          if (typeof data1 == "string") {
            if (func2(data1) > 253) {
              let err3 = { instancePath: instancePath + "/metadata/name", schemaPath: "#/properties/metadata/properties/name/maxLength", keyword: "maxLength", params: { limit: 253 } };
              vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
            }
            if (!pattern0.test(data1)) {
              let err4 = { instancePath: instancePath + "/metadata/name", schemaPath: "#/properties/metadata/properties/name/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$" } };
              vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
            }
          } else {
            let err5 = { instancePath: instancePath + "/metadata/name", schemaPath: "#/properties/metadata/properties/name/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
          }
        }
      } else {
        let err6 = { instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: "object" } };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
    if (data.spec !== void 0) {
      let data2 = data.spec;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.secretRef === void 0) {
          let err7 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/required", keyword: "required", params: { missingProperty: "secretRef" } };
          vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
        }
        if (data2.providerSpec === void 0) {
          let err8 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/required", keyword: "required", params: { missingProperty: "providerSpec" } };
          vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
        }
        if (data2.secretRef !== void 0) {
          let data3 = data2.secretRef;
          if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
            if (data3.name === void 0) {
              let err9 = { instancePath: instancePath + "/spec/secretRef", schemaPath: "#/properties/spec/properties/secretRef/required", keyword: "required", params: { missingProperty: "name" } };
              vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
            }
            if (data3.namespace === void 0) {
              let err10 = { instancePath: instancePath + "/spec/secretRef", schemaPath: "#/properties/spec/properties/secretRef/required", keyword: "required", params: { missingProperty: "namespace" } };
              vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
            }
            if (data3.name !== void 0) {
              let data4 = data3.name;
              if (typeof data4 == "string") {
                if (func2(data4) > 253) {
                  let err11 = { instancePath: instancePath + "/spec/secretRef/name", schemaPath: "#/properties/spec/properties/secretRef/properties/name/maxLength", keyword: "maxLength", params: { limit: 253 } };
                  vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
                }
                if (!pattern0.test(data4)) {
                  let err12 = { instancePath: instancePath + "/spec/secretRef/name", schemaPath: "#/properties/spec/properties/secretRef/properties/name/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$" } };
                  vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
                }
              } else {
                let err13 = { instancePath: instancePath + "/spec/secretRef/name", schemaPath: "#/properties/spec/properties/secretRef/properties/name/type", keyword: "type", params: { type: "string" } };
                vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
              }
            }
            if (data3.namespace !== void 0) {
              let data5 = data3.namespace;
              if (typeof data5 == "string") {
                if (func2(data5) > 63) {
                  let err14 = { instancePath: instancePath + "/spec/secretRef/namespace", schemaPath: "#/properties/spec/properties/secretRef/properties/namespace/maxLength", keyword: "maxLength", params: { limit: 63 } };
                  vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
                }
                if (!pattern2.test(data5)) {
                  let err15 = { instancePath: instancePath + "/spec/secretRef/namespace", schemaPath: "#/properties/spec/properties/secretRef/properties/namespace/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" } };
                  vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
                }
              } else {
                let err16 = { instancePath: instancePath + "/spec/secretRef/namespace", schemaPath: "#/properties/spec/properties/secretRef/properties/namespace/type", keyword: "type", params: { type: "string" } };
                vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
              }
            }
          } else {
            let err17 = { instancePath: instancePath + "/spec/secretRef", schemaPath: "#/properties/spec/properties/secretRef/type", keyword: "type", params: { type: "object" } };
            vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
          }
        }
        if (data2.serviceAccountNames !== void 0) {
          let data6 = data2.serviceAccountNames;
          if (!Array.isArray(data6) && data6 !== null) {
            let err18 = { instancePath: instancePath + "/spec/serviceAccountNames", schemaPath: "#/properties/spec/properties/serviceAccountNames/type", keyword: "type", params: { type: schema11.properties.spec.properties.serviceAccountNames.type } };
            vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
          }
          if (Array.isArray(data6)) {
            let len0 = data6.length;
            for (let i0 = 0; i0 < len0; i0++)
              if (typeof data6[i0] != "string") {
                let err19 = { instancePath: instancePath + "/spec/serviceAccountNames/" + i0, schemaPath: "#/properties/spec/properties/serviceAccountNames/items/type", keyword: "type", params: { type: "string" } };
                vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
              }
          }
        }
        if (data2.cloudTokenPath !== void 0) {
          let data8 = data2.cloudTokenPath;
          if (typeof data8 == "string") {
            if (func2(data8) > 4096) {
              let err20 = { instancePath: instancePath + "/spec/cloudTokenPath", schemaPath: "#/properties/spec/properties/cloudTokenPath/maxLength", keyword: "maxLength", params: { limit: 4096 } };
              vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
            }
            if (!pattern3.test(data8)) {
              let err21 = { instancePath: instancePath + "/spec/cloudTokenPath", schemaPath: "#/properties/spec/properties/cloudTokenPath/pattern", keyword: "pattern", params: { pattern: "^(/(?!.*(?:[\\udb40-\\udb43]|\\ud804[\\udcbd\\udccd]|\\ud80d[\\udc30-\\udc3f]|\\ud82f[\\udca0-\\udca3]|\\ud834[\\udd73-\\udd7a]))(?:[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890-\\u0891\\u08e2\\u115f-\\u1160\\u17b4-\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe-\\uffff]|[\\ud800-\\udbff][\\udc00-\\udfff])*)?$" } };
              vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
            }
          } else {
            let err22 = { instancePath: instancePath + "/spec/cloudTokenPath", schemaPath: "#/properties/spec/properties/cloudTokenPath/type", keyword: "type", params: { type: "string" } };
            vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
          }
        }
        if (data2.providerSpec !== void 0) {
          let data9 = data2.providerSpec;
          if (data9 && typeof data9 == "object" && !Array.isArray(data9)) {
            if (data9.statementEntries === void 0) {
              let err23 = { instancePath: instancePath + "/spec/providerSpec", schemaPath: "#/properties/spec/properties/providerSpec/required", keyword: "required", params: { missingProperty: "statementEntries" } };
              vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
            }
            if (data9.statementEntries !== void 0) {
              let data10 = data9.statementEntries;
              if (Array.isArray(data10)) {
                if (data10.length < 1) {
                  let err24 = { instancePath: instancePath + "/spec/providerSpec/statementEntries", schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/minItems", keyword: "minItems", params: { limit: 1 } };
                  vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
                }
                let len1 = data10.length;
                for (let i1 = 0; i1 < len1; i1++) {
                  let data11 = data10[i1];
                  if (data11 && typeof data11 == "object" && !Array.isArray(data11)) {
                    if (data11.effect === void 0) {
                      let err25 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1, schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/required", keyword: "required", params: { missingProperty: "effect" } };
                      vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
                    }
                    if (data11.action === void 0) {
                      let err26 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1, schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/required", keyword: "required", params: { missingProperty: "action" } };
                      vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
                    }
                    if (data11.resource === void 0) {
                      let err27 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1, schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/required", keyword: "required", params: { missingProperty: "resource" } };
                      vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
                    }
                    for (let key0 in data11)
                      if (!(key0 === "effect" || key0 === "action" || key0 === "resource" || key0 === "policyCondition")) {
                        let err28 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1, schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
                        vErrors === null ? vErrors = [err28] : vErrors.push(err28), errors++;
                      }
                    if (data11.effect !== void 0) {
                      let data12 = data11.effect;
                      if (typeof data12 != "string") {
                        let err29 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1 + "/effect", schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/effect/type", keyword: "type", params: { type: "string" } };
                        vErrors === null ? vErrors = [err29] : vErrors.push(err29), errors++;
                      }
                      if (!(data12 === "Allow" || data12 === "Deny")) {
                        let err30 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1 + "/effect", schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/effect/enum", keyword: "enum", params: { allowedValues: schema11.properties.spec.properties.providerSpec.properties.statementEntries.items.properties.effect.enum } };
                        vErrors === null ? vErrors = [err30] : vErrors.push(err30), errors++;
                      }
                    }
                    if (data11.action !== void 0) {
                      let data13 = data11.action;
                      if (Array.isArray(data13)) {
                        if (data13.length < 1) {
                          let err31 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1 + "/action", schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/action/minItems", keyword: "minItems", params: { limit: 1 } };
                          vErrors === null ? vErrors = [err31] : vErrors.push(err31), errors++;
                        }
                        let len2 = data13.length;
                        for (let i2 = 0; i2 < len2; i2++) {
                          let data14 = data13[i2];
                          if (typeof data14 == "string") {
                            if (!pattern4.test(data14)) {
                              let err32 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1 + "/action/" + i2, schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/action/items/pattern", keyword: "pattern", params: { pattern: "^(\\*|[A-Za-z0-9-]+:[A-Za-z0-9*?]+)$" } };
                              vErrors === null ? vErrors = [err32] : vErrors.push(err32), errors++;
                            }
                          } else {
                            let err33 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1 + "/action/" + i2, schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/action/items/type", keyword: "type", params: { type: "string" } };
                            vErrors === null ? vErrors = [err33] : vErrors.push(err33), errors++;
                          }
                        }
                      } else {
                        let err34 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1 + "/action", schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/action/type", keyword: "type", params: { type: "array" } };
                        vErrors === null ? vErrors = [err34] : vErrors.push(err34), errors++;
                      }
                    }
                    if (data11.resource !== void 0) {
                      let data15 = data11.resource;
                      if (typeof data15 == "string") {
                        if (func2(data15) > 2048) {
                          let err35 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1 + "/resource", schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/resource/maxLength", keyword: "maxLength", params: { limit: 2048 } };
                          vErrors === null ? vErrors = [err35] : vErrors.push(err35), errors++;
                        }
                        if (!pattern5.test(data15)) {
                          let err36 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1 + "/resource", schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/resource/pattern", keyword: "pattern", params: { pattern: "^(\\*|arn:[!-~]+)$" } };
                          vErrors === null ? vErrors = [err36] : vErrors.push(err36), errors++;
                        }
                      } else {
                        let err37 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1 + "/resource", schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/resource/type", keyword: "type", params: { type: "string" } };
                        vErrors === null ? vErrors = [err37] : vErrors.push(err37), errors++;
                      }
                    }
                    if (data11.policyCondition !== void 0) {
                      let data16 = data11.policyCondition;
                      if (data16 && typeof data16 == "object" && !Array.isArray(data16)) {
                        for (let key1 in data16) {
                          let _errs40 = errors;
                          if (typeof key1 == "string" && !pattern6.test(key1)) {
                            let err38 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1 + "/policyCondition", schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/policyCondition/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z]+(:[A-Za-z]+)?$" }, propertyName: key1 };
                            vErrors === null ? vErrors = [err38] : vErrors.push(err38), errors++;
                          }
                          var valid12 = _errs40 === errors;
                          if (!valid12) {
                            let err39 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1 + "/policyCondition", schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/policyCondition/propertyNames", keyword: "propertyNames", params: { propertyName: key1 } };
                            vErrors === null ? vErrors = [err39] : vErrors.push(err39), errors++;
                          }
                        }
                        for (let key2 in data16) {
                          let data17 = data16[key2];
                          if (data17 && typeof data17 == "object" && !Array.isArray(data17))
                            for (let key3 in data17) {
                              let _errs44 = errors;
                              if (typeof key3 == "string" && !pattern7.test(key3)) {
                                let err40 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1 + "/policyCondition/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/policyCondition/additionalProperties/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[!-~]+$" }, propertyName: key3 };
                                vErrors === null ? vErrors = [err40] : vErrors.push(err40), errors++;
                              }
                              var valid14 = _errs44 === errors;
                              if (!valid14) {
                                let err41 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1 + "/policyCondition/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/policyCondition/additionalProperties/propertyNames", keyword: "propertyNames", params: { propertyName: key3 } };
                                vErrors === null ? vErrors = [err41] : vErrors.push(err41), errors++;
                              }
                            }
                          else {
                            let err42 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1 + "/policyCondition/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/policyCondition/additionalProperties/type", keyword: "type", params: { type: "object" } };
                            vErrors === null ? vErrors = [err42] : vErrors.push(err42), errors++;
                          }
                        }
                      } else {
                        let err43 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1 + "/policyCondition", schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/policyCondition/type", keyword: "type", params: { type: "object" } };
                        vErrors === null ? vErrors = [err43] : vErrors.push(err43), errors++;
                      }
                    }
                  } else {
                    let err44 = { instancePath: instancePath + "/spec/providerSpec/statementEntries/" + i1, schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/items/type", keyword: "type", params: { type: "object" } };
                    vErrors === null ? vErrors = [err44] : vErrors.push(err44), errors++;
                  }
                }
              } else {
                let err45 = { instancePath: instancePath + "/spec/providerSpec/statementEntries", schemaPath: "#/properties/spec/properties/providerSpec/properties/statementEntries/type", keyword: "type", params: { type: "array" } };
                vErrors === null ? vErrors = [err45] : vErrors.push(err45), errors++;
              }
            }
          } else {
            let err46 = { instancePath: instancePath + "/spec/providerSpec", schemaPath: "#/properties/spec/properties/providerSpec/type", keyword: "type", params: { type: "object" } };
            vErrors === null ? vErrors = [err46] : vErrors.push(err46), errors++;
          }
        }
      } else {
        let err47 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/type", keyword: "type", params: { type: "object" } };
        vErrors === null ? vErrors = [err47] : vErrors.push(err47), errors++;
      }
    }
  } else {
    let err48 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    vErrors === null ? vErrors = [err48] : vErrors.push(err48), errors++;
  }
  return validate10.errors = vErrors, errors === 0;
}
export {
  validateAwsCredentialsRequest
};
export const awsCredentialsRequestWords = () => ({
  "musts": {
    "#/properties/metadata/properties/name": "must be a DNS subdomain name: lower case letters, digits, '-' and '.'",
    "#/properties/spec/properties/secretRef/properties/name": "must be a DNS subdomain name: lower case letters, digits, '-' and '.'",
    "#/properties/spec/properties/secretRef/properties/namespace": "must be a DNS label: up to 63 lower case letters, digits and '-'",
    "#/properties/spec/properties/cloudTokenPath": "must be an absolute path without control characters, line separators and characters that cannot be seen",
    "#/properties/spec/properties/providerSpec/properties/statementEntries": "must hold at least one statement",
    "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/action": "must hold at least one action",
    "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/action/items": "must be an IAM action, such as 'ec2:DescribeInstances'",
    "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/resource": "must be '*' or an ARN",
    "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/policyCondition/propertyNames": "must be an operator of IAM conditions, such as 'StringEquals'",
    "#/properties/spec/properties/providerSpec/properties/statementEntries/items/properties/policyCondition/additionalProperties/propertyNames": "must be a condition key, such as 'aws:SourceArn'"
  },
  "knownFields": {
    "#/properties/spec/properties/providerSpec/properties/statementEntries/items": [
      "effect",
      "action",
      "resource",
      "policyCondition"
    ]
  }
});
