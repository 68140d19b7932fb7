import { expect, test } from "vitest";

import { headTags, type PageHead } from "./head-tags.ts";

const about: PageHead = {
  title: "About “us” & them · Pro Talent",
  description: 'What we aim at, "in short"',
  subject: "About “us” & them",
  canonical: "/about?lang=he",
  robots: "max-image-preview:large",
  path: "/about",
  language: "he",
  article: false,
};
const origin = "__PUBLIC_ORIGIN__";

test("a page names its one address, and both languages name each other", () => {
  expect(headTags(about)).toEqual(
    expect.arrayContaining([
      `<link rel="canonical" href="${origin}/about?lang=he">`,
      `<link rel="alternate" hreflang="en" href="${origin}/about">`,
      `<link rel="alternate" hreflang="he" href="${origin}/about?lang=he">`,
      `<link rel="alternate" hreflang="x-default" href="${origin}/about">`,
      `<meta property="og:url" content="${origin}/about?lang=he">`,
      '<meta property="og:locale" content="he_IL">',
      '<meta property="og:locale:alternate" content="en_US">',
    ]),
  );
});

test("a shared link shows the title drawn on a picture", () => {
  expect(headTags(about)).toEqual(
    expect.arrayContaining([
      `<meta property="og:image" content="${origin}/api/og?title=About%20%E2%80%9Cus%E2%80%9D%20%26%20them">`,
      '<meta property="og:image:width" content="1200">',
      '<meta property="og:image:height" content="630">',
      '<meta property="og:image:alt" content="About “us” &amp; them · Pro Talent">',
      '<meta name="description" content="What we aim at, &quot;in short&quot;">',
      '<meta name="twitter:card" content="summary_large_image">',
    ]),
  );
});

test("what is not listed says so and has no other languages to offer", () => {
  const tags = headTags({ ...about, canonical: undefined, robots: "noindex" }).join("\n");
  expect(tags).toContain('<meta name="robots" content="noindex">');
  expect(tags).not.toMatch(/canonical|hreflang|og:url/);
  const confirmed = headTags({ ...about, robots: "noindex" }).join("\n");
  expect(confirmed).toContain("canonical");
  expect(confirmed).not.toContain("hreflang");
});
