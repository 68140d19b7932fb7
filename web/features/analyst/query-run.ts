import { postForBytes } from "../../api-client/account-api.ts";
import { saveFile } from "../save-file.ts";
import { cancelQuery, faultOf, type QueryFault } from "./analyst-calls.ts";
import type { ResultStatistics } from "./result/read-result.ts";
import { ResultSource, type ShownResult } from "./result/result-source.ts";
import type { ResultAnswer } from "./result/result.worker.ts";

/** What is asked: the text and its parameters as they are sent. */
export type Asked = { readonly text: string; readonly parameters: Record<string, string> };
export type FileKind = "csv" | "ndjson" | "parquet";

type Progress = {
  readonly startedMs: number;
  readonly bytes: number;
  readonly rows: number;
  readonly statistics: ResultStatistics | undefined;
};
export type RunState =
  | { readonly is: "idle" | "cancelled" }
  | ({ readonly is: "running" | "cancelling"; readonly of: FileKind | "rows" } & Progress)
  | {
      readonly is: "failed";
      readonly fault: QueryFault;
      readonly asked: Asked;
      readonly of: FileKind | "rows";
    }
  | { readonly is: "saved"; readonly bytes: number }
  | {
      readonly is: "shown";
      readonly asked: Asked;
      readonly result: ShownResult;
      readonly bytes: number;
      readonly milliseconds: number;
      readonly statistics: ResultStatistics | undefined;
    };

/** Each statement of progress draws the panel anew; parts of a large result come much more often. */
const progressEveryMs = 100;

type Taken = {
  readonly take: (bytes: Uint8Array<ArrayBuffer>) => Promise<ResultAnswer | undefined>;
  readonly end: () => Promise<void>;
};

/** `ending`: whether its cancellation has ended it in the engine; undefined before a cancellation. */
type Running = {
  readonly queryId: string;
  readonly stop: AbortController;
  ending?: Promise<boolean>;
};

/** What is cancelled may break off before the cancellation itself is answered. */
const wasCancelled = async ({ stop, ending }: Running): Promise<boolean> =>
  stop.signal.aborted || (await ending) === true;

/** One query at a time of one tab: it is run, cancelled in the engine, and its result is kept until the next one. */
export class QueryRun {
  #state: RunState = { is: "idle" };
  #shown: Extract<RunState, { is: "shown" }> | undefined;
  readonly #changes = new EventTarget();
  #running: Running | undefined;

  subscribe = (changed: () => void): (() => void) => {
    this.#changes.addEventListener("change", changed);
    return () => this.#changes.removeEventListener("change", changed);
  };
  snapshot = (): RunState => this.#state;
  /** The last result that was shown; it stays while a file is made. */
  shown = () => this.#shown;

  #set(state: RunState): void {
    this.#state = state;
    this.#changes.dispatchEvent(new Event("change"));
  }

  async rows(asked: Asked): Promise<void> {
    this.#forget();
    const source = new ResultSource();
    const startedMs = performance.now();
    const bytes = await this.#ask("/api/console/analyst/queries.stream", asked, "rows", {
      take: (part) => source.append(part),
      end: async () => void (await source.end()),
    });
    const about = bytes === undefined ? undefined : await source.end().catch(() => undefined);
    if (bytes === undefined || about === undefined) {
      source.close();
      return;
    }
    const { shape, statistics } = about;
    const milliseconds = Math.round(performance.now() - startedMs);
    this.#shown = {
      is: "shown",
      asked,
      result: { source, ...shape },
      bytes,
      milliseconds,
      statistics,
    };
    this.#set(this.#shown);
  }

  async file(asked: Asked, kind: FileKind): Promise<void> {
    const parts: BlobPart[] = [];
    const done = await this.#ask(`/api/console/analyst/queries.${kind}`, asked, kind, {
      take: async (bytes) => {
        parts.push(bytes);
        return undefined;
      },
      end: async () => saveFile(new Blob(parts), `query.${kind}`),
    });
    if (done !== undefined) this.#set({ is: "saved", bytes: done });
  }

  /** Ends the query in the engine; what it had sent is not shown. */
  async cancel(): Promise<void> {
    const running = this.#running;
    if (running === undefined || this.#state.is !== "running") return;
    this.#set({ ...this.#state, is: "cancelling" });
    running.ending = cancelQuery(running.queryId).catch(() => false);
    const ended = await running.ending;
    // Where the engine has finished already, only bytes are still on their way.
    if (this.#running === running) running.stop.abort(ended ? "cancelled" : "finished");
  }

  close(): void {
    void this.cancel();
    this.#forget();
  }

  #forget(): void {
    this.#shown?.result.source.close();
    this.#shown = undefined;
  }

  /** @returns the number of bytes; undefined when there is no result */
  async #ask(path: `/api/${string}`, asked: Asked, of: FileKind | "rows", taken: Taken) {
    const running: Running = { queryId: crypto.randomUUID(), stop: new AbortController() };
    this.#running = running;
    const startedMs = performance.now();
    let [bytes, statedMs] = [0, startedMs];
    this.#set({ is: "running", of, startedMs, bytes, rows: 0, statistics: undefined });
    try {
      const body = { queryId: running.queryId, ...asked };
      const answer = await postForBytes(path, body, running.stop.signal);
      if (!answer.ok) {
        this.#refused(faultOf(await answer.json()), asked, of);
        return undefined;
      }
      const reader = answer.body?.getReader();
      for (;;) {
        const part = await reader?.read();
        if (part === undefined || part.done) break;
        bytes += part.value.length;
        const about = await taken.take(part.value);
        const { shape, statistics } = about ?? {};
        const now = performance.now();
        if (this.#state.is !== "running" || now - statedMs < progressEveryMs) continue;
        statedMs = now;
        this.#set({ is: "running", of, startedMs, bytes, rows: shape?.count ?? 0, statistics });
      }
      await taken.end();
      return bytes;
    } catch {
      // After the first byte a refusal cannot be stated any more: the connection breaks off.
      const broken = bytes === 0 ? "other" : "broken";
      const code = (await wasCancelled(running)) ? "query_cancelled" : broken;
      this.#refused(faultOf({ code }), asked, of);
      return undefined;
    } finally {
      this.#running = undefined;
    }
  }

  #refused(fault: QueryFault, asked: Asked, of: FileKind | "rows"): void {
    if (fault.code === "query_cancelled") this.#set({ is: "cancelled" });
    else this.#set({ is: "failed", fault, asked, of });
  }
}
