import { randomUUID } from "node:crypto";

import { Drawing } from "@pro-talent/schemas/studio/drawing";
import { readCvDocument } from "@pro-talent/schemas/studio/migrate";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { fileNameOf } from "./files.ts";
import { ordinaryCv } from "./testing/corpus.ts";
import {
  openStudioUnderTest,
  refusalIn,
  type Studio,
  withProfile,
} from "./testing/studio-under-test.ts";

let studio: Studio;
beforeAll(async () => {
  studio = await openStudioUnderTest();
});
afterAll(() => studio.drop());

const previewOf = async (document: object, accountId: string = randomUUID()) =>
  z
    .object({ drawing: Drawing, pages: z.int(), charactersWithoutGlyph: z.array(z.string()) })
    .parse((await studio.call(accountId, "POST /api/cvs/preview", { document })).json());
const picture = async (): Promise<string> => {
  const drawn = sharp({ create: { width: 800, height: 600, channels: 3, background: "#357" } });
  const bytes = await drawn
    .withExif({ IFD0: { Artist: "Dana Levi" } })
    .jpeg()
    .toBuffer();
  return bytes.toString("base64");
};

describe("a person sees", () => {
  it("the pages of what they write before it is saved, and the characters that no typeface has", async () => {
    const document = withProfile(ordinaryCv("en", 2, {}), { headline: "Nurse 漢" });
    const { drawing, pages, charactersWithoutGlyph } = await previewOf(document);
    expect([Math.round(drawing.height), pages, charactersWithoutGlyph]).toEqual([1684, 2, ["漢"]]);
  });

  it("no photo of someone else, whatever their document names", async () => {
    const { accountId, cvId } = await studio.make();
    const path = `POST /api/cvs/${cvId}/photo`;
    const stored = await studio.call(accountId, path, { content: await picture() });
    const { file } = stored.json<{ file: string }>();
    const plain = ordinaryCv("en", 1, { showPhoto: true });
    const document = withProfile(plain, { photo: { file, alt: "" } });
    const [own, others, none] = [
      await previewOf(document, accountId),
      await previewOf(document),
      await previewOf(plain),
    ];
    const pictures = ({ drawing }: typeof own) =>
      drawing.marks.filter(({ kind }) => kind === "picture").length;
    expect(pictures(own)).toBe(1);
    expect(others.drawing).toEqual(none.drawing);
  });

  it("that what takes too long to draw has to be shortened", async () => {
    const strict = await openStudioUnderTest({ drawingSecondsMax: 0.001 });
    const body = { document: ordinaryCv("en", 6, {}) };
    const answer = await strict.call(randomUUID(), "POST /api/cvs/preview", body);
    expect(refusalIn(answer)).toEqual([422, "cv_not_drawn"]);
    await strict.drop();
  });

  it("a refusal after too many previews, which others do not notice", async () => {
    const limited = await openStudioUnderTest({ previewsPerMinute: 2 });
    const body = { document: ordinaryCv("en", 1, {}) };
    const [one, other] = [randomUUID(), randomUUID()];
    const statusOf = async (accountId: string) =>
      (await limited.call(accountId, "POST /api/cvs/preview", body)).statusCode;
    expect([await statusOf(one), await statusOf(one), await statusOf(one)]).toEqual([
      200, 200, 429,
    ]);
    expect(await statusOf(other)).toBe(200);
    await limited.drop();
  });
});

describe("a file of a CV", () => {
  it.each([
    ["pdf", "%PDF-"],
    ["docx", "PK"],
    ["txt", ""],
    ["json", "{"],
  ])("as %s has the title as its name", async (format, start) => {
    const { accountId, cvId } = await studio.make({ document: ordinaryCv("he", 1, {}) });
    await studio.call(accountId, `PATCH /api/cvs/${cvId}`, { title: "קו״ח: דנה (סופי)" });
    const file = await studio.call(accountId, `GET /api/cvs/${cvId}/files/${format}`);
    expect(file.headers["content-disposition"]).toBe(
      `attachment; filename*=UTF-8''%D7%A7%D7%95%D7%B4%D7%97%20%D7%93%D7%A0%D7%94%20%28%D7%A1%D7%95%D7%A4%D7%99%29.${format}`,
    );
    expect(file.rawPayload.toString("latin1").startsWith(start)).toBe(true);
  });

  it("as PDF has the same bytes until the next edit", async () => {
    const { accountId, cvId } = await studio.make({ document: ordinaryCv("he", 1, {}) });
    const get = async () =>
      (await studio.call(accountId, `GET /api/cvs/${cvId}/files/pdf`)).rawPayload;
    const first = await get();
    studio.advance(60_000);
    expect(first.equals(await get())).toBe(true);
  });

  it("is checked as programs read it, field by field", async () => {
    const { accountId, cvId } = await studio.make({ document: ordinaryCv("en", 1, {}) });
    const answer = await studio.call(accountId, `GET /api/cvs/${cvId}/check`);
    const { readings, version } = z
      .object({
        version: z.int(),
        readings: z.array(
          z.object({ reader: z.string(), fields: z.array(z.object({ found: z.string() })) }),
        ),
      })
      .parse(answer.json());
    expect([version, readings.map(({ reader }) => reader)]).toEqual([
      1,
      ["pdf.js", "pdfium", "mammoth"],
    ]);
    for (const { fields } of readings)
      expect(fields.every(({ found }) => found === "whole")).toBe(true);
  });

  it("never has a name that a system would refuse", () => {
    expect(fileNameOf('../a\\b:c*d?"<>|')).toBe("a b c d");
    expect(fileNameOf("///")).toBe("CV");
    expect(fileNameOf("א".repeat(300))).toHaveLength(100);
  });
});

describe("a photo", () => {
  it("is stored without its metadata; a copy of the CV has one of its own, which stays when the first CV is deleted", async () => {
    const { accountId, cvId, cv } = await studio.make();
    const path = `/api/cvs/${cvId}`;
    const stored = await studio.call(accountId, `POST ${path}/photo`, { content: await picture() });
    const { file } = stored.json<{ file: string }>();
    const document = withProfile(
      { ...cv.document, page: { ...cv.document.page, showPhoto: true } },
      { photo: { file, alt: "" } },
    );
    await studio.state(accountId, `POST ${path}/edits`, { basedOn: 1, document });
    const body = { title: "Copy", language: "he", copyOf: cvId };
    const copy = await studio.state(accountId, "POST /api/cvs", body);
    await studio.call(accountId, `DELETE ${path}`);
    expect(copy.document.profile.photo?.file).not.toBe(file);
    const [row] = await studio.sql<{ sealed: Buffer }[]>`
      select sealed from studio.photo where account_id = ${accountId}`;
    const sealer = await studio.context.keys.sealerOf(studio.sql, accountId);
    const copied = copy.document.profile.photo?.file ?? "";
    const bytes = sealer.unseal(row?.sealed ?? Buffer.alloc(0), `photo ${copied}`);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 512 });
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
  });

  it("that is no picture is refused; of many the oldest that are not shown are deleted", async () => {
    const { accountId, cvId } = await studio.make();
    const path = `POST /api/cvs/${cvId}/photo`;
    const noPicture = Buffer.from("text").toString("base64");
    expect(refusalIn(await studio.call(accountId, path, { content: noPicture }))).toEqual([
      422,
      "photo_unreadable",
    ]);
    const content = await picture();
    for (let stored = 0; stored < 23; stored += 1) await studio.call(accountId, path, { content });
    const kept = await studio.sql`select from studio.photo where cv_id = ${cvId}`;
    expect(kept.length).toBeLessThanOrEqual(20);
  });
});

describe("what the service stores", () => {
  it("holds no word of a CV in the clear", async () => {
    const document = withProfile(ordinaryCv("en", 1, {}), { fullName: "Zebulon Quartermaine" });
    const { accountId, cvId } = await studio.make({ document });
    await studio.call(accountId, `PATCH /api/cvs/${cvId}/versions/1`, { name: "Quartermaine" });
    const rows = await studio.sql`
      select cv::text || v::text as text from studio.cv join studio.cv_version v using (cv_id)
       where cv_id = ${cvId}`;
    const stored = JSON.stringify(rows);
    for (const word of ["Quartermaine", "My CV"])
      expect([stored.includes(word), stored.includes(Buffer.from(word).toString("hex"))]).toEqual([
        false,
        false,
      ]);
  });

  it("is part of the copy of a person's data: each CV with its versions, and each photo", async () => {
    const { accountId, cvId, cv } = await studio.make();
    await studio.call(accountId, `POST /api/cvs/${cvId}/photo`, { content: await picture() });
    const edit = { basedOn: 1, document: withProfile(cv.document, { fullName: "Dana" }) };
    await studio.call(accountId, `POST /api/cvs/${cvId}/edits`, edit);
    const { records, files } = await studio.internal(`GET /internal/cvs/of/${accountId}/held`, {
      records: z.array(z.array(z.looseObject({ field: z.string() }))),
      files: z.array(z.object({ fileId: z.string(), name: z.string() })),
    });
    expect(records).toHaveLength(1);
    expect(records[0]).toContainEqual({ field: "label", text: "My CV" });
    expect(files.map(({ name }) => name)).toEqual(["My CV.json", "cv-photo.webp"]);
    const whole = await studio.internal(`GET /internal/cvs/of/${accountId}/files/${cvId}`, {
      versions: z.array(z.object({ version: z.int(), document: z.unknown() })),
    });
    expect(whole.versions.map(({ version }) => version)).toEqual([2, 1]);
    expect(readCvDocument(whole.versions[0]?.document).profile.fullName).toBe("Dana");
  });

  it("is erased with the key of the account, found by a search before and not after; others keep theirs", async () => {
    const document = withProfile(ordinaryCv("en", 1, {}), { email: "dana.levi@example.com" });
    const { accountId, cvId } = await studio.make({ document });
    const other = await studio.make();
    const base = `/internal/cvs/of/${accountId}`;
    const traces = await studio.internal(`GET ${base}/traces`, {
      values: z.array(z.string()),
      ids: z.array(z.string()),
    });
    expect([traces.values, traces.ids]).toEqual([
      expect.arrayContaining(["dana.levi@example.com"]),
      [cvId],
    ]);
    const search = async () =>
      (
        await studio.internal(
          "POST /internal/cvs/searches",
          { stores: z.array(z.object({ decoy: z.boolean(), hits: z.int() })) },
          { ...traces, ids: [...traces.ids, accountId] },
        )
      ).stores;
    expect((await search())[0]).toMatchObject({ decoy: true, hits: 3 });
    const counts = { found: z.int(), left: z.int() };
    const erased = await studio.internal(`DELETE ${base}`, counts);
    expect(erased).toEqual({ found: 3, left: 0 });
    expect(await search()).toMatchObject([{ decoy: true, hits: 0 }]);
    expect(await studio.internal(`DELETE ${base}`, counts)).toEqual({ found: 0, left: 0 });
    expect((await studio.state(other.accountId, `GET /api/cvs/${other.cvId}`)).title).toBe("My CV");
  });
});
