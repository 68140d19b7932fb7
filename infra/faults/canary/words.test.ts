import { gzipSync, zstdCompressSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { seededRandom } from "../record-load.ts";
import { unpacked, unpackLz4 } from "./stored-forms.ts";
import { WordSearch } from "./stores.ts";
import { PersonalWords } from "./words.ts";

const words = new PersonalWords(seededRandom(1));
const planted = {
  hebrew: words.hebrew("name"),
  upper: words.upper("name"),
  combining: words.combining("name"),
  digits: words.digits("telephone"),
};

/** The words that are found in one piece of data. */
function foundIn(data: Buffer | string, name = "file"): string[] {
  const search = new WordSearch(words.fields.keys());
  for (const form of unpacked(name, Buffer.from(data))) search.add("here", form);
  return [...search.found.keys()];
}

describe("a word is found", () => {
  const written: Record<string, (word: string) => string | Buffer> = {
    "as it is": (word) => word,
    "composed and decomposed": (word) => `${word.normalize("NFC")} ${word.normalize("NFD")}`,
    "in small letters": (word) => word.toLowerCase(),
    "in an address": (word) => `/search?q=${encodeURIComponent(word)}`,
    "in base64 within a longer text": (word) => Buffer.from(`{"a":"${word}"}`).toString("base64"),
    "in hexadecimal": (word) => Buffer.from(word).toString("hex"),
    "in a compressed file": (word) => gzipSync(`before ${word} after`),
  };
  it.each(Object.keys(written))("%s", (how) => {
    const write = written[how] ?? ((word: string) => word);
    for (const word of Object.values(planted)) expect(foundIn(write(word))).toEqual([word]);
  });

  it("with its characters escaped", () => {
    const { hebrew } = planted;
    const code = (at: number): number => hebrew.charCodeAt(at);
    const escapes = Array.from(hebrew, (_character, at) => `\\u0${code(at).toString(16)}`).join("");
    expect(foundIn(escapes)).toEqual([hebrew]);
    expect(foundIn(Array.from(hebrew, (_character, at) => `&#${code(at)};`).join(""))).toEqual([
      hebrew,
    ]);
  });

  it("in a column of ClickHouse, in each of its two compressions", () => {
    const plain = Buffer.from(`${planted.hebrew} ${planted.upper}`);
    // Literals alone, with their length after the token.
    const lz4 = Buffer.concat([Buffer.of(0xf0, plain.length - 15), plain]);
    for (const [method, packed] of [
      [0x82, lz4],
      [0x90, zstdCompressSync(plain)],
    ] as const) {
      const head = Buffer.alloc(25);
      head.writeUInt8(method, 16);
      head.writeUInt32LE(packed.length + 9, 17);
      head.writeUInt32LE(plain.length, 21);
      const found = foundIn(Buffer.concat([head, packed]), "data.bin");
      expect(found.toSorted()).toEqual([planted.hebrew, planted.upper].toSorted());
    }
  });
});

it("copies in an LZ4 block may overlap what they write", () => {
  expect(unpackLz4(Buffer.of(0x15, 0x61, 0x01, 0x00), 10).toString()).toBe("a".repeat(10));
});
