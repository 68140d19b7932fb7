import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { pagePath } from "./page-path.ts";

describe("the stored form of a page", () => {
  it.each([
    ["/", "/"],
    ["", "/"],
    ["?a=1", "/"],
    ["/pricing", "/pricing"],
    ["/Pricing/", "/pricing"],
    ["pricing", "/pricing"],
    ["/newsletter/confirmed?email=a@example.org", "/newsletter/confirmed"],
    ["/pricing#plans", "/pricing"],
    ["https://pro-talent.example/ats/what-is-ats?x=1", "/ats/what-is-ats"],
    ["HTTPS://user:pass@host.example/about", "/about"],
    ["//a//b", "/a/b"],
    ["/%D7%A9%D7%9C%D7%95%D7%9D", "/שלום"],
    ["/ats/top-10-resume-tips-for-2026", "/ats/top-10-resume-tips-for-2026"],
  ])("of %s is %s", (page, stored) => {
    expect(pagePath(page)).toBe(stored);
  });

  it.each([
    "/u/jane@example.org",
    "/u/jane%40example.org",
    "/u/jane%2540example.org",
    "/u/0501234567",
    "/u/050-123-4567",
    "/u/+972 50 123 4567",
    "/u/203.0.113.9",
    "/u/2001:db8::1",
    "/u/0b7c4e38-91a5-4b1e-a7a4-0c4f8a3d2e11",
    "/u/9f86d081884c7d659a2feaa0c55ad015",
    "/u/V1StGXR8Z5jdHi6BmyT0",
    "/u/%ff%fe",
    "/u/a%2Fb",
    "/u/a%00b",
    "/u/a%20b",
    `/u/${"a".repeat(65)}`,
  ])("redacts the part that may name a person or be a secret in %s", (page) => {
    expect(pagePath(page)).toBe("/u/:redacted");
  });

  const anyPage = fc.oneof(
    fc.string({ unit: "binary", maxLength: 400 }),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.array(fc.string({ unit: "grapheme", maxLength: 80 })).map((parts) => `/${parts.join("/")}`),
  );

  it("is a bounded path without query, fragment or at sign, whatever is sent", () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const stored = pagePath(page);
        expect(stored).toMatch(/^\/[^?#@%\\\p{C}\p{Z}]*$/u);
        expect(stored.length).toBeLessThanOrEqual(256);
        expect(stored.isWellFormed()).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("stays the same when it is normalised again", () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        expect(pagePath(pagePath(page))).toBe(pagePath(page));
      }),
      { numRuns: 2_000 },
    );
  });

  it("never contains an e-mail address that was anywhere in the path", () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.boolean(), (email, encoded) => {
        const part = encoded ? encodeURIComponent(email) : email.replaceAll(/[/?#]/g, "");
        expect(pagePath(`/people/${part}/edit`)).toBe("/people/:redacted/edit");
      }),
    );
  });
});
