import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { assertShallow, eventDataText, storedText, withoutEmails } from "./stored-text.ts";

describe("a text as it is stored", () => {
  it.each([
    ["What is an ATS?", "What is an ATS?"],
    ["שלום 👋", "שלום 👋"],
    ["Mail jane.doe@example.org now", "Mail :redacted now"],
    ["mailto:jane%40example.org", "mailto::redacted"],
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

  it("is made in time that grows with the length only", () => {
    const startedAt = performance.now();
    withoutEmails(`${"a".repeat(200_000)} @ ${"a".repeat(200_000)}`);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

describe("the data of a custom event", () => {
  it("is kept as JSON", () => {
    const data = { plan: "premium", price: 15, tags: ["a", null, true], nested: { ש: "ל" } };
    expect(JSON.parse(eventDataText(data))).toEqual(data);
    expect(eventDataText(undefined)).toBe("{}");
    expect(eventDataText(null)).toBe("{}");
  });

  it("has e-mail addresses redacted in values and names, and stays JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.emailAddress(), (value, email) => {
        const text = eventDataText({ value: JSON.stringify(value).slice(0, 500), [email]: email });
        expect(text).not.toContain(email);
        expect(JSON.parse(text)).toBeTypeOf("object");
      }),
    );
  });

  it("has no half characters, which not every reader of JSON accepts", () => {
    expect(eventDataText({ "a\ud800": ["\udfff", "\\ud800"] })).not.toMatch(/(?<!\\)\\ud[89a-f]/);
  });

  it("is refused when it is longer than 4,096 bytes", () => {
    expect(eventDataText({ a: "x".repeat(4_088) })).toHaveLength(4_096);
    expect(() => eventDataText({ a: "x".repeat(4_089) })).toThrow("invalid_body");
    expect(() => eventDataText({ a: "ש".repeat(2_045) })).toThrow("invalid_body");
  });

  it("is refused when it is nested too deeply", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(7_000)}${"]".repeat(7_000)}`);
    expect(() => assertShallow({ eventData: { deep } })).toThrow("invalid_body");
    expect(() => assertShallow({ eventData: { a: [{ b: [1] }] } })).not.toThrow();
  });
});
