import { cvCalls } from "@pro-talent/schemas/studio/calls";
import { CvDocument } from "@pro-talent/schemas/studio/document";
import { mergeDocuments } from "@pro-talent/schemas/studio/merge";
import { readCvDocument } from "@pro-talent/schemas/studio/migrate";
import type { BrowserContext } from "playwright-core";
import { z } from "zod";

import { visitAccount } from "./account-visitor.ts";
import { type AnsweredRequest, answerCalls } from "./answer-calls.ts";
import type { Language, Stack } from "./fixtures.ts";
import {
  answerLinks,
  type Answers as LinkAnswers,
  linkOf,
  ok as linksOk,
  usual,
} from "./link-answers.ts";

export const cvId = "0198c5a0-7c1e-7b5a-9d2e-3f4a5b6c7d8e";
const otherId = "0198c5a0-7c1e-7b5a-9d2e-3f4a5b6c7d8f";
const at = "2026-11-22T12:20:00.000Z";

const point = (id: string, text: string) => ({ id, text: [{ text }] });
const position = (id: string, role: string, organisation: string) => ({
  id,
  role,
  organisation,
  start: "2019-03",
  end: "present",
  bullets: [point(`${id}b1`, `${role}: first`), point(`${id}b2`, `${role}: second`)],
});
/** A CV with two positions and a summary. */
export const example = readCvDocument({
  version: 1,
  language: "en",
  page: {},
  profile: { fullName: "Dana Levi", headline: "Nurse", email: "dana.levi@example.com" },
  sections: [
    { id: "s1", kind: "summary", entries: [{ id: "e0", text: [{ text: "Cares for people." }] }] },
    {
      id: "s2",
      kind: "experience",
      entries: [position("e1", "Head nurse", "Rambam"), position("e2", "Nurse", "Ichilov")],
    },
  ],
});

type Answer = { status: number; json: unknown };
const ok = (json: unknown, status = 200): Answer => ({ status, json });
const refusal = (status: number, code: string): Answer => ({
  status,
  json: { code, error: "No." },
});

const Edit = z.object({ basedOn: z.int(), document: CvDocument });

/** The pages of a preview, as far as journeys need them. */
const pages = {
  drawing: { width: 595, height: 842, outlines: [], marks: [] },
  pages: 1,
  charactersWithoutGlyph: [] as string[],
};

/** The calls about CVs as journeys without the service need them; edits are kept, each answer can be replaced. */
export class CvAnswers {
  documents: CvDocument[] = [example];
  /** Place of the current version. */
  at = 0;
  archived = false;
  hasCv = true;
  /** By call: what is answered instead, as often as it is there. */
  readonly instead = new Map<string, Answer | "lost" | "awaited">();
  readonly calls: string[] = [];
  /** Calls about links and their opens. */
  links: LinkAnswers = { ...usual, "/api/links": linksOk(linksToCv) };

  #summary() {
    const document = this.documents[this.at] ?? example;
    return {
      cvId,
      title: "Head nurse, Haifa",
      language: document.language,
      template: document.page.template,
      version: this.documents.length,
      savedAt: at,
      archivedAt: this.archived ? at : null,
      otherLanguage: otherId,
    };
  }

  #state() {
    const document = this.documents[this.at] ?? example;
    const canRedo = this.at < this.documents.length - 1;
    return { ...this.#summary(), document, canUndo: this.at > 0, canRedo };
  }

  #edited(request: AnsweredRequest): Answer {
    const { basedOn, document } = Edit.parse(request.postDataJSON());
    const current = this.documents[this.at] ?? example;
    const base = this.documents[basedOn - 1] ?? current;
    const { merged, conflicts } = mergeDocuments(base, current, document);
    if (JSON.stringify(merged) !== JSON.stringify(current)) {
      this.documents.push(readCvDocument(merged));
      this.at = this.documents.length - 1;
    }
    return ok({ cv: this.#state(), conflicts });
  }

  #reply(call: string, request: AnsweredRequest): Answer {
    const one = `/api/cvs/${cvId}`;
    const other = {
      ...this.#summary(),
      cvId: otherId,
      language: "he",
      title: "אחות ראשית",
      otherLanguage: cvId,
    };
    switch (call) {
      case "GET /api/cvs":
        return ok({ cvs: this.hasCv ? [this.#summary(), other] : [], cvsMax: 50 });
      case "POST /api/cvs":
        return ok({ cv: this.#state() }, 201);
      case `GET ${one}`:
      case `GET /api/cvs/${otherId}`:
        return ok({ cv: this.#state() });
      case `POST ${one}/edits`:
        return this.#edited(request);
      case `POST ${one}/undo`:
        this.at = Math.max(0, this.at - 1);
        return ok({ cv: this.#state() });
      case `POST ${one}/redo`:
        this.at = Math.min(this.documents.length - 1, this.at + 1);
        return ok({ cv: this.#state() });
      case `GET ${one}/versions`:
        return ok(versions);
      case `GET ${one}/versions/1`:
        return ok({ version: versions.versions[1], document: example });
      case "POST /api/cvs/preview":
        return ok(pages);
      case `GET ${one}/check`:
        return ok(check);
      case "POST /api/cvs/import":
        return ok(imported);
      default:
        return refusal(404, "cv_not_found");
    }
  }

  async takeOver(context: BrowserContext): Promise<void> {
    await answerCalls(
      context,
      (path) => path.startsWith("/api/cvs"),
      async (route) => {
        const request = route.request();
        const call = `${request.method()} ${new URL(request.url()).pathname}`;
        this.calls.push(call);
        const instead = this.instead.get(call);
        if (instead === "awaited") return;
        if (instead === "lost") await route.abort();
        else await route.fulfill(instead ?? this.#reply(call, request));
      },
    );
  }
}

/** One link to the current version that was opened, one to a version, and one to something else. */
export const linksToCv = {
  links: [
    linkOf(1, "Rambam", { cv: { cvId, version: null } }),
    linkOf(2, "איכילוב", { cv: { cvId, version: 1 }, status: "revoked" }),
    linkOf(3, "Globex"),
  ],
  linksMax: 500,
};
const versions = cvCalls["GET /api/cvs/:cvId/versions"].answer.parse({
  versions: [
    { version: 2, savedAt: at, name: null },
    { version: 1, savedAt: at, name: "For Rambam" },
  ],
});
const field = (path: string, text: string, found: string, advice: string | null = null) => ({
  path,
  text,
  found,
  advice,
});
export const check = cvCalls["GET /api/cvs/:cvId/check"].answer.parse({
  version: 1,
  readings: [
    {
      file: "docx",
      reader: "mammoth",
      fields: [field("profile.fullName", "Dana Levi", "whole")],
      words: 1,
      order: 1,
    },
    {
      file: "pdf",
      reader: "pdf.js",
      fields: [
        field("profile.fullName", "Dana Levi", "whole"),
        field("sections.s2.e1.title", "Head nurse", "damaged", "prefer-docx"),
        field("sections.s2.e2.title", "Nurse", "missing", "shorten-word"),
      ],
      words: 0.97,
      order: 0.8,
    },
  ],
  recommended: "docx",
  charactersWithoutGlyph: ["漢"],
});
export const imported = cvCalls["POST /api/cvs/import"].answer.parse({
  source: "pdf",
  document: example,
  findings: [
    { path: "work.0.startDate", code: "not-a-date", text: "spring" },
    { path: "interests", code: "no-place", text: "Sailing" },
  ],
});

/** An owner of CVs whose calls are answered here. @param stack the pages alone */
export async function visitCvs(
  stack: Stack,
  path: string,
  language: Language,
  prepare?: (answers: CvAnswers) => unknown,
) {
  const colorScheme = language === "en" ? ("light" as const) : ("dark" as const);
  const answers = new CvAnswers();
  const { page, visitor } = await visitAccount(stack, path, {
    language,
    colorScheme,
    alsoAnswer: async (context) => {
      prepare?.(answers);
      await answers.takeOver(context);
      await answerLinks(context, answers.links);
    },
  });
  return { page, visitor, answers };
}
