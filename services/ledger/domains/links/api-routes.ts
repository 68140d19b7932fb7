import { addCalls } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { readForPrograms } from "@pro-talent/platform/http/program-calls";
import { type ApiLink, linkApiCalls } from "@pro-talent/schemas/links/api-calls";
import { linkProblems } from "@pro-talent/schemas/links/calls";
import { apiLimits } from "@pro-talent/schemas/links/limits";
import { Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import { unavailable } from "../../kernel/http.ts";
import type { HttpContext, Reading } from "../../kernel/module.ts";
import { openDetails } from "./links.ts";
import { type LinkRoutes, ownLink, viewOf } from "./owner-links.ts";
import { type LinkRow, linksOf } from "./read-models.ts";

/** What programs of account holders read about links, with access tokens. */
export async function addLinkApiRoutes(app: FastifyInstance, routes: LinkRoutes): Promise<void> {
  const { context } = routes;
  await readForPrograms(app, apiLimits.callsPerMinute);
  addCalls(app, linkApiCalls, {
    "GET /api/v1/links": async ({ query: { limit, cursor } }, { account, reads }) => {
      const after = cursor === undefined ? undefined : readCursor(cursor);
      const rows = await linksOf(reads, account.accountId).catch(unavailable);
      const following = rows
        .toSorted(newestFirst)
        .filter((row) => after === undefined || newestFirst(after, row) < 0);
      const page = following.slice(0, limit);
      const last = following.length > limit ? page.at(-1) : undefined;
      const reading = context.readingFrom(reads);
      const shown = await Promise.all(page.map((row) => apiLink(context, reading, row)));
      // What is erased between the two reads is no link any more.
      const links = shown.filter((link) => link !== undefined);
      return { links, nextCursor: last === undefined ? null : cursorOf(last) };
    },
    "GET /api/v1/links/:linkId": async ({ params }, { account, refuse }) => {
      const row = await ownLink(routes, account.accountId, params.linkId);
      return {
        link: (await apiLink(context, context, row)) ?? refuse(linkProblems.link_not_found.code),
      };
    },
  });
}

/** Undefined once the link is erased. */
async function apiLink(
  context: HttpContext,
  reading: Reading,
  row: LinkRow,
): Promise<ApiLink | undefined> {
  const details = await openDetails(reading, reading.ledger.sql, row.linkId).catch(unavailable);
  if (details === undefined) return undefined;
  const { url, file, ...view } = viewOf(row, details, instantFromMs(context.clock()));
  const shareUrl = new URL(`/l/${view.code}`, context.publicOrigin).href;
  return { ...view, shareUrl, targetUrl: url, fileName: file?.name ?? null };
}

type Place = Pick<LinkRow, "createdAt" | "linkId">;

/** A total order, so that a page goes on where the one before ended, whatever was made or deleted meanwhile. */
function newestFirst(left: Place, right: Place): number {
  if (left.createdAt !== right.createdAt) return left.createdAt > right.createdAt ? -1 : 1;
  return left.linkId < right.linkId ? -1 : Number(left.linkId > right.linkId);
}

const Cursor = z.tuple([Instant, z.uuid()]);

const cursorOf = ({ createdAt, linkId }: Place): string =>
  Buffer.from(`${createdAt} ${linkId}`).toString("base64url");

/** @throws ProblemError for what no answer contained */
function readCursor(cursor: string): Place {
  const parts = Cursor.safeParse(Buffer.from(cursor, "base64url").toString().split(" "));
  if (!parts.success) throw new ProblemError("bad_request");
  const [createdAt, linkId] = parts.data;
  return { createdAt, linkId };
}
