import { randomBytes, randomUUID } from "node:crypto";

import { seal } from "@pro-talent/platform/crypto/seal";
import { describe, expect, it } from "vitest";

import { candidatesIn, openCandidates } from "./sealed-candidates.ts";

const epochKey = randomBytes(32);
const key = randomBytes(32);
const id = randomUUID();
const wrapped = seal(epochKey, key, id);
const text = JSON.stringify({ email: "canary@example.com", message: "x".repeat(3000) });
const sealed = seal(key, Buffer.from(text), id);

function opened(data: Buffer, keys = [epochKey], isLog = false): string[] {
  const found = candidatesIn(data, isLog);
  const places = new Map([...found].map((candidate) => [candidate, new Set(["here"])]));
  return openCandidates({ places }, keys, [id]).map(({ text: begin }) => begin.slice(0, 30));
}

const around = (bytes: Buffer | string, left: number): Buffer =>
  Buffer.concat([Buffer.alloc(left, "a;"), Buffer.from(bytes), Buffer.alloc(50, ";")]);

describe("sealed bytes in raw data", () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 4095])("open wherever they begin (%i)", (left) => {
    expect(opened(Buffer.concat([around(wrapped, left), around(sealed, left)]))).toEqual([
      '{"email":"canary@example.com",',
    ]);
  });

  it.each(["hex", "base64", "base64url"] as const)(
    "open as %s, also inside a longer run of it",
    (form) => {
      for (const before of [0, 1, 2, 3]) {
        const both = [wrapped, sealed].map((bytes) =>
          around(Buffer.concat([Buffer.alloc(before, 7), bytes]).toString(form), 3),
        );
        expect(opened(Buffer.concat(both))).toHaveLength(1);
      }
    },
  );

  it("open where a page of the write-ahead log ends within them", () => {
    const log = Buffer.alloc(3 * 8192);
    const first = 8192 - 20;
    wrapped.copy(log, first, 0, 20);
    wrapped.copy(log, 8192 + 24, 20);
    sealed.copy(log, 9000);
    expect(opened(log, [epochKey], true)).toHaveLength(1);
    expect(opened(log, [epochKey], false)).toHaveLength(0);
  });

  it("do not open without the key, or without the wrapped key", () => {
    expect(opened(Buffer.concat([wrapped, sealed]), [randomBytes(32)])).toEqual([]);
    expect(opened(around(sealed, 9))).toEqual([]);
  });
});
