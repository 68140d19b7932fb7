import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readPosting } from "./read-posting.ts";

const posting = {
  "@context": "https://schema.org",
  "@type": "JobPosting",
  title: "Backend Developer",
  hiringOrganization: { "@type": "Organization", name: "Acme" },
  jobLocation: { "@type": "Place", address: { addressLocality: "Tel Aviv", addressCountry: "IL" } },
};
const script = (json: string, type = "application/ld+json") =>
  `<script type="${type}">${json}</script>`;
const read = { role: "Backend Developer", company: "Acme", place: "Tel Aviv" };

describe("structured data of a posting", () => {
  it.each<[string, string]>([
    ["as it is", JSON.stringify(posting)],
    ["in a list", JSON.stringify([{ "@type": "WebSite", name: "Site" }, posting])],
    ["in a graph", JSON.stringify({ "@graph": [{ "@type": "Organization" }, posting] })],
    ["of a page", JSON.stringify({ "@type": "WebPage", mainEntity: posting })],
    ["of several types", JSON.stringify({ ...posting, "@type": ["Thing", "JobPosting"] })],
    ["with several places", JSON.stringify({ ...posting, jobLocation: [posting.jobLocation, {}] })],
    ["with a company as text", JSON.stringify({ ...posting, hiringOrganization: "Acme" })],
    ["with a comma too many", JSON.stringify(posting).replace("}}}", "},},}")],
    [
      "with line breaks in texts",
      JSON.stringify({ ...posting, description: "@" }).replace("@", "a\n\tb"),
    ],
    ["in a comment", `<!-- ${JSON.stringify(posting)} -->`],
    ["in a section of characters", `//<![CDATA[\n${JSON.stringify(posting)}\n//]]>`],
    ["with a semicolon", `${JSON.stringify(posting)};\n`],
    [
      "after a script that is broken",
      `{"@type": "JobPosting"</script>${script(JSON.stringify(posting)).replace("</script>", "")}`,
    ],
    [
      "with characters of HTML",
      JSON.stringify({ ...posting, title: "Backend&nbsp;<b>Developer</b>" }),
    ],
  ])("is read %s", (_what, json) => {
    expect(readPosting(`<html><head><title>Jobs</title>${script(json)}</head>`)).toEqual(read);
  });

  it("is no program, even if its type is written like one", () => {
    const html = `<title>Designer at Wix</title>`;
    const other = script(JSON.stringify(posting), "text/javascript");
    expect(readPosting(html + other)).toMatchObject({ role: "Designer", company: "Wix" });
    expect(readPosting(html + script(JSON.stringify(posting), " Application/LD+JSON"))).toEqual(
      read,
    );
  });

  it("falls back, field by field, to microdata and titles", () => {
    const { title, ...rest } = posting;
    expect(title).toBe(read.role);
    const page = `<meta property="og:title" content="Data Analyst at Other">`;
    expect(readPosting(page + script(JSON.stringify(rest)))).toEqual({
      ...read,
      role: "Data Analyst",
    });
  });

  it("is read as microdata", () => {
    const html = `<title>x</title><svg><title>Icon at Nowhere</title></svg>
      <article itemscope itemtype="http://schema.org/JobPosting"><h1 itemprop="title">Backend <b>Developer</b></h1>
      <div itemprop="hiringOrganization" itemscope><img itemprop="logo" src="a"><a itemprop="name">Acme</a></div>
      <p itemprop="jobLocation"><span itemprop="address"><meta itemprop="addressLocality" content="Tel Aviv"></span></p>
      <p itemprop="description">title</p></article>`;
    expect(readPosting(html)).toEqual(read);
  });
});

describe("the title of a posting", () => {
  it.each([
    ["Backend Developer at Acme", "Backend Developer", "Acme"],
    ["Backend Developer @ Acme | LinkedIn", "Backend Developer", "Acme"],
    ["Backend Developer - Acme - Tel Aviv | Indeed.com", "Backend Developer", "Acme"],
    ["Backend Developer – Acme", "Backend Developer", "Acme"],
    ["Acme hiring Backend Developer in Tel Aviv, Israel | LinkedIn", "Backend Developer", "Acme"],
    ["Job Application for Backend Developer at Acme", "Backend Developer", "Acme"],
    ["Acme - Senior Backend Developer", "Senior Backend Developer", "Acme"],
    ["Product Manager | Acme | Glassdoor", "Product Manager", "Acme"],
    ["Full-Stack Developer", "Full-Stack Developer", ""],
    ["Verifying Engineer at Acme", "Verifying Engineer", "Acme"],
    ["מפתח/ת Backend בחברת אקמי", "מפתח/ת Backend", "אקמי"],
    ["דרוש/ה מנהל/ת מוצר לחברת אקמי | AllJobs", "מנהל/ת מוצר", "אקמי"],
    ["דרושים: אנליסטית - אקמי - תל אביב", "אנליסטית", "אקמי"],
    ["מפתחת React בחברת אקמי", "מפתחת React", "אקמי"],
    ["מעצבת מוצר ב-Monday", "מעצבת מוצר", "Monday"],
    ["מעצבת מוצר בMonday", "מעצבת מוצר", "Monday"],
    ["אקמי מגייסת ראש צוות פיתוח", "ראש צוות פיתוח", "אקמי"],
    ["אקמי - מהנדסת תוכנה", "מהנדסת תוכנה", "אקמי"],
  ])("%s", (title, role, company) => {
    expect(readPosting(`<title>${title}</title>`)).toEqual({ role, company, place: "" });
    const shared = `<meta property="og:title" content="${title}"><title>Welcome</title>`;
    expect(readPosting(shared)).toEqual({ role, company, place: "" });
  });

  it("takes the company from the name of the site, unless that is a job board", () => {
    const page = (site: string) =>
      `<meta property="og:site_name" content="${site}"><title>Backend Developer</title>`;
    expect(readPosting(page("Acme"))?.company).toBe("Acme");
    expect(readPosting(page("LinkedIn"))?.company).toBe("");
  });

  it.each([
    "Sign Up | LinkedIn",
    "Just a moment...",
    "Access Denied",
    "404 Not Found",
    "כניסה למערכת",
  ])("%s is of a page before the posting", (title) => {
    expect(readPosting(`<title>${title}</title>`)).toBeUndefined();
  });

  it("is missing on a page that names nothing", () => {
    for (const html of [
      "",
      "text",
      "<title> </title>",
      "<title>LinkedIn</title>",
      "\0\0\0",
      "%PDF-1.7",
    ])
      expect(readPosting(html)).toBeUndefined();
  });
});

describe("a page that means harm", () => {
  it("has neither scripts nor invisible characters in what is read of it", () => {
    const title =
      "Dev<script>alert(1)</script>\u202Eeloper\u2066\u0000 <style>a{}</style>&lt;img onerror=x&gt;";
    const json = JSON.stringify({ ...posting, title }).replaceAll("</", "<\\/");
    const found = readPosting(script(json));
    expect(found?.role).toBe("Developer <img onerror=x>");
    expect(readPosting("<title>Developer\u202E at \u200BAcme\u2069</title>")).toMatchObject({
      role: "Developer",
      company: "Acme",
    });
  });

  it("is cut where a field is long, never within a character", () => {
    const found = readPosting(
      script(JSON.stringify({ ...posting, title: "😀".repeat(150) + "a" })),
    );
    expect(found?.role).toBe("😀".repeat(100));
    const long = readPosting(script(JSON.stringify({ ...posting, title: `a${"😀".repeat(150)}` })));
    expect(long?.role).toBe(`a${"😀".repeat(99)}`);
  });

  it.each<[string, string]>([
    ["elements within elements", "<b>".repeat(300_000)],
    ["elements that end nothing", "<b>".repeat(100_000) + "</i>".repeat(100_000)],
    ["one element with a hundred thousand attributes", `<a ${"b=c ".repeat(250_000)}>`],
    ["lists within lists", script("[".repeat(1_000_000))],
    ["objects within objects", script('{"@graph":'.repeat(100_000))],
    ["spaces before a mistake", script(`{${" ".repeat(1_000_000)}x`)],
    ["a million commas", script(",".repeat(1_000_000))],
    ["comments that do not end", script("<!--".repeat(250_000))],
    ["many scripts", script("{}").repeat(20_000)],
    ["brackets alone", "<".repeat(1_000_000)],
    ["an endless title", `<title>${"a - ".repeat(250_000)}`],
    ["prototypes", script('{"__proto__":{"@type":"JobPosting"},"constructor":1}')],
  ])("of %s is read without harm", (_what, html) => {
    expect(readPosting(`<title>Developer at Acme</title>${html}`)?.company).toBe("Acme");
  });

  it("gives lines of at most 200 characters, whatever it contains", () => {
    const part = fc.oneof(
      fc.constantFrom(
        "<title>",
        "<script type=application/ld+json>",
        "</script>",
        "<meta property=og:title content='",
        "'>",
        JSON.stringify(posting),
        " at ",
        " - ",
      ),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        for (const text of Object.values(readPosting(parts.join("")) ?? {})) {
          expect(text.length).toBeLessThanOrEqual(200);
          expect(text).not.toMatch(/[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u);
        }
      }),
    );
  });
});
