import { describe, expect, test } from "vitest";

import { cardTitle } from "./card-title.ts";

const titleOf = (given: string | undefined) => cardTitle(given, "Pro Talent");

describe("the title on a share image", () => {
  test("is the given one, in the direction of its first letter", () => {
    expect(titleOf("What is an ATS")).toEqual({
      text: "What is an ATS",
      graphemes: 14,
      direction: "ltr",
    });
    expect(titleOf("מה זה ATS")).toMatchObject({ text: "מה זה ATS", direction: "rtl" });
    expect(titleOf("98% מקורות החיים").direction).toBe("rtl");
    expect(titleOf("ATS בקיצור").direction).toBe("ltr");
  });

  test.each([undefined, "", "   ", "\u202e\u0000", "🎉🎉", "你好"])(
    "%j is the name of the product",
    (given) => {
      expect(titleOf(given)).toMatchObject({ text: "Pro Talent", direction: "ltr" });
    },
  );

  test("has no control characters, direction overrides, or characters that cannot be drawn", () => {
    expect(titleOf("a\u202eb\u2066c\u0007d\r\n\te").text).toBe("abc d e");
    expect(titleOf("CV 🎉 done").text).toBe("CV done");
    expect(titleOf("שָׁלוֹם").text).toBe("שלום");
    expect(titleOf("Cafe\u0301").text).toBe("Café");
  });

  test("keeps markup as the plain text that it is", () => {
    expect(titleOf("<script>alert(1)</script>").text).toBe("<script>alert(1)</script>");
  });

  test("of more than 120 graphemes is cut, and says so", () => {
    expect(titleOf("a".repeat(120)).text).toBe("a".repeat(120));
    const long = titleOf("word ".repeat(2000));
    expect(long.graphemes).toBe(120);
    expect(long.text.length).toBeLessThanOrEqual(120);
    expect(long.text).toMatch(/word…$/);
  });
});
