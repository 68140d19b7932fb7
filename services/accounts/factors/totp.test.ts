import { randomBytes } from "node:crypto";

import { describe, expect, it } from "vitest";

import { base32Digits, crockfordDigits, toBase32 } from "./base32.ts";
import { newTotpSecret, stepOfCode, totpCode, totpSecretText, totpStep, totpUri } from "./totp.ts";

/** RFC 6238, appendix B, SHA-1; its codes have eight digits, of which ours are the last six. */
const rfcSecret = Buffer.from("12345678901234567890");
const rfcCodes: [number, string][] = [
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
];

describe("codes of an authenticator", () => {
  it.each(rfcCodes)("are those of RFC 6238 at second %i", (seconds, code) => {
    expect(totpCode(rfcSecret, totpStep(seconds * 1000))).toBe(code.slice(-6));
  });

  it("14: count one step before and after the server's time, and no further", () => {
    for (const nowMs of [1_234_567_890_000, 1_234_567_919_999, 2_000_000_000_000]) {
      const now = totpStep(nowMs);
      const found = [-3, -2, -1, 0, 1, 2, 3].map((late) =>
        stepOfCode(rfcSecret, totpCode(rfcSecret, now + late), nowMs),
      );
      expect(found).toEqual([undefined, undefined, now - 1, now, now + 1, undefined, undefined]);
    }
  });

  it("may be typed with spaces, and are refused when anything else is added or missing", () => {
    const at = 1_234_567_890_000;
    expect(stepOfCode(rfcSecret, "005 924", at)).toBe(totpStep(at));
    for (const typed of ["005925", "05924", "0005924", "", "-05924", "٠٠٥٩٢٤"]) {
      expect(stepOfCode(rfcSecret, typed, at)).toBeUndefined();
    }
  });

  it("are set up with a secret that apps read", () => {
    expect(totpSecretText(rfcSecret)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    expect(newTotpSecret()).toHaveLength(20);
    expect(totpUri(rfcSecret, { issuer: "Pro Talent", email: "noa+a@example.com" })).toBe(
      "otpauth://totp/Pro%20Talent:noa%2Ba%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Pro%20Talent&algorithm=SHA1&digits=6&period=30",
    );
  });
});

it("base 32 has one text for each value", () => {
  for (const digits of [base32Digits, crockfordDigits]) {
    expect(new Set(digits).size).toBe(32);
    const texts = Array.from({ length: 200 }, () => toBase32(randomBytes(10), digits));
    expect(new Set(texts).size).toBe(200);
    expect(new Set(texts.map((text) => text.length))).toEqual(new Set([16]));
  }
});
