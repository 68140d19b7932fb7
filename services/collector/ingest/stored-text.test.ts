import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { assertShallow, eventDataText, storedText } from "./stored-text.ts";

describe("an id by which an advertiser recognises one click", () => {
  /** As they are made; some are short, or all digits. */
  const ids = fc.oneof(
    fc.record({ name: fc.constantFrom("yclid", "ysclid"), id: fc.stringMatching(/^\d{18}$/) }),
    fc.record({ name: fc.constant("twclid"), id: fc.stringMatching(/^2-[a-z0-9]{17}$/) }),
    fc.record({ name: fc.constant("ttclid"), id: fc.stringMatching(/^E\.C\.P\.[\w-]{60}$/) }),
    fc.record({ name: fc.constant("mc_eid"), id: fc.stringMatching(/^[0-9a-f]{10}$/) }),
    fc.record({ name: fc.constant("msclkid"), id: fc.stringMatching(/^[0-9a-f]{32}$/) }),
    fc.record({
      name: fc.constantFrom("gclid", "FBCLID", "wbraid", "dclid", "li_fat_id", "igshid"),
      id: fc.stringMatching(/^[\w-]{12,60}$/),
    }),
  );

  it("is no part of a text, whole or in part", () => {
    fc.assert(
      fc.property(ids, fc.constantFrom("=", "%3D"), ({ name, id }, sign) => {
        expect(storedText(`cv?utm_source=mail&${name}${sign}${id}&b=1`)).toBe(
          `cv?utm_source=mail&${name}${sign}[click-id]&b=1`,
        );
      }),
    );
  });

  it("is no part of an event's data, by the name of its field", () => {
    fc.assert(
      fc.property(ids, ({ name, id }) => {
        const data = { ad: { [name]: [id] }, at: `/a?${name}=${id}` };
        expect(eventDataText(data)).not.toContain(id);
      }),
    );
    expect(eventDataText({ yclid: 216_433_792, plan: 3 })).toBe('{"yclid":"[click-id]","plan":3}');
  });

  it("is not seen in words", () => {
    for (const text of ["What is a gclid?", "epik: a story", "my_gclid=short", "igsh"]) {
      expect(storedText(text)).toBe(text);
    }
  });
});

describe("a text as it is stored", () => {
  it.each([
    ["What is an ATS?", "What is an ATS?"],
    ["שלום 👋", "שלום 👋"],
    ["Mail jane.doe@example.org now", "Mail [email] now"],
    ["mailto:jane%40example.org", "mailto:[email]"],
    ["tab\tand\u0000null", "tab and null"],
    ["lone \ud800 surrogate", "lone \ufffd surrogate"],
    [null, ""],
    [undefined, ""],
  ])("turns %o into %o", (text, stored) => {
    expect(storedText(text)).toBe(stored);
  });

  it("never contains an e-mail address, a control character or half a character", () => {
    const anyText = fc.string({ unit: "binary", maxLength: 200 });
    fc.assert(
      fc.property(anyText, fc.emailAddress(), anyText, (before, email, after) => {
        const stored = storedText(`${before} ${email} ${after}`);
        expect(stored).not.toContain(email);
        expect(stored).toMatch(/^\P{Cc}*$/u);
        expect(stored.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("the data of a custom event", () => {
  it("is kept as JSON", () => {
    const data = { plan: "premium", price: 15, tags: ["a", null, true], nested: { ש: "ל" } };
    expect(JSON.parse(eventDataText(data))).toEqual(data);
    expect(eventDataText(undefined)).toBe("{}");
    expect(eventDataText(null)).toBe("{}");
  });

  it("is scrubbed at any depth, in names and numbers, by what its fields are called", () => {
    const data = {
      contact: [{ note: "call 050-123-4567" }, ["jane@example.org"]],
      "jane@example.org": 1,
      phone: 972501234567,
      mobile: "5551234",
      views: 5551234,
      orderNumber: 123456782,
      accessToken: "letmein",
      payload: '{"email":"jane%40example.org"}',
      price: 19.99,
    };
    expect(JSON.parse(eventDataText(data))).toEqual({
      contact: [{ note: "call [phone]" }, ["[email]"]],
      "[email]": 1,
      phone: "[phone]",
      mobile: "[phone]",
      views: 5551234,
      orderNumber: 123456782,
      accessToken: "[secret]",
      payload: '{"email":"[email]"}',
      price: 19.99,
    });
  });

  it("has e-mail addresses redacted in values and names, and stays JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.emailAddress(), (value, email) => {
        const text = eventDataText({ value: JSON.stringify(value).slice(0, 500), [email]: email });
        expect(text).not.toContain(email);
        expect(JSON.parse(text)).toBeTypeOf("object");
      }),
      {
        examples: [
          ["", "%0a@a.aa"],
          ["", "%22@a.aa"],
          ["", "%3a%20@a.aa"],
        ],
      },
    );
  });

  it("has no half characters, which not every reader of JSON accepts", () => {
    expect(eventDataText({ "a\ud800": ["\udfff", "\\ud800"] })).not.toMatch(/(?<!\\)\\ud[89a-f]/);
  });

  it("is left out, with a mark, when it is longer than 4,096 bytes", () => {
    expect(eventDataText({ a: "x".repeat(4_088) })).toHaveLength(4_096);
    expect(eventDataText({ a: "x".repeat(4_089) })).toBe('{"_cut":true}');
    expect(eventDataText({ a: "ש".repeat(2_045) })).toBe('{"_cut":true}');
  });

  it("is refused when it is nested too deeply", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(7_000)}${"]".repeat(7_000)}`);
    expect(() => assertShallow({ eventData: { deep } })).toThrow("invalid_body");
    expect(() => assertShallow({ eventData: { a: [{ b: [1] }] } })).not.toThrow();
  });
});
