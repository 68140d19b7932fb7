import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseForm } from "./multipart-form.ts";

const TYPE = "multipart/form-data; boundary=xYz";

function formOf(fields: readonly (readonly [string, string])[]): Buffer {
  const parts = fields.map(
    ([name, value]) =>
      `--xYz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return Buffer.from(`${parts.join("")}--xYz--\r\n`);
}

describe("a form", () => {
  it("gives its fields back as they were written", () => {
    const value = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("--xYz"));
    const fields = fc.array(fc.tuple(fc.stringMatching(/^\w+$/), value));
    fc.assert(
      fc.property(fields, (given) => {
        expect(parseForm(formOf(given), TYPE)).toEqual(given);
      }),
    );
  });

  it("keeps line breaks within and around values", () => {
    const given: [string, string][] = [
      ["query", "\r\nSELECT 1\r\n"],
      ["param_a", "\n\n--x\r\n--"],
      ["param_b", ""],
    ];
    expect(parseForm(formOf(given), TYPE)).toEqual(given);
  });

  it.each(["", "--xYz", "--xYz\r\n\r\n--xYz--", "--xYz\r\nname\r\n\r\nvalue"])(
    "that is broken is refused: %j",
    (text) => {
      expect(() => parseForm(Buffer.from(text), TYPE)).toThrow(/BAD_ARGUMENTS/);
    },
  );

  it("without a boundary or with a file is refused", () => {
    expect(() => parseForm(formOf([]), "multipart/form-data")).toThrow(/BAD_ARGUMENTS/);
    const file =
      '--xYz\r\nContent-Disposition: form-data; name="t"; filename="t"\r\n\r\n1\r\n--xYz--';
    expect(() => parseForm(Buffer.from(file), TYPE)).toThrow(/NOT_IMPLEMENTED/);
  });
});
