import { createServer } from "node:http";
import { text } from "node:stream/consumers";

import { internalLinkCalls } from "@pro-talent/schemas/links/calls";
import type { z } from "zod";

import { choosePort } from "../embedded/ports.ts";

const path = "/internal/links/resolve";
const { body: Body } = internalLinkCalls[`POST ${path}`];
const accountId = "00000000-0000-4000-8000-00000000aaaa";

/** The code of the n-th link of a drill. */
export const linkCode = (n: number): string => `drill-${n}`;

/** The id of the n-th link of a drill. */
export const linkIdOf = (n: number): string =>
  `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

/**
 * Stands before a ledger: answers itself what the links of a drill open, since links can only be made
 * by people with accounts, and passes on every other call.
 */
export async function startDrillLinks(
  ledgerUrl: string,
): Promise<{ url: string; stop: () => void }> {
  const server = createServer((request, response) => {
    void (async () => {
      const sent = await text(request);
      const url = new URL(request.url ?? "/", ledgerUrl);
      if (url.pathname === path) {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(resolved(Body.parse(JSON.parse(sent)).code)));
        return;
      }
      const { authorization = "", "content-type": type = "application/json" } = request.headers;
      const headers = { authorization, ...(sent !== "" && { "content-type": type }) };
      const { method = "GET" } = request;
      const answer = await fetch(url, { method, headers, ...(sent !== "" && { body: sent }) });
      const contentType = answer.headers.get("content-type") ?? "application/json";
      response.writeHead(answer.status, { "content-type": contentType });
      response.end(await answer.text());
    })().catch(() => response.writeHead(502).end());
  });
  const port = await choosePort();
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Answer = z.input<(typeof internalLinkCalls)[`POST ${typeof path}`]["answer"]>;

function resolved(code: string): Answer {
  const n = Number(/^drill-(\d+)$/u.exec(code)?.[1] ?? Number.NaN);
  if (Number.isNaN(n)) return { status: "unknown" };
  return {
    status: "active",
    linkId: linkIdOf(n),
    accountId,
    locked: false,
    target: "external",
    url: "https://example.com/cv",
    file: null,
    expiresAt: null,
  };
}
