import { readToken } from "../../api-client/token.ts";
import type { Open } from "../link-opens.ts";

export type LiveState = "connecting" | "live" | "refused";
/** `onOpen` is also called for requests that count as none. */
type Listener = { onOpen: (open: Open) => void; onState: (state: LiveState) => void };

const firstWaitMs = 1000;
const waitMaxMs = 30_000;

/**
 * The events that end in a text of server-sent events (HTML Standard, 9.2), and the rest that is not
 * complete yet.
 */
export function eventsIn(text: string): { data: string[]; rest: string } {
  const blocks = text.replaceAll("\r\n", "\n").split("\n\n");
  const rest = blocks.pop() ?? "";
  const data = blocks
    .map((block) => block.split("\n"))
    .filter((lines) => lines.includes("event: open") || lines.includes("event: left-out"))
    .map((lines) =>
      lines
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trimStart())
        .join("\n"),
    );
  return { data, rest };
}

async function read(body: ReadableStream<Uint8Array>, onOpen: Listener["onOpen"]): Promise<void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const { data, rest } = eventsIn(text + decoder.decode(value, { stream: true }));
    text = rest;
    for (const one of data) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server writes each event by the contract of this type; no schema reaches the browser
      onOpen(JSON.parse(one) as Open);
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * Opens of the account's links as they happen, until `signal` ends it. An interrupted stream begins
 * anew after 1 s, then after twice as long, at most 30 s; a refusal ends it.
 */
export async function followOpens(
  { onOpen, onState }: Listener,
  signal: AbortSignal,
): Promise<void> {
  let waitMs = firstWaitMs;
  const hasEnded = (): boolean => signal.aborted;
  while (!hasEnded()) {
    try {
      const headers = { authorization: `Bearer ${readToken() ?? ""}` };
      const answer = await fetch("/api/insights/live", { headers, credentials: "include", signal });
      if (answer.status === 401 || answer.status === 403) {
        onState("refused");
        return;
      }
      if (answer.ok && answer.body !== null) {
        onState("live");
        waitMs = firstWaitMs;
        await read(answer.body, onOpen);
      }
    } catch {
      // The connection broke: it is tried again below.
    }
    if (hasEnded()) return;
    onState("connecting");
    await pause(waitMs, signal);
    waitMs = Math.min(waitMs * 2, waitMaxMs);
  }
}
