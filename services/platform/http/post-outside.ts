import type { IncomingMessage } from "node:http";

import {
  type OutsideFault,
  outsideFault,
  type OutsideOptions,
  requestOutside,
} from "./outside-connection.ts";

export type OutsideAnswer = { readonly status: number } | { readonly fault: OutsideFault };

const timeoutMsUsual = 5_000;
const answerBytesMax = 4_096;

/**
 * Posts JSON to an external server, as {@link requestOutside} connects to it. No more than 4 kB of the answer
 * are read and none kept.
 * @param url https with a name, as `readExternalUrl` accepts it
 * @param signal ends it early, as a timeout
 */
export async function postOutside(
  url: string,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  options: OutsideOptions = {},
  signal?: AbortSignal,
): Promise<OutsideAnswer> {
  const body = Buffer.from(message.body);
  const timeout = AbortSignal.timeout(options.timeoutMs ?? timeoutMsUsual);
  const until = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  const length = { "content-length": body.length };
  const headers = { "content-type": "application/json", ...message.headers, ...length };
  try {
    const answer = await requestOutside(url, { method: "POST", headers, body, until }, options);
    await drain(answer);
    return { status: answer.statusCode ?? 0 };
  } catch (error) {
    return { fault: outsideFault(error, until) };
  }
}

/** Ends the connection after the answer, or its first 4 kB. A receiver that fails meanwhile has answered. */
async function drain(answer: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      bytes += Buffer.isBuffer(chunk) ? chunk.length : 0;
      if (bytes >= answerBytesMax) break;
    }
  } catch {
    // The status is known.
  } finally {
    answer.destroy();
  }
}
