import { deflateSync } from "node:zlib";

import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { readCvDocument } from "@pro-talent/schemas/studio/migrate";
import fc from "fast-check";
import { zipSync } from "fflate";
import { expect, it } from "vitest";

import { docxOf } from "./export/docx.ts";
import { readBytes } from "./import/read-bytes.ts";
import { readImport } from "./import/read-import.ts";
import { ordinaryCv } from "./testing/corpus.ts";
import { pdfOf, plainPdf } from "./testing/plain-pdf.ts";

const unreadable = { refused: "import_unreadable" };
const types = Buffer.from("<Types/>");
const wordNamespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const docxWith = (xml: string): Buffer =>
  Buffer.from(zipSync({ "[Content_Types].xml": types, "word/document.xml": Buffer.from(xml) }));

it("a file is read in a process of its own", async () => {
  const file = plainPdf([
    { text: "Noa Levi", y: 760, size: 20 },
    { text: "noa@example.com", y: 740 },
  ]);
  const read = await readImport(file, "en");
  expect(read).toMatchObject({ source: "pdf", document: { profile: { fullName: "Noa Levi" } } });
});

it("a file that is larger than allowed is refused before it is read", async () => {
  const read = await readImport(new Uint8Array(cvLimits.importBytesMax + 1), "en");
  expect(read).toEqual({ refused: "import_too_large" });
});

it("a page that unpacks to more than the memory allowed, or that takes too long, is ended and refused", async () => {
  const content = Buffer.alloc(300 * 1024 * 1024, "(a) Tj ");
  const bomb = pdfOf(deflateSync(content, { level: 9 }), "/Filter/FlateDecode");
  expect(bomb.length).toBeLessThan(cvLimits.importBytesMax);
  expect(await readImport(bomb, "en", { mebibytesMax: 400 })).toEqual(unreadable);
  expect(await readImport(bomb, "en", { secondsMax: 0.01 })).toEqual(unreadable);
});

it("after a file that was ended, the next one is read", async () => {
  const json = Buffer.from(JSON.stringify({ basics: { name: "Noa" } }));
  expect(await readImport(json, "en")).toMatchObject({ source: "json-resume" });
});

it.each([
  ["nothing", Buffer.alloc(0)],
  ["text", Buffer.from("hello")],
  ["JSON of another kind", Buffer.from("[1, 2]")],
  ["JSON that is nested without end", Buffer.from("[".repeat(500_000))],
  ["a PDF without text", plainPdf([])],
  [
    "an encrypted PDF",
    plainPdf([{ text: "Noa", y: 700 }], "/Encrypt <</Filter/Standard/V 2/R 3/O()/U()/P 0>>"),
  ],
  ["an archive of something else", Buffer.from(zipSync({ "readme.txt": types }))],
  [
    "an archive that states too much",
    Buffer.from(zipSync({ "word/document.xml": new Uint8Array(70 * 1024 * 1024) })),
  ],
  ["XML with entities", docxWith('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')],
  ["a document that is broken", docxWith("<w:document>")],
] as const)("%s is refused", async (_, file) => {
  await expect(readBytes(file, "en")).rejects.toBeInstanceOf(Error);
});

it("a file that states less than it unpacks to gives no more than it states", async () => {
  const bytes = 20 * 1024 * 1024;
  const archive = Buffer.from(
    zipSync({ "[Content_Types].xml": types, "word/document.xml": new Uint8Array(bytes) }),
  );
  for (let at = 0; at < archive.length - 4; at += 1)
    if (archive.readUInt32LE(at) === bytes) archive.writeUInt32LE(100, at);
  await expect(readBytes(archive, "en")).rejects.toBeInstanceOf(Error);
});

it("tables within tables do not end the reader", async () => {
  const depth = 2_000;
  const nested = `${"<w:tbl><w:tr><w:tc>".repeat(depth)}<w:p/>${"</w:tc></w:tr></w:tbl>".repeat(depth)}`;
  const xml = `<w:document xmlns:w="${wordNamespace}"><w:body>${nested}</w:body></w:document>`;
  await expect(readBytes(docxWith(xml), "en")).rejects.toBeInstanceOf(Error);
});

/** Either a document or an error: never anything else, and the document is one that can be stored. */
async function readsOrRefuses(file: Buffer): Promise<void> {
  const read = await readBytes(file, "en").catch((error: unknown) => error);
  if (read instanceof Error) return;
  const { document } = await readBytes(file, "en");
  expect(readCvDocument(document)).toEqual(document);
}

it("whatever the bytes are, they are read or refused", async () => {
  const docx = await docxOf(ordinaryCv("en", 1, {}));
  const pdf = plainPdf([
    { text: "Noa Levi", y: 760, size: 20 },
    { text: "Experience", y: 700, size: 14 },
    { text: "Nurse, Carmel, Haifa   2019 - 2020", y: 680 },
  ]);
  const heads = fc.constantFrom("", "%PDF-1.7\n", "PK\u0003\u0004", "{");
  const random = fc
    .tuple(heads, fc.uint8Array({ maxLength: 400 }))
    .map(([head, bytes]) => Buffer.concat([Buffer.from(head, "latin1"), bytes]));
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 12 });
  const damaged = fc.tuple(fc.constantFrom(docx, pdf), changes).map(([file, list]) => {
    const copy = Buffer.from(file);
    for (const [at, byte] of list) copy[at % copy.length] = byte;
    return copy;
  });
  await fc.assert(fc.asyncProperty(fc.oneof(random, damaged), readsOrRefuses), { numRuns: 120 });
});

it("whatever is written in a page, its text becomes a document", async () => {
  const words = fc.constantFrom(
    "Experience",
    "Education",
    "Skills",
    "2019 - 2020",
    "Nurse",
    "a@b.example.com",
    "- x",
    "Hebrew (Native)",
    "|",
    "x".repeat(300),
  );
  const line = fc.record({
    text: words,
    x: fc.integer({ min: 0, max: 500 }),
    y: fc.integer({ min: 0, max: 800 }),
    size: fc.constantFrom(8, 10, 14, 20),
    bold: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 40 }), async (lines) => {
      await readsOrRefuses(plainPdf([...lines, { text: "Noa", y: 790 }]));
    }),
    { numRuns: 40 },
  );
});
