import { createServer, type IncomingHttpHeaders } from "node:http";

import {
  analyticsPaths,
  SessionConsent,
  SessionEnd,
  SessionStart,
  TrackClick,
  TrackEvent,
  TrackEvents,
  TrackPageView,
} from "@pro-talent/schemas/analytics/wire";
import type { z } from "zod";

export type Heard = {
  path: string;
  body: Record<string, unknown>;
  headers: IncomingHttpHeaders;
};

export type RecordingCollector = {
  origin: string;
  heard: readonly Heard[];
  /** The last parts of the called paths: `start`, `consent`, `pageview`. */
  names: () => string[];
  of: (name: string) => Heard[];
  /**
   * Answers the next calls of this name with these statuses: 0 closes the connection, 429 asks to
   * wait for a second.
   */
  fail: (name: string, ...statuses: number[]) => void;
  /** Answers the next call of this name with this body. */
  answerOnce: (name: string, answer: object) => void;
  /** Delays answers to calls of this name until the returned function is called. */
  hold: (name: string) => () => void;
  close: () => Promise<void>;
};

const contracts: Readonly<Record<string, z.ZodType>> = {
  [analyticsPaths.sessionStart]: SessionStart,
  [analyticsPaths.sessionConsent]: SessionConsent,
  [analyticsPaths.sessionEnd]: SessionEnd,
  [analyticsPaths.trackPageView]: TrackPageView,
  [analyticsPaths.trackClick]: TrackClick,
  [analyticsPaths.trackEvent]: TrackEvent,
  [analyticsPaths.trackEvents]: TrackEvents,
};

const receiptId = "0190f3a2-7c11-7b7e-9a55-2f6f3b1d8c44";
export const nameOf = (path: string): string => path.split("/").at(-1) ?? path;

function parseObject(text: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== "object" || parsed === null) throw new Error("not an object");
  return Object.fromEntries(Object.entries(parsed));
}

function answerTo(path: string, body: Record<string, unknown>, session: number): object {
  if (path === analyticsPaths.sessionStart) {
    const anonymousId = body["anonymousId"] ?? `1700000000000-server${session}`;
    return { sessionId: `session-${session}`, anonymousId };
  }
  if (path === analyticsPaths.sessionConsent) {
    return { analytics: body["hasConsent"] === true ? "granted" : "denied", receiptId };
  }
  const { events } = body;
  if (!Array.isArray(events)) return { outcome: "stored" };
  return { results: events.map(() => ({ status: 202, outcome: "stored" })) };
}

/** An HTTP server that checks every call against the contract (422 otherwise) and records it. */
export async function startRecordingCollector(): Promise<RecordingCollector> {
  const heard: Heard[] = [];
  const failures = new Map<string, number[]>();
  const answers = new Map<string, object>();
  const gates = new Map<string, Promise<undefined>>();
  let sessions = 0;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const path = request.url ?? "";
      const body = parseObject(text);
      heard.push({ path, body, headers: request.headers });
      const contract = contracts[path];
      const status = failures.get(nameOf(path))?.shift();
      if (status === 0) return request.socket.destroy();
      if (path === analyticsPaths.sessionStart) sessions++;
      const honoured = contract?.safeParse(body).success === true;
      const given = answers.get(nameOf(path));
      answers.delete(nameOf(path));
      const answer = JSON.stringify(given ?? answerTo(path, body, sessions));
      response.writeHead(status ?? (honoured ? 200 : 422), {
        "content-type": "application/json",
        ...(status === 429 ? { "retry-after": "1" } : {}),
      });
      return void (gates.get(nameOf(path)) ?? Promise.resolve(undefined)).then(() =>
        response.end(answer),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    heard,
    names: () => heard.map(({ path }) => nameOf(path)),
    of: (name) => heard.filter(({ path }) => nameOf(path) === name),
    fail: (name, ...statuses) => failures.set(name, statuses),
    answerOnce: (name, answer) => answers.set(name, answer),
    hold(name) {
      const gate = Promise.withResolvers<undefined>();
      gates.set(name, gate.promise);
      return () => gate.resolve(undefined);
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error ? reject(error) : resolve()));
      }),
  };
}
