import { useEffect, useState } from "react";

import type { ResultForm } from "./read-result.ts";
import type { ResultColumn, ResultOrder, ResultRange, ResultShape } from "./result-rows.ts";
// oxlint-disable-next-line import/default -- Vite makes the address of the worker's file
import workerAddress from "./result.worker.ts?worker&url";
import type { ResultAnswer, ResultRequest, SentAnswer, SentRequest } from "./result.worker.ts";

declare global {
  /** Of browsers that enforce them; the libraries of TypeScript do not declare them yet. */
  var trustedTypes:
    | {
        createPolicy: (
          name: string,
          rules: { createScriptURL: (address: string) => string },
        ) => { createScriptURL: (address: string) => URL };
      }
    | undefined;
}

/** The one address that this policy, which the site's headers allow by its name, makes a script of. */
const policy = globalThis.trustedTypes?.createPolicy("analyst-result", {
  createScriptURL: () => workerAddress,
});

/** The rows of one result, kept by a worker of its own. To be closed when they are no longer shown. */
export class ResultSource {
  readonly #worker = new Worker(policy?.createScriptURL(workerAddress) ?? workerAddress);
  readonly #waiting = new Map<
    number,
    { resolve: (answer: ResultAnswer) => void; reject: (error: Error) => void }
  >();
  #sent = 0;

  constructor() {
    this.#worker.addEventListener("message", ({ data }: MessageEvent<SentAnswer>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.answer === undefined) waiting?.reject(new Error("the result cannot be read"));
      else waiting?.resolve(data.answer);
    });
    this.#worker.addEventListener("error", () => this.close());
  }

  #ask(request: ResultRequest, transfer: Transferable[] = []): Promise<ResultAnswer> {
    const id = (this.#sent += 1);
    const answered = new Promise<ResultAnswer>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    this.#worker.postMessage({ id, request } satisfies SentRequest, transfer);
    return answered;
  }

  begin = (form: ResultForm) => this.#ask({ ask: "begin", form });
  /** The bytes are given away. */
  append = (bytes: Uint8Array<ArrayBuffer>) => this.#ask({ ask: "append", bytes }, [bytes.buffer]);
  end = () => this.#ask({ ask: "end" });
  take = (columns: readonly ResultColumn[], rows: readonly (readonly unknown[])[]) =>
    this.#ask({ ask: "table", columns, rows });
  orderBy = (order: ResultOrder | undefined) => this.#ask({ ask: "sort", order });
  read = async (range: ResultRange) => (await this.#ask({ ask: "read", range })).rows;
  text = async (range: ResultRange, withHeader: boolean) =>
    (await this.#ask({ ask: "text", range, withHeader })).text;

  close(): void {
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(new Error("the result is closed"));
    this.#waiting.clear();
  }
}

/** What a table shows: the rows, and how many there are of which columns. */
export type ShownResult = { readonly source: ResultSource } & ResultShape;

/**
 * A result that is at hand as a whole, for the table. Undefined until it can be shown.
 * @param rows stable between renders
 */
export function useTableResult(
  columns: readonly ResultColumn[],
  rows: readonly (readonly unknown[])[],
): ShownResult | undefined {
  const [shown, setShown] = useState<ShownResult>();
  useEffect(() => {
    const source = new ResultSource();
    void source
      .take(columns, rows)
      .then(({ shape }) => setShown({ source, ...shape }))
      .catch(() => undefined);
    return () => source.close();
  }, [columns, rows]);
  return shown;
}
