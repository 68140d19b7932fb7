import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { z } from "zod";

import { DocumentAnswer } from "./typst-worker.ts";

/** A drawn document. */
export type DrawnDocument = {
  readonly pdf: Buffer;
  /** Whether it keeps PDF/UA-1; a character without a glyph prevents that. */
  readonly accessible: boolean;
};

export type DocumentDrawer = {
  /**
   * Draws a document.
   * @param template Typst source of the product's own; it reads `sys.inputs.data`, which is JSON
   * @param data what is drawn; text of people is data here, never source
   * @param drawnAtMs milliseconds since 1970: the same input gives the same bytes
   * @throws Error when the template has a fault, or the document takes longer than allowed
   */
  readonly draw: (template: string, data: object, drawnAtMs: number) => Promise<DrawnDocument>;
  readonly close: () => Promise<void>;
};

/** Memory that the engine does not give back ends with its thread. */
const documentsPerThread = 400;
const secondsMax = 10;

type Thread = { readonly worker: Worker; readonly ended: AbortSignal; drawn: number };

/**
 * Draws PDF documents with Typst in a thread of its own, one after another; the thread starts with the
 * first and is replaced after some hundred, and when a document takes too long.
 */
export function openDocumentDrawer(): DocumentDrawer {
  let thread: Thread | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let id = 0;
  const end = async (): Promise<void> => {
    const { worker } = thread ?? {};
    thread = undefined;
    await worker?.terminate();
  };
  const drawNow = async (template: string, data: object, drawnAtMs: number) => {
    thread ??= startThread();
    id += 1;
    const timestamp = Math.floor(drawnAtMs / 1000);
    thread.worker.postMessage({ id, template, data: JSON.stringify(data), timestamp });
    try {
      const answer = await answerOf(thread);
      thread.drawn += 1;
      if (thread.drawn >= documentsPerThread) await end();
      if (answer.pdf === null) throw new Error(`The document has a fault: ${answer.fault}`);
      return { pdf: Buffer.from(answer.pdf), accessible: answer.accessible };
    } catch (error) {
      await end();
      throw error;
    }
  };
  return {
    draw: (template, data, drawnAtMs) => {
      const drawn = last.then(() => drawNow(template, data, drawnAtMs));
      last = drawn.catch(() => undefined);
      return drawn;
    },
    close: async () => {
      await last;
      await end();
    },
  };
}

function startThread(): Thread {
  const worker = new Worker(new URL("typst-worker.ts", import.meta.url));
  const ended = new AbortController();
  worker.once("exit", () => ended.abort(new Error("The thread ended")));
  worker.unref();
  return { worker, ended: ended.signal, drawn: 0 };
}

/** @throws when the thread ends first, or takes too long */
async function answerOf({ worker, ended }: Thread): Promise<DocumentAnswer> {
  const signal = AbortSignal.any([AbortSignal.timeout(secondsMax * 1000), ended]);
  const messages: unknown = await once(worker, "message", { signal });
  return z.tuple([DocumentAnswer]).parse(messages)[0];
}
