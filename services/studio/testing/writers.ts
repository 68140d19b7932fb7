import { CvState } from "@pro-talent/schemas/studio/calls";
import { CvDocument } from "@pro-talent/schemas/studio/document";
import { mergeDocuments } from "@pro-talent/schemas/studio/merge";
import { plainRuns } from "@pro-talent/schemas/studio/rich-text";
import { z } from "zod";

/** Answers of the service; undefined where one is lost, whether or not the call arrived. */
export type Transport = (
  method: "GET" | "POST",
  path: string,
  body?: object,
) => Promise<{ readonly status: number; readonly body: unknown } | undefined>;

/** What a person does next in one of two tabs; `answers`: whether the answer arrives. */
export type Act = {
  readonly tab: 0 | 1;
  readonly does: "heading" | "entry" | "bullet" | "role" | "reorder" | "save" | "undo" | "redo";
  readonly answers: boolean;
};

const Answer = z.object({ cv: CvState });
const Versions = z.object({ versions: z.array(z.object({ version: z.int() })) });

/** A CV with one position and two entries, to be edited by {@link runTabs}. */
export const editedCv = (): CvDocument =>
  CvDocument.parse({
    version: 1,
    language: "en",
    page: {},
    profile: {},
    sections: [{ id: "work", kind: "experience", entries: [{ id: "first" }, { id: "second" }] }],
  });

/** A tab: what its person sees, and what it has sent and not seen answered, which it sends again. */
class Tab {
  readonly #path: string;
  #known: CvState;
  #shown: CvDocument;
  #sent: { readonly basedOn: number; readonly document: CvDocument } | undefined;

  constructor(cv: CvState) {
    this.#path = `/api/cvs/${cv.cvId}`;
    this.#known = cv;
    this.#shown = cv.document;
  }

  get shown(): CvDocument {
    return this.#shown;
  }

  write(does: Act["does"], token: string): void {
    this.#shown = written(this.#shown, does, token);
  }

  /** @returns the document that the service has acknowledged; undefined while it has not */
  async save(transport: Transport): Promise<CvDocument | undefined> {
    this.#sent ??= { basedOn: this.#known.version, document: this.#shown };
    const { document } = this.#sent;
    const answer = await transport("POST", `${this.#path}/edits`, this.#sent);
    if (answer === undefined) return undefined;
    this.#known = stateOf(answer);
    const { merged } = mergeDocuments(document, this.#known.document, this.#shown);
    this.#shown = CvDocument.parse(merged);
    this.#sent = undefined;
    return document;
  }

  /** Only of what is saved; asked for again with the same version, it is done once. */
  async move(transport: Transport, direction: "undo" | "redo"): Promise<void> {
    const isSaved = JSON.stringify(this.#shown) === JSON.stringify(this.#known.document);
    if (this.#sent !== undefined || !isSaved) return;
    const { version } = this.#known;
    const answer = await transport("POST", `${this.#path}/${direction}`, { version });
    if (answer === undefined || answer.status === 409) return;
    this.#known = stateOf(answer);
    this.#shown = this.#known.document;
  }
}

function stateOf({ status, body }: NonNullable<Awaited<ReturnType<Transport>>>): CvState {
  if (status !== 200) throw new Error(`An edit was refused: ${status} ${JSON.stringify(body)}`);
  return Answer.parse(body).cv;
}

function written(document: CvDocument, does: Act["does"], token: string): CvDocument {
  const { profile, sections } = document;
  if (does === "heading") return { ...document, profile: { ...profile, headline: token } };
  const changed = sections.map((section) => {
    if (section.kind !== "experience") return section;
    const { entries } = section;
    const [first, ...rest] = entries;
    if (first === undefined) return section;
    const bullets = [...first.bullets, { id: token, text: plainRuns(token) }];
    const made: Partial<Record<Act["does"], typeof entries>> = {
      entry: [...entries, { ...first, id: token, role: token, bullets: [] }],
      bullet: [{ ...first, bullets }, ...rest],
      role: [{ ...first, role: token }, ...rest],
      reorder: entries.toReversed(),
    };
    return { ...section, entries: made[does] ?? entries };
  });
  return { ...document, sections: changed };
}

export type Outcome = {
  /** Texts that were part of an acknowledged edit, and those of them that no version has. */
  readonly acknowledged: number;
  readonly lost: readonly string[];
  /** Entries and bullets that are not in the document in the end, though no one took anything back. */
  readonly missing: readonly string[];
  /** Whether both tabs show in the end what the service has. */
  readonly agree: boolean;
};

/**
 * Two tabs edit one CV as `acts` say: each works offline between its saves, answers are lost, and what was not
 * answered is sent again. In the end both save until nothing is left to send.
 * @param cv a CV with the document of {@link editedCv}
 * @param transport of answers that are not to be lost; it may lose some on its own
 */
export async function runTabs(
  cv: CvState,
  acts: readonly Act[],
  transport: Transport,
): Promise<Outcome> {
  const tabs = [new Tab(cv), new Tab(cv)] as const;
  const losing: Transport = async (...call) => {
    await transport(...call);
    return undefined;
  };
  const added = new Set<string>();
  const acknowledged = new Set<string>();
  const note = (document: CvDocument | undefined): void => {
    for (const [token] of JSON.stringify(document ?? "").matchAll(tokenPattern))
      acknowledged.add(token);
  };
  let isMoved = false;
  for (const [index, { tab, does, answers }] of acts.entries()) {
    const over = answers ? transport : losing;
    const one = tabs[tab];
    const token = `token-${index}-`;
    if (does === "save") note(await one.save(over));
    else if (does === "undo" || does === "redo") {
      isMoved = true;
      await one.move(over, does);
    } else {
      one.write(does, token);
      if (does === "entry" || does === "bullet") added.add(token);
    }
  }
  // Twice each: the first tab then also sees what the second one saved.
  for (const one of [...tabs, ...tabs]) note(await untilSaved(one, transport));
  const final = await currentOf(cv.cvId, transport);
  const history = await historyOf(cv.cvId, transport);
  const text = JSON.stringify(final);
  return {
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter((token) => !history.includes(token)),
    missing: isMoved ? [] : [...added].filter((token) => !text.includes(token)),
    agree: tabs.every((one) => JSON.stringify(one.shown) === text),
  };
}

const tokenPattern = /token-\d+-/g;
const attemptsMax = 1_000;

async function untilSaved(tab: Tab, transport: Transport): Promise<CvDocument> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const saved = await tab.save(transport);
    if (saved !== undefined && (await tab.save(transport)) !== undefined) return saved;
  }
  throw new Error("The service does not answer");
}

async function asked(transport: Transport, path: string): Promise<unknown> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const answer = await transport("GET", path);
    if (answer !== undefined) return answer.body;
  }
  throw new Error("The service does not answer");
}

const currentOf = async (cvId: string, transport: Transport): Promise<CvDocument> =>
  Answer.parse(await asked(transport, `/api/cvs/${cvId}`)).cv.document;

/** The texts of all versions. */
async function historyOf(cvId: string, transport: Transport): Promise<string> {
  const path = `/api/cvs/${cvId}/versions`;
  const { versions } = Versions.parse(await asked(transport, path));
  const documents: unknown[] = [];
  for (const { version } of versions) documents.push(await asked(transport, `${path}/${version}`));
  return JSON.stringify(documents);
}
