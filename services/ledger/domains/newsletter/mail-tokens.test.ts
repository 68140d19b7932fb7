import { createHmac, randomBytes, randomUUID } from "node:crypto";

import { deriveKey } from "@pro-talent/platform/crypto/secrets";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  mailLinks,
  mailTokenKey,
  readToken,
  type TokenPurpose,
  writeToken,
} from "./mail-tokens.ts";

const secret = Buffer.alloc(32, 7);
const context = {
  publicOrigin: "https://pro-talent.example",
  deriveKey: (label: string) => deriveKey(secret, label),
};
const key = mailTokenKey(context);
const anyToken = fc.record({
  purpose: fc.constantFrom<TokenPurpose>("confirm", "manage"),
  subscriberId: fc.uuid(),
  mail: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
});
const other = (purpose: TokenPurpose): TokenPurpose =>
  purpose === "confirm" ? "manage" : "confirm";

describe("a token", () => {
  it("reads as it was written", () => {
    fc.assert(
      fc.property(anyToken, (written) => {
        const token = writeToken(key, written);
        expect(token).toMatch(/^[A-Za-z0-9_-]{56}$/);
        expect(readToken([key], written.purpose, token)).toEqual(written);
      }),
    );
  });

  it("is valid for one purpose only", () => {
    fc.assert(
      fc.property(anyToken, (written) => {
        const token = writeToken(key, written);
        expect(readToken([key], other(written.purpose), token)).toBeUndefined();
      }),
    );
  });

  it("with any byte changed is refused", () => {
    fc.assert(
      fc.property(
        anyToken,
        fc.nat(41),
        fc.integer({ min: 1, max: 255 }),
        (written, place, flip) => {
          const bytes = Buffer.from(writeToken(key, written), "base64url");
          bytes.writeUInt8(bytes.readUInt8(place) ^ flip, place);
          const token = bytes.toString("base64url");
          expect(readToken([key], written.purpose, token)).toBeUndefined();
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("cut short, made longer or spelled differently is refused", () => {
    fc.assert(
      fc.property(anyToken, fc.nat(55), (written, length) => {
        const token = writeToken(key, written);
        for (const wrong of [
          token.slice(0, length),
          `${token}A`,
          `${token}=`,
          ` ${token}`,
          `${token.slice(0, length)}.${token.slice(length)}`,
          `${token}${token}`,
        ]) {
          expect(readToken([key], written.purpose, wrong)).toBeUndefined();
        }
      }),
    );
  });

  it("under another key is refused", () => {
    fc.assert(
      fc.property(anyToken, (written) => {
        const token = writeToken(randomBytes(32), written);
        expect(readToken([key], written.purpose, token)).toBeUndefined();
      }),
    );
  });

  it("is read with the key of a former secret as well", () => {
    const former = randomBytes(32);
    fc.assert(
      fc.property(anyToken, (written) => {
        const token = writeToken(former, written);
        expect(readToken([key, former], written.purpose, token)).toEqual(written);
      }),
    );
  });

  it("of an unknown version or purpose is refused, even with a proof", () => {
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
      expect(readToken([key], "confirm", token)).toBeUndefined();
    }
  });

  it.each(["", "x", "null", "../../etc/passwd", "A".repeat(56), "A".repeat(10_000)])(
    "is not: %s",
    (text) => expect(readToken([key], "confirm", text)).toBeUndefined(),
  );

  it("cannot be made from the ledger's secret used directly", () => {
    const written = { purpose: "manage", subscriberId: randomUUID(), mail: 0 } as const;
    const token = writeToken(secret, written);
    expect(readToken([key], "manage", token)).toBeUndefined();
  });
});

describe("the links of mails", () => {
  const links = mailLinks(context);
  const id = "4f1c9a52-4c3c-4d0e-8d3f-3f5b7d1c2a10";

  it("lead to the pages and the call that they are meant for", () => {
    expect(links.confirm(id, 3)).toMatch(
      /^https:\/\/pro-talent\.example\/newsletter\/confirm\?token=[\w-]{56}$/,
    );
    expect(links.manage(id)).toMatch(/^https:\/\/pro-talent\.example\/newsletter\/preferences\?/);
    expect(links.unsubscribe(id)).toMatch(
      /^https:\/\/pro-talent\.example\/api\/newsletter\/unsubscribe\?/,
    );
  });

  it("to confirm differ with every mail", () => {
    expect(links.confirm(id, 1)).not.toBe(links.confirm(id, 2));
  });
});
