import { expect, test } from "vitest";

import { htmlDocument } from "./document.ts";
import { needsOf } from "./manifest.ts";

const parts = {
  language: "he",
  title: 'A "quoted" <title> & more',
  tags: ['<meta name="description" content="d">'],
  html: "<main></main>",
  headScript: "x()",
  entry: "/assets/main.js",
  modules: ["/assets/texts.js"],
  styles: ["/assets/main.css"],
  fonts: ["/assets/font.woff2"],
} as const;

test("a Hebrew document states its language and direction, on the body too", () => {
  const html = htmlDocument(parts);
  expect(html).toContain('<html lang="he" dir="rtl">');
  expect(html).toContain('<body class="rtl">');
  expect(htmlDocument({ ...parts, language: "en" })).toContain('<html lang="en" dir="ltr">');
});

test("a document asks for its styles and only names its modules", () => {
  const html = htmlDocument(parts);
  expect(html).toContain('<meta name="modules" content="/assets/main.js /assets/texts.js">');
  expect(html).toContain('<link rel="stylesheet" href="/assets/main.css">');
  expect(html).not.toMatch(/<script[^>]+src|modulepreload/);
});

test("the inline script follows the styles, whose fonts it requests", () => {
  const html = htmlDocument(parts);
  expect(html.indexOf("<script>")).toBeGreaterThan(html.indexOf('rel="stylesheet"'));
  expect(html.indexOf("<script>")).toBeLessThan(html.indexOf("</head>"));
});

test("text in the head cannot become markup", () => {
  expect(htmlDocument(parts)).toContain(
    "<title>A &quot;quoted&quot; &lt;title&gt; &amp; more</title>",
  );
});

test("a page needs what its modules import, once, with their styles", () => {
  const manifest = {
    "main.tsx": { file: "assets/main.js", imports: ["_shared.js"], css: ["assets/main.css"] },
    "page.tsx": { file: "assets/page.js", imports: ["_shared.js", "main.tsx"] },
    "_shared.js": { file: "assets/shared.js", css: ["assets/shared.css"] },
  };
  expect(needsOf(manifest, ["main.tsx", "page.tsx"])).toEqual({
    modules: ["/assets/main.js", "/assets/shared.js", "/assets/page.js"],
    styles: ["/assets/main.css", "/assets/shared.css"],
  });
  expect(() => needsOf(manifest, ["missing.tsx"])).toThrow("missing.tsx");
});
