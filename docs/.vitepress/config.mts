// The site: the Markdown files of docs/, as they are. `npm run docs:build` writes it to dist/site.
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { version } from "../../package.json";
import { anchor } from "../../tools/anchor.mjs";
import { home, linkOnSite, navigation } from "../../tools/site.mjs";

const docs = fileURLToPath(new URL("..", import.meta.url));
const tag = `v${version}`;
const pages = navigation();
/** Other versions on the same host, such as "v0.1.0 v0.2.0": the workflow that publishes them sets it. */
const versions = (process.env["DOCS_VERSIONS"] ?? "").split(" ").filter((one) => one !== "");
const site = process.env["DOCS_SITE"] ?? "/";

export default defineConfig({
  title: `ccf ${version}`,
  titleTemplate: `:title | ccf ${version}`,
  description: "Short-lived cloud credentials for OpenShift and OKD clusters, reviewed in Git",
  lang: "en-US",
  head: [["link", { rel: "icon", href: "data:," }]],
  base: process.env["DOCS_BASE"] ?? "/",
  outDir: fileURLToPath(new URL("../../dist/site", import.meta.url)),
  cacheDir: fileURLToPath(new URL("../../node_modules/.cache/vitepress", import.meta.url)),
  rewrites: { "README.md": "index.md", "integrations/README.md": "integrations/index.md" },
  markdown: {
    anchor: { slugify: anchor },
    toc: { slugify: anchor },
    headers: { slugify: anchor },
    config: (md) => {
      // Vue would evaluate braces in a text, and wants both pairs in code.
      const { text, code_inline: code } = md.renderer.rules;
      for (const [name, rule] of Object.entries({ text, code_inline: code }))
        md.renderer.rules[name] = (...given) => rule?.(...given).replaceAll("{{", "&#123;&#123;") ?? "";
      // VitePress's own rule for links runs later.
      md.core.ruler.push("repository-links", ({ tokens, env }) => {
        const page = relative(docs, env.realPath ?? env.path);
        for (const link of tokens.flatMap(({ children }) => children ?? [])) {
          const href = link.attrGet("href");
          if (link.type === "link_open" && href !== null) link.attrSet("href", linkOnSite(page, href, tag));
        }
      });
    },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: { level: [2, 3] },
    sidebar: pages,
    nav: [
      { text: "How it works", link: "/guides/how-it-works" },
      { text: "Commands", link: "/reference/commands" },
      { text: "Findings", link: "/reference/findings" },
      {
        text: version,
        items: [
          { text: "Changelog", link: `${home}/blob/${tag}/CHANGELOG.md` },
          ...versions.map((one) => ({ text: one, link: `${site}${one}/`, target: "_self" })),
        ],
      },
    ],
    socialLinks: [{ icon: "github", link: home }],
  },
});
