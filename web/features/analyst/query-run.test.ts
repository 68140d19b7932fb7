import { afterEach, expect, it, vi } from "vitest";

import { QueryRun } from "./query-run.ts";

afterEach(() => vi.unstubAllGlobals());

it("is cancelled, not broken off, when its result ends before the cancellation is answered", async () => {
  const first = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const answered = Promise.withResolvers<Response>();
  vi.stubGlobal("fetch", (_path: string, { method }: RequestInit) => {
    if (method === "DELETE") return answered.promise;
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        stream.enqueue(new Uint8Array(1));
        first.resolve(stream);
      },
    });
    return Promise.resolve(new Response(body));
  });
  const run = new QueryRun();
  const done = run.file({ text: "SELECT 1", parameters: {} }, "csv");
  const stream = await first.promise;
  await vi.waitFor(() => expect(run.snapshot()).toMatchObject({ is: "running" }));
  const cancelled = run.cancel();
  stream.error(new Error("The connection broke off"));
  answered.resolve(new Response(null, { status: 204 }));
  await Promise.all([done, cancelled]);
  expect(run.snapshot()).toEqual({ is: "cancelled" });
});
