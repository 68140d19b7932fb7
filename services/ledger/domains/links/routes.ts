import { addCalls, FileAnswer } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import {
  internalLinkCalls,
  linkCalls,
  linkModerationCalls,
  linkProblems,
  linkReportCalls,
} from "@pro-talent/schemas/links/calls";
import type { LinkDetails } from "@pro-talent/schemas/links/events";
import { linkLimits } from "@pro-talent/schemas/links/limits";
import type { ReportReason } from "@pro-talent/schemas/links/report-reasons";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance } from "fastify";

import { type Acting, actingOf } from "../../acting.ts";
import type { CommandContext } from "../../kernel/commands.ts";
import { requestContext, unavailable } from "../../kernel/http.ts";
import { isRestricted } from "../../restriction.ts";
import { addLinkApiRoutes } from "./api-routes.ts";
import { openedFile } from "./cv-files.ts";
import { linkIdsOf, openDetails } from "./links.ts";
import { type Body, detailsOf, makeLink, makeLinks } from "./make-links.ts";
import {
  describeLink,
  issueLinkCommand,
  type LinkRoutes,
  ownLink,
  placeTarget,
  statusOf,
  viewOf,
} from "./owner-links.ts";
import { findLink, type LinkRow, linksOf, reportedLinks } from "./read-models.ts";

const done = { status: "done" as const };

/** The calls of owners about their links. */
export async function addLinkRoutes(app: FastifyInstance, routes: LinkRoutes): Promise<void> {
  await app.register(async (scope) => addOwnerRoutes(scope, routes));
  await app.register(async (scope) => addLinkApiRoutes(scope, routes));
  await app.register(async (scope) => addReportRoutes(scope, routes));
  await app.register(async (scope) => addInternalRoutes(scope, routes));
}

async function addOwnerRoutes(app: FastifyInstance, routes: LinkRoutes): Promise<void> {
  const { context } = routes;
  await limitRate(app, { reads: context.readsPerMinute, writes: context.formsPerMinute });
  const shown = async (row: LinkRow, acting: Acting) => {
    const details = await detailsOf(context, row);
    return { link: viewOf(row, details, acting.issued.now) };
  };
  const act = async (acting: Acting, linkId: string, type: "RevokeLink" | "RestoreLink") => {
    const { accountId } = acting;
    await ownLink(routes, accountId, linkId);
    await issueLinkCommand(context, { linkId, command: { type, accountId }, ...acting });
    return await shown(await ownLink(routes, accountId, linkId), acting);
  };
  addCalls(app, linkCalls, {
    "GET /api/links": async (_input, caller) => {
      const { accountId, issued } = actingOf(context, caller);
      const reading = context.readingFrom(caller.reads);
      const rows = await linksOf(caller.reads, accountId).catch(unavailable);
      const views = rows.map(async (row) => viewOf(row, await detailsOf(reading, row), issued.now));
      return { links: await Promise.all(views), linksMax: linkLimits.linksMax };
    },
    "POST /api/links": async ({ body }, caller) => {
      return { link: await makeLink(routes, actingOf(context, caller), body).catch(unavailable) };
    },
    "POST /api/links/bulk": async ({ body }, caller) => {
      return { links: await makeLinks(routes, actingOf(context, caller), body).catch(unavailable) };
    },
    "GET /api/links/:linkId": async ({ params }, caller) => {
      const acting = actingOf(context, caller);
      return await shown(await ownLink(routes, acting.accountId, params.linkId), acting);
    },
    "PATCH /api/links/:linkId": async ({ params, body }, caller) => {
      const row = await ownLink(routes, caller.account.accountId, params.linkId);
      return {
        link: await changeLink(routes, actingOf(context, caller), row, body).catch(unavailable),
      };
    },
    "POST /api/links/:linkId/revoke": ({ params }, caller) =>
      act(actingOf(context, caller), params.linkId, "RevokeLink"),
    "POST /api/links/:linkId/restore": ({ params }, caller) =>
      act(actingOf(context, caller), params.linkId, "RestoreLink"),
    "DELETE /api/links/:linkId": async ({ params: { linkId } }, caller) => {
      const { accountId, ...acting } = actingOf(context, caller);
      await ownLink(routes, accountId, linkId);
      const command = { type: "DeleteLink", accountId } as const;
      await issueLinkCommand(context, { linkId, command, ...acting }).catch(unavailable);
      return done;
    },
  });
}

async function changeLink(
  routes: LinkRoutes,
  acting: Acting,
  row: LinkRow,
  body: Body<"PATCH /api/links/:linkId">,
) {
  const before = await detailsOf(routes.context, row);
  const placed =
    body.target === undefined
      ? { target: row.target, url: before.url, file: before.file }
      : await placeTarget(routes, acting.accountId, body.target);
  const { label = before.label, note = before.note, expiresAt = row.expiresAt } = body;
  const passwordHash = await passwordAfter(routes, body.password, before);
  const link = { ...placed, code: before.code, label, note, expiresAt, passwordHash };
  return await describeLink(routes, acting, row.linkId, link);
}

/** @param password undefined: as before; null: none any more */
async function passwordAfter(
  { passwords }: LinkRoutes,
  password: string | null | undefined,
  before: LinkDetails,
): Promise<string | null> {
  if (password === undefined) return before.passwordHash;
  return password === null ? null : await passwords.hash(password);
}

const received = { status: "received" as const };

async function recordReport(
  { context }: LinkRoutes,
  {
    reason,
    ...report
  }: { readonly linkId: string; readonly reason: ReportReason; readonly issued: CommandContext },
): Promise<void> {
  const command = { type: "ReportLink", reason } as const;
  await issueLinkCommand(context, { ...report, command }).catch(unavailable);
}

/** Reports by visitors, and what administrators do about them. */
async function addReportRoutes(app: FastifyInstance, routes: LinkRoutes): Promise<void> {
  const { context } = routes;
  const { sql } = context.ledger;
  await limitRate(app, { reads: context.readsPerMinute, writes: context.formsPerMinute });
  addCalls(app, linkReportCalls, {
    "POST /api/links/report": async ({ body: { code, reason } }, { request }) => {
      const row = await findLink(sql, linkIdsOf(context, code)).catch(unavailable);
      const issued = requestContext(context, request, "visitor");
      if (row !== undefined) await recordReport(routes, { linkId: row.linkId, reason, issued });
      return received;
    },
  });
  addCalls(app, linkModerationCalls, {
    "GET /api/console/links/reported": async () => ({
      links: await reportedLinks(sql).catch(unavailable),
    }),
    "POST /api/console/links/:linkId/take-down": async ({ params, body }, caller) => {
      const issued = requestContext(context, caller.request, `account:${caller.account.accountId}`);
      const command = { type: "TakeDownLink", reason: body.reason } as const;
      await issueLinkCommand(context, { linkId: params.linkId, command, issued });
      return done;
    },
    "POST /api/console/links/:linkId/reinstate": async ({ params }, caller) => {
      const issued = requestContext(context, caller.request, `account:${caller.account.accountId}`);
      const command = { type: "ReinstateLink" } as const;
      await issueLinkCommand(context, { linkId: params.linkId, command, issued });
      return done;
    },
  });
}

/** What the collector asks before it answers a visitor, and whose links are read. */
function addInternalRoutes(app: FastifyInstance, routes: LinkRoutes): void {
  const { context } = routes;
  const { sql } = context.ledger;
  /** A link that opens now. */
  const opening = async (linkId: string): Promise<LinkDetails & { accountId: string }> => {
    const row = await findLink(sql, [linkId]).catch(unavailable);
    const now = instantFromMs(context.clock());
    if (row === undefined || statusOf(row, now) !== "active")
      throw new ProblemError(linkProblems.link_not_found);
    if (await isRestricted(sql, row.accountId).catch(unavailable))
      throw new ProblemError(linkProblems.link_not_found);
    return { ...(await detailsOf(context, row)), accountId: row.accountId };
  };
  addCalls(app, internalLinkCalls, {
    "GET /internal/links/of/:accountId": async ({ params }) => {
      const rows = await linksOf(sql, params.accountId).catch(unavailable);
      return {
        linkIds: rows.map(({ linkId }) => linkId),
        oldestAt: rows.at(-1)?.createdAt ?? null,
      };
    },
    "POST /internal/links/resolve": async ({ body: { code } }) => {
      const row = await findLink(sql, linkIdsOf(context, code)).catch(unavailable);
      if (row === undefined) return { status: "unknown" as const };
      const status = statusOf(row, instantFromMs(context.clock()));
      if (status !== "active") return { status };
      const restricted = await isRestricted(sql, row.accountId).catch(unavailable);
      if (restricted) return { status: "restricted" as const };
      const details = await openDetails(context, sql, row.linkId).catch(unavailable);
      // After a restore: erased since the backup, with the key of the link.
      if (details === undefined) return { status: "unknown" as const };
      const { url, file } = viewOf(row, details, instantFromMs(context.clock()));
      const { linkId, accountId, locked, target, expiresAt } = row;
      return { status, linkId, accountId, locked, target, url, file, expiresAt };
    },
    "POST /internal/links/:linkId/unlock": async ({ params, body }) => {
      const { passwordHash } = await opening(params.linkId);
      return { opens: await routes.passwords.verify(body.password, passwordHash ?? undefined) };
    },
    "POST /internal/links/:linkId/report": async ({ params, body }, { request }) => {
      const issued = requestContext(context, request, "visitor");
      await recordReport(routes, { ...params, ...body, issued });
      return received;
    },
    "GET /internal/links/:linkId/file": async ({ params }) => {
      const { file, accountId } = await opening(params.linkId);
      const content = file === null ? undefined : await openedFile(routes, accountId, file);
      if (content === undefined) throw new ProblemError(linkProblems.link_not_found);
      return new FileAnswer(content, "application/octet-stream");
    },
  });
}
