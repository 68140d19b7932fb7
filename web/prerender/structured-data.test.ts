import { expect, test } from "vitest";

import type { PageHead } from "./head-tags.ts";
import { type DescribedPage, structuredData, structuredDataTags } from "./structured-data.ts";

const head: PageHead = {
  title: "What is an ATS · Pro Talent",
  description: "How applicant tracking systems read a CV.",
  subject: "What is an ATS",
  canonical: "/ats/what-is-ats",
  robots: "max-image-preview:large",
  path: "/ats/what-is-ats",
  language: "en",
  article: true,
};
const html = `<nav><ol class="breadcrumb"><li><a data-discover="true" href="/">Home</a></li><li aria-current="page">ATS</li></ol></nav>
<h1 tabindex="-1">What is an <em>ATS</em>?</h1>
<div class="accordion__item"><h3><button><span>Does it reject?</span></button></h3><div><div class="accordion__text"><p>No &lt;never&gt;.</p></div></div></div>`;
const planNames = { free: "Free", essential: "Essential", premium: "Premium" };
const page = (name: string, more: Partial<DescribedPage> = {}): DescribedPage => ({
  page: name,
  head,
  html,
  planNames,
  changed: "2026-03-01",
  ...more,
});
const typesOf = (described: DescribedPage): string[] =>
  structuredData(described).map((thing) => thing["@type"]);

test("each page says what it is", () => {
  const plain = { html: "<h1>x</h1>" };
  expect(typesOf(page("home", plain))).toEqual(["Organization", "WebSite", "SoftwareApplication"]);
  expect(typesOf(page("pricing"))).toEqual([
    "Organization",
    "SoftwareApplication",
    "BreadcrumbList",
  ]);
  expect(typesOf(page("what-is-ats"))).toEqual([
    "Organization",
    "Article",
    "FAQPage",
    "BreadcrumbList",
  ]);
  expect(typesOf(page("about", plain))).toEqual([]);
});

test("the offers are the plans at their monthly prices in dollars", () => {
  const [, , application] = structuredData(page("home"));
  expect(application?.["offers"]).toMatchObject([
    { name: "Free", price: "0.00", priceCurrency: "USD" },
    { name: "Essential", price: "10.00", priceCurrency: "USD" },
    { name: "Premium", price: "20.00", priceCurrency: "USD" },
  ]);
});

test("the article, its questions and its place are those that the page shows", () => {
  const [, article, faq, breadcrumb] = structuredData(page("what-is-ats"));
  expect(article).toMatchObject({
    headline: "What is an ATS?",
    description: head.description,
    inLanguage: "en",
    dateModified: "2026-03-01",
    mainEntityOfPage: "__PUBLIC_ORIGIN__/ats/what-is-ats",
  });
  expect(faq).toMatchObject({
    mainEntity: [{ name: "Does it reject?", acceptedAnswer: { text: "No <never>." } }],
  });
  expect(breadcrumb).toMatchObject({
    itemListElement: [
      { position: 1, name: "Home", item: "__PUBLIC_ORIGIN__/" },
      { position: 2, name: "ATS", item: "__PUBLIC_ORIGIN__/ats/what-is-ats" },
    ],
  });
});

test("in Hebrew it leads to the Hebrew addresses; an unknown day is not claimed", () => {
  const hebrew: PageHead = { ...head, language: "he", canonical: "/ats/what-is-ats?lang=he" };
  const things = structuredData(page("what-is-ats", { head: hebrew, changed: undefined }));
  expect(things[1]).not.toHaveProperty("dateModified");
  expect(JSON.stringify(things[3])).toContain('"item":"__PUBLIC_ORIGIN__/?lang=he"');
});

test("no text can end the data block, which stays readable as JSON", () => {
  const [tag = ""] = structuredDataTags([{ "@type": "Thing", name: "</script><script>x()" }]);
  expect(tag.match(/<\/?script/g)).toHaveLength(2);
  const json: unknown = JSON.parse(tag.replace(/^<script[^>]*>|<\/script>$/g, ""));
  expect(json).toEqual({
    "@context": "https://schema.org",
    "@graph": [{ "@type": "Thing", name: "</script><script>x()" }],
  });
  expect(structuredDataTags([])).toEqual([]);
});
