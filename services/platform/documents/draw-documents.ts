import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import { z } from "zod";

import { DocumentAnswer } from "./typst-messages.ts";

/** A drawn document. */
export type DrawnDocument = {
  readonly pdf: Buffer;
  readonly pages: number;
  /** Whether it keeps PDF/UA-1; a character without a glyph prevents that. */
  readonly accessible: boolean;
};

/** What belongs to one document beside template and data. */
export type DocumentDetails = {
  /** By which an error refers to the document. */
  readonly name?: string;
  /** Pictures, by the path under which the template reads them. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
};

export type DocumentDrawer = {
  /**
   * Draws a document.
   * @param template Typst source of the product's own; it reads `sys.inputs.data`, which is JSON
   * @param data what is drawn; text of people is data here, never source
   * @param drawnAtMs milliseconds since 1970: the same input gives the same bytes
   * @throws {DocumentTooSlow} when the document takes longer than allowed
   * @throws Error when the template has a fault
   */
  readonly draw: (
    template: string,
    data: object,
    drawnAtMs: number,
    details?: DocumentDetails,
  ) => Promise<DrawnDocument>;
  /** Draws the pages of a document as one SVG, one below the other. Throws as `draw` does. */
  readonly drawSvg: (
    template: string,
    data: object,
    details?: DocumentDetails,
  ) => Promise<{ readonly svg: string; readonly pages: number }>;
  readonly close: () => Promise<void>;
};

/** A document that was ended because it took longer than allowed. */
export class DocumentTooSlow extends Error {
  readonly document: string;

  constructor(document: string, seconds: number) {
    super(`The document ${document} was not drawn within ${seconds} s`);
    this.document = document;
  }
}

type Options = {
  /** Font files that documents may be set in. */
  readonly faces?: readonly string[];
  /** Documents that are drawn at the same time. */
  readonly processes?: number;
  readonly secondsMax?: number;
};

/** Memory that the engine does not give back ends with its process. */
const documentsPerProcess = 400;

const require = createRequire(import.meta.url);
const heebo = (): string[] =>
  ["400Regular", "500Medium", "700Bold"].map((face) =>
    require.resolve(`@expo-google-fonts/heebo/${face}/Heebo_${face}.ttf`),
  );

/**
 * Draws documents with Typst in processes of their own; a process starts with its first document and is
 * replaced after some hundred, and when a document takes too long. It is no thread, as the engine does not
 * return before its document is drawn: a thread would end only then, a process can be killed.
 */
export function openDocumentDrawer(options: Options = {}): DocumentDrawer {
  const { faces = heebo(), processes = 1, secondsMax = 10 } = options;
  const lanes = Array.from({ length: processes }, () => openLane(faces, secondsMax));
  const ask = (work: Work): Promise<DrawnAnswer> => {
    const idlest = lanes.reduce((one, other) => (other.waiting() < one.waiting() ? other : one));
    return idlest.ask(work);
  };
  return {
    draw: async (template, data, drawnAtMs, details = {}) => {
      const timestamp = Math.floor(drawnAtMs / 1000);
      const drawn = await ask({ template, data, timestamp, form: "pdf", details });
      return { pdf: Buffer.from(drawn.bytes), pages: drawn.pages, accessible: drawn.accessible };
    },
    drawSvg: async (template, data, details = {}) => {
      const { bytes, pages } = await ask({ template, data, timestamp: 0, form: "svg", details });
      return { svg: Buffer.from(bytes).toString(), pages };
    },
    close: async () => {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

type Work = {
  readonly template: string;
  readonly data: object;
  readonly timestamp: number;
  readonly form: "pdf" | "svg";
  readonly details: DocumentDetails;
};
type DrawnAnswer = DocumentAnswer & { readonly bytes: Uint8Array };
type Drawing = { readonly child: ChildProcess; readonly ended: AbortSignal; drawn: number };

/** Draws one document after another, in one process at a time. */
function openLane(faces: readonly string[], secondsMax: number) {
  let drawing: Drawing | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let id = 0;
  const end = async (): Promise<void> => {
    const { child } = drawing ?? {};
    drawing = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.ref();
    child.kill("SIGKILL");
    await exited;
  };
  const drawNow = async ({ details, data, ...work }: Work): Promise<DrawnAnswer> => {
    drawing ??= startProcess(faces);
    id += 1;
    const files = details.files ?? {};
    drawing.child.send({ ...work, id, data: JSON.stringify(data), files });
    try {
      const { bytes, ...answer } = await answerOf(
        drawing,
        secondsMax,
        details.name ?? "without name",
      );
      drawing.drawn += 1;
      if (drawing.drawn >= documentsPerProcess) await end();
      if (bytes === null) throw new Error(`The document has a fault: ${answer.fault}`);
      return { ...answer, bytes };
    } catch (error) {
      await end();
      throw error;
    }
  };
  return {
    waiting: () => waiting,
    ask: (work: Work): Promise<DrawnAnswer> => {
      waiting += 1;
      const drawn = last.then(() => drawNow(work)).finally(() => (waiting -= 1));
      last = drawn.catch(() => undefined);
      return drawn;
    },
    close: async (): Promise<void> => {
      await last;
      await end();
    },
  };
}

function startProcess(faces: readonly string[]): Drawing {
  const program = fileURLToPath(new URL("typst-process.ts", import.meta.url));
  // Without the environment, which holds secrets of the service.
  const child = fork(program, faces, { serialization: "advanced", execArgv: [], env: {} });
  const ended = new AbortController();
  child.once("exit", () => ended.abort(new Error("The process ended")));
  setWaiting(child, false);
  return { child, ended: ended.signal, drawn: 0 };
}

/** Only a document that is drawn keeps the program running. */
function setWaiting(child: ChildProcess, isWaiting: boolean): void {
  if (isWaiting) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/** @throws when the process ends first, or takes too long */
async function answerOf({ child, ended }: Drawing, secondsMax: number, name: string) {
  const tooLong = AbortSignal.timeout(secondsMax * 1000);
  setWaiting(child, true);
  try {
    const messages: unknown = await once(child, "message", {
      signal: AbortSignal.any([tooLong, ended]),
    });
    return z.tuple([DocumentAnswer]).rest(z.unknown()).parse(messages)[0];
  } catch (error) {
    throw tooLong.aborted ? new DocumentTooSlow(name, secondsMax) : error;
  } finally {
    setWaiting(child, false);
  }
}
