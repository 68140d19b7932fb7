import { createHmac, randomBytes, randomUUID } from "node:crypto";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { newsletterLinks } from "./links.ts";
import { newsletterTokenKey, readToken, type TokenPurpose, writeToken } from "./token.ts";

const key = newsletterTokenKey(Buffer.alloc(32, 7));
const link = fc.record({
  purpose: fc.constantFrom<TokenPurpose>("confirm", "manage"),
  subscriberId: fc.uuid(),
  mail: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
});
const other = (purpose: TokenPurpose): TokenPurpose =>
  purpose === "confirm" ? "manage" : "confirm";

describe("a token", () => {
  it("says again what was written", () => {
    fc.assert(
      fc.property(link, (written) => {
        const token = writeToken(key, written);
        expect(token).toMatch(/^[A-Za-z0-9_-]{56}$/);
        expect(readToken(key, written.purpose, token)).toEqual(written);
      }),
    );
  });

  it("is good for one purpose only", () => {
    fc.assert(
      fc.property(link, (written) => {
        const token = writeToken(key, written);
        expect(readToken(key, other(written.purpose), token)).toBeUndefined();
      }),
    );
  });

  it("with any byte changed is refused", () => {
    fc.assert(
      fc.property(link, fc.nat(41), fc.integer({ min: 1, max: 255 }), (written, place, flip) => {
        const bytes = Buffer.from(writeToken(key, written), "base64url");
        bytes.writeUInt8(bytes.readUInt8(place) ^ flip, place);
        const token = bytes.toString("base64url");
        expect(readToken(key, written.purpose, token)).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  it("cut short, made longer or spelled otherwise is refused", () => {
    fc.assert(
      fc.property(link, fc.nat(55), (written, length) => {
        const token = writeToken(key, written);
        for (const wrong of [
          token.slice(0, length),
          `${token}A`,
          `${token}=`,
          ` ${token}`,
          `${token.slice(0, length)}.${token.slice(length)}`,
          `${token}${token}`,
        ]) {
          expect(readToken(key, written.purpose, wrong)).toBeUndefined();
        }
      }),
    );
  });

  it("under another key is refused", () => {
    fc.assert(
      fc.property(link, (written) => {
        const token = writeToken(randomBytes(32), written);
        expect(readToken(key, written.purpose, token)).toBeUndefined();
      }),
    );
  });

  it("of a version or a purpose that is not known is refused, even with a proof", () => {
    for (const [version, purpose] of [
      [2, 1],
      [0, 1],
      [1, 0],
      [1, 3],
    ] as const) {
      const claim = Buffer.alloc(22);
      claim.writeUInt8(version, 0);
      claim.writeUInt8(purpose, 1);
      const proof = createHmac("sha256", key).update(claim).digest().subarray(0, 20);
      const token = Buffer.concat([claim, proof]).toString("base64url");
      expect(readToken(key, "confirm", token)).toBeUndefined();
    }
  });

  it.each(["", "x", "null", "../../etc/passwd", "A".repeat(56), "A".repeat(10_000)])(
    "is not: %s",
    (text) => expect(readToken(key, "confirm", text)).toBeUndefined(),
  );

  it("cannot be made from the ledger's secret used directly", () => {
    const written = { purpose: "manage", subscriberId: randomUUID(), mail: 0 } as const;
    const token = writeToken(Buffer.alloc(32, 7), written);
    expect(readToken(key, "manage", token)).toBeUndefined();
  });
});

describe("the links of mails", () => {
  const links = newsletterLinks({ origin: "https://pro-talent.example", tokenKey: key });
  const id = "4f1c9a52-4c3c-4d0e-8d3f-3f5b7d1c2a10";

  it("open the pages and the call that they are for", () => {
    expect(links.confirm(id, 3)).toMatch(
      /^https:\/\/pro-talent\.example\/newsletter\/confirm\?token=[\w-]{56}$/,
    );
    expect(links.manage(id)).toMatch(/^https:\/\/pro-talent\.example\/newsletter\/preferences\?/);
    expect(links.unsubscribe(id)).toMatch(
      /^https:\/\/pro-talent\.example\/api\/newsletter\/unsubscribe\?/,
    );
  });

  it("to confirm are others with every mail", () => {
    expect(links.confirm(id, 1)).not.toBe(links.confirm(id, 2));
  });
});
