import { mkdir, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";

import { spellingsOf } from "@pro-talent/platform/search/spellings";
import { describe, expect, it, onTestFinished } from "vitest";

import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { findPlanted, plantedAddress, scanDirectory, textSearch } from "./address-scan.ts";
import { plantedValues } from "./planted-texts.ts";

describe("planted addresses", () => {
  const addresses = Array.from({ length: 20_000 }, (_, n) => plantedAddress(n));

  it("are valid addresses, IPv4 and IPv6", () => {
    expect(new Set(addresses.map((address) => isIP(address)))).toEqual(new Set([4, 6]));
  });

  it("are found in text, between binary bytes and next to other digits", () => {
    const planted = new Set(addresses.slice(0, 10));
    for (const address of planted) {
      const glue = address.includes(":") ? "\u0000" : "7";
      const data = Buffer.from(`\u0001\u0003${glue}${address}${glue}\u0000`, "latin1");
      expect(findPlanted(data, planted)).toContain(address);
    }
  });

  it("are found only where they are", () => {
    expect(findPlanted(Buffer.from("version 1.2.3.4, 10.0.0.1"), new Set(addresses))).toEqual(
      new Set(),
    );
  });
});

describe("planted texts", () => {
  const values = plantedValues();
  const searchFor = (value: string) => textSearch(spellingsOf(value));

  const inBase64 = (text: string) => Buffer.from(text).toString("base64");
  it.each<[string, (value: string) => string]>([
    ["as they are", (value) => `a ${value} b`],
    ["in small letters", (value) => value.toLowerCase()],
    ["in a path", (value) => `/u/${encodeURIComponent(value)}/edit`],
    ["encoded twice", (value) => encodeURIComponent(encodeURIComponent(value))],
    ["as JSON within JSON", (value) => JSON.stringify({ value })],
    ["in hexadecimal", (value) => `00${Buffer.from(value).toString("hex")}ff`],
    ["in base 64", (value) => inBase64(`${value} `)],
    ["in base 64 after one character", (value) => inBase64(`1${value} `)],
    ["in base 64 after two characters", (value) => inBase64(`12${value} `)],
    ["in base 64 for addresses", (value) => Buffer.from(`{"${value}"}`).toString("base64url")],
  ])("are found %s", (_form, written) => {
    // Of a few bytes, base 64 leaves too little to be sure.
    const long = values.filter((value) => Buffer.byteLength(value) >= 9);
    expect(long.length).toBeGreaterThan(0.9 * values.length);
    for (const value of long) {
      const data = Buffer.from(`\u0000${written(value)}\u0001`);
      expect([value, searchFor(value)(data).size > 0]).toEqual([value, true]);
    }
  });

  it("are not found where they are not", () => {
    const search = textSearch(values.flatMap(spellingsOf));
    const others = "Apply by 2026-03-01 for job 12345: jobs@, +, eyJ, sk_live_, [email], [phone]";
    expect(search(Buffer.from(others))).toEqual(new Set());
  });

  it("are found in every file below a directory, also at the end of a large one", async () => {
    const directory = await temporaryDirectory();
    onTestFinished(directory.remove);
    const [one = "", two = ""] = values;
    await mkdir(join(directory.path, "a", "b"), { recursive: true });
    await writeFile(join(directory.path, "a", "b", "part.bin"), `\u0000${one}`);
    await writeFile(join(directory.path, "log"), "x".repeat(64 * 1024 * 1024 - 3) + two);
    const { files, found } = await scanDirectory(directory.path, new Set(), [one, two]);
    expect(files).toBe(2);
    expect(found.get(one)).toContain("part.bin");
    expect(found.get(two)).toContain("log");
  });
});
