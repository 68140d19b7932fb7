import { type ResultForm, ResultReader, type ResultStatistics } from "./read-result.ts";
import type {
  ResultColumn,
  ResultOrder,
  ResultRange,
  ResultShape,
  ResultValue,
} from "./result-rows.ts";

/** What the page asks of the rows that this worker keeps. */
export type ResultRequest =
  | { readonly ask: "begin"; readonly form: ResultForm }
  | { readonly ask: "append"; readonly bytes: Uint8Array }
  | { readonly ask: "end" }
  | {
      readonly ask: "table";
      readonly columns: readonly ResultColumn[];
      readonly rows: readonly (readonly unknown[])[];
    }
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
let reader = new ResultReader("document");

function answerTo(request: ResultRequest): ResultAnswer {
  let text = "";
  let rows: readonly (readonly ResultValue[])[] = [];
  if (request.ask === "begin") reader = new ResultReader(request.form);
  if (request.ask === "append") reader.append(request.bytes);
  if (request.ask === "end") reader.end();
  if (request.ask === "table") {
    reader.rows.begin(request.columns);
    for (const row of request.rows) reader.rows.append(row);
  }
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
