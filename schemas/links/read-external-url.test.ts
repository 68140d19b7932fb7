import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readExternalUrl } from "./read-external-url.ts";

describe("the address that a link leads to", () => {
  it.each([
    ["https://example.com/cv", "https://example.com/cv"],
    ["example.com", "https://example.com/"],
    [" https://EXAMPLE.com/a b ", "https://example.com/a%20b"],
    ["https://דוגמה.co.il/קו", "https://xn--6dbbec0c.co.il/%D7%A7%D7%95"],
    ["https://a.example.com.:443/?q=1#top", "https://a.example.com./?q=1#top"],
  ])("%s becomes %s", (text, url) => {
    expect(readExternalUrl(text)).toEqual({ url });
  });

  it.each([
    ["http://example.com", "not-https"],
    ["javascript:alert(1)", "not-https"],
    ["data:text/html,x", "not-https"],
    ["https://user:secret@example.com", "with-password"],
    ["https://127.0.0.1/", "not-public"],
    ["https://0x7f000001/", "not-public"],
    ["https://2130706433/", "not-public"],
    ["https://[::1]/", "not-public"],
    ["https://[::ffff:10.0.0.1]/", "not-public"],
    ["https://localhost/", "not-public"],
    ["https://printer.local/", "not-public"],
    ["https://db.internal/", "not-public"],
    ["https://intranet/", "not-public"],
    ["https://example.com:8443/", "not-public"],
    [`https://example.com/${"a".repeat(2048)}`, "too-long"],
    ["https://", "malformed"],
    ["", "malformed"],
  ])("%s is refused: %s", (text, fault) => {
    expect(readExternalUrl(text)).toEqual({ fault });
  });

  it("whatever is typed, an accepted address is https to a public name, and stays as it is", () => {
    const typed = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.webUrl().map((url) => url.slice(8)),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const read = readExternalUrl(text);
        if (!("url" in read)) return;
        expect(read.url).toMatch(/^https:\/\/[a-z0-9.-]+\.[a-z0-9-]*[a-z][a-z0-9-]*\.?\//u);
        expect(readExternalUrl(read.url)).toEqual(read);
      }),
    );
  });
});
