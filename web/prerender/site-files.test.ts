import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { routes } from "../app/routes.ts";
import { addressOf, isListed } from "../app/seo/page-address.ts";
import { languages } from "../i18n/languages.ts";
import { type ListedPage, llms, robots, sitemap } from "./site-files.ts";

const pages: ListedPage[] = languages.flatMap((language) =>
  routes.map((route) => ({
    route,
    changed: route.page === "terms" ? "2025-10-17" : undefined,
    head: {
      title: `${route.page} · Pro Talent`,
      subject: route.page,
      description: `About ${route.page}`,
      canonical: addressOf(route.path, language),
      robots: "max-image-preview:large",
      path: route.path,
      language,
      article: false,
    },
  })),
);
const listed = routes.filter(isListed);

test("the sitemap has every listed page in both languages, each with all its alternates", () => {
  const xml = sitemap(pages);
  const addresses = [...xml.matchAll(/<loc>__PUBLIC_ORIGIN__([^<]*)<\/loc>/g)].map(
    ([, path]) => path,
  );
  expect(addresses).toEqual(
    languages.flatMap((language) => listed.map(({ path }) => addressOf(path, language))),
  );
  expect(xml.match(/<xhtml:link /g)).toHaveLength(listed.length * languages.length * 3);
  expect(xml).not.toMatch(/404|confirmed/);
  expect(xml.match(/<lastmod>2025-10-17<\/lastmod>/g)).toHaveLength(2);
});

test("robots may read everything but the API, and the share images of it", () => {
  expect(robots()).toContain("Allow: /api/og\nDisallow: /api/\n");
  expect(robots()).toContain("Sitemap: __PUBLIC_ORIGIN__/sitemap.xml");
});

test("llms.txt is one title, a summary and a link to every listed page", () => {
  const text = llms(pages);
  expect(text).toMatch(/^# Pro Talent\n\n> About home\n/);
  expect(text.match(/^# /gm)).toHaveLength(1);
  const links = [...text.matchAll(/^- \[[^\]]+\]\(__PUBLIC_ORIGIN__([^)]+)\): /gm)];
  expect(new Set(links.map(([, path]) => path))).toEqual(
    new Set(listed.flatMap(({ path }) => (path === "/" ? [] : [path]))),
  );
});

test("every icon of the manifest is there, in the size that it states", () => {
  const file = (name: string) => fileURLToPath(new URL(`../public/${name}`, import.meta.url));
  const manifest = readFileSync(file("site.webmanifest"), "utf8");
  const icons = [...manifest.matchAll(/"src": "\/([^"]+\.png)"[^}]*"sizes": "(\d+)x\d+"/g)];
  expect(icons.length).toBe(3);
  const stated = icons.map(([, name = "", size]) => ({ name, size: Number(size) }));
  for (const { name, size } of [...stated, { name: "apple-touch-icon.png", size: 180 }]) {
    const png = readFileSync(file(name));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
  }
});
