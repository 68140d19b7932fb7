import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parsePlainForm } from "./plain-forms.ts";
import { ProblemError } from "./problem-details.ts";

const parse = (text: string) => parsePlainForm(Buffer.from(text, "utf8"));

function refusalOf(body: Buffer): string | undefined {
  try {
    parsePlainForm(body);
    return undefined;
  } catch (error) {
    return error instanceof ProblemError ? error.code : "not a refusal";
  }
}

describe("what a form sends without scripts", () => {
  it("is read as its fields, in any language", () => {
    const body =
      "name=%D7%A0%D7%95%D7%A2%D7%94+%D7%9C%D7%95%D7%99&email=noa%40example.com&website=";
    expect(parse(body)).toEqual({ name: "נועה לוי", email: "noa@example.com", website: "" });
  });

  it("has lists where a name comes several times", () => {
    expect(parse("topic=updates&topic=launch&topic=features&a=1")).toEqual({
      topic: ["updates", "launch", "features"],
      a: "1",
    });
  });

  it("has line ends as scripts see them", () => {
    expect(parse("message=one%0D%0Atwo%0Athree")).toEqual({ message: "one\ntwo\nthree" });
  });

  it("may be empty, and may hold empty fields", () => {
    expect(parse("")).toEqual({});
    expect(parse("&a&=b&c=&")).toEqual({ a: "", "": "b", c: "" });
  });

  it.each([
    ["bytes that are no UTF-8", Buffer.from([0x61, 0x3d, 0xff]), "invalid_encoding"],
    ["escapes that are no UTF-8", Buffer.from("a=%FF"), "invalid_encoding"],
    ["half a surrogate pair", Buffer.from("a=%ED%A0%80"), "invalid_encoding"],
    ["a broken escape", Buffer.from("a=%4"), "bad_request"],
    ["an escape of no number", Buffer.from("a=%u05D0"), "bad_request"],
    ["a field that reaches into prototypes", Buffer.from("__proto__=1"), "bad_request"],
    ["the same in escapes", Buffer.from("%5F_proto__=1"), "bad_request"],
    ["another one", Buffer.from("constructor=1"), "bad_request"],
    ["fields without end", Buffer.from("a=1&".repeat(101)), "bad_request"],
  ])("is refused with %s", (_what, body, code) => {
    expect(refusalOf(body)).toBe(code);
  });

  it("comes back as it was entered, whatever it was", () => {
    const name = fc.string().filter((text) => !/^(?:__proto__|constructor|prototype)$/.test(text));
    const text = fc
      .string({ unit: "binary" })
      .map((value) => value.toWellFormed().replaceAll("\r\n", "\n"));
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, text), { selector: ([key]) => key }), (pairs) => {
        const body = new URLSearchParams(Object.fromEntries(pairs)).toString();
        expect(parse(body)).toEqual(Object.fromEntries(pairs));
      }),
    );
  });

  it("never breaks the program, whatever the bytes are", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .string({ unit: fc.constantFrom("%", "&", "=", "+", "a", "F", "_proto_") })
        .map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(bytes, (body) => {
        expect([undefined, "bad_request", "invalid_encoding"]).toContain(
          refusalOf(Buffer.from(body)),
        );
      }),
    );
  });
});
