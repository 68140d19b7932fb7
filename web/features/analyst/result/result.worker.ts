import { ResultReader, type ResultStatistics } from "./read-result.ts";
import type { ResultOrder, ResultRange, ResultShape, ResultValue } from "./result-rows.ts";

/** What the page asks of the rows that this worker keeps. */
export type ResultRequest =
  | { readonly ask: "append"; readonly bytes: Uint8Array }
  | { readonly ask: "end" }
  | { readonly ask: "sort"; readonly order: ResultOrder | undefined }
  | { readonly ask: "read"; readonly range: ResultRange }
  | { readonly ask: "text"; readonly range: ResultRange; readonly withHeader: boolean };

export type ResultAnswer = {
  readonly shape: ResultShape;
  readonly statistics: ResultStatistics | undefined;
  readonly rows: readonly (readonly ResultValue[])[];
  readonly text: string;
};
export type SentRequest = { readonly id: number; readonly request: ResultRequest };
export type SentAnswer = { readonly id: number; readonly answer: ResultAnswer | undefined };

/** Rows of one result: read, sorted and searched beside the page, which never waits for them. */
const reader = new ResultReader();

function answerTo(request: ResultRequest): ResultAnswer {
  let text = "";
  let rows: readonly (readonly ResultValue[])[] = [];
  if (request.ask === "append") reader.append(request.bytes);
  if (request.ask === "end") reader.end();
  if (request.ask === "sort") reader.rows.sort(request.order);
  if (request.ask === "read") rows = reader.rows.read(request.range);
  if (request.ask === "text") text = reader.rows.text(request.range, request.withHeader);
  return { shape: reader.rows.shape, statistics: reader.statistics, rows, text };
}

addEventListener("message", ({ data }: MessageEvent<SentRequest>) => {
  const { id, request } = data;
  let answer: ResultAnswer | undefined;
  try {
    answer = answerTo(request);
  } catch {
    // Bytes that are no result: the page says so.
  }
  postMessage({ id, answer } satisfies SentAnswer);
});
