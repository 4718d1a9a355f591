import type { Grouped } from "./groups.ts";
import { type Markup, markup } from "./markup.ts";
import type { Page } from "./page.ts";

/**
 * What the script searches: the permissions of each identity on the page, in the order of their sections, and how their clouds
 * write permissions. It is text in an element that is never shown.
 */
export function searchData({ terms }: Page, { clouds }: Grouped): Markup {
  const identities = clouds.flatMap(({ cloud, identities: some }) =>
    some.map(({ identity: { key, trusts, request, permissions, managedPolicies, boundary } }) => ({
      cloud,
      names: [key, ...trusts.flatMap(({ subjects }) => subjects), request?.name ?? ""],
      permissions: permissions.map(({ principals: _, ...grant }) => grant),
      managedPolicies,
      ...(boundary === null || boundary === undefined ? {} : { boundary }),
    })),
  );
  return markup`<template id="searched">${JSON.stringify({ terms, identities })}</template>
`;
}
