import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { type linkCalls, linkProblems, type LinkView } from "@pro-talent/schemas/links/calls";
import type { LinkDetails } from "@pro-talent/schemas/links/events";
import { linkLimits } from "@pro-talent/schemas/links/limits";
import type { CallInput } from "@pro-talent/schemas/primitives/calls";

import type { Acting } from "../../acting.ts";
import { unavailable } from "../../kernel/http.ts";
import { inTurn } from "../../kernel/in-turn.ts";
import type { Reading } from "../../kernel/module.ts";
import { codeFrom, linkIdsOf, openDetails } from "./links.ts";
import {
  createLink,
  issueLinkCommand,
  type LinkRoutes,
  ownLink,
  placeTarget,
  viewOf,
} from "./owner-links.ts";
import { findLink, type LinkRow, linksOf } from "./read-models.ts";
import { removeFile } from "./stored-files.ts";

/** What a call about links is sent. */
export type Body<Name extends keyof typeof linkCalls> =
  CallInput<(typeof linkCalls)[Name]> extends {
    readonly body: infer Sent;
  }
    ? Sent
    : never;

/** @throws ProblemError once the link is erased */
export async function detailsOf(reading: Reading, { linkId }: LinkRow): Promise<LinkDetails> {
  const details = await openDetails(reading, reading.ledger.sql, linkId).catch(unavailable);
  if (details === undefined) throw new ProblemError(linkProblems.link_not_found);
  return details;
}

/** @throws ProblemError when the account would hold more links than it may with these */
async function requirePlace(
  { context }: LinkRoutes,
  accountId: string,
  linkIds: readonly string[],
) {
  const held = (await linksOf(context.ledger.sql, accountId)).map(({ linkId }) => linkId);
  // A repeated request finds those that it made before.
  if (new Set([...held, ...linkIds]).size > linkLimits.linksMax)
    throw new ProblemError(linkProblems.links_full);
}

/** Links of an account are made one request after the other, so that their number holds. */
const inTurnOf = <Made>({ context }: LinkRoutes, accountId: string, make: () => Promise<Made>) =>
  inTurn(context.ledger.sql, `links of ${accountId}`, make);

/** Makes a link; a repeated request finds the one that it made. @throws ProblemError */
export async function makeLink(routes: LinkRoutes, acting: Acting, body: Body<"POST /api/links">) {
  const { accountId, commandId } = acting;
  const { label, note, expiresAt, password } = body;
  const code = body.code ?? codeFrom(routes.context, `${accountId} ${commandId}`);
  const [linkId] = linkIdsOf(routes.context, code);
  const held = await findLink(routes.context.ledger.sql, [linkId]);
  if (held !== undefined) return await repeatedLink(routes, acting, linkId);
  await requirePlace(routes, accountId, [linkId]);
  const placed = await placeTarget(routes, accountId, body.target);
  const passwordHash = password === null ? null : await routes.passwords.hash(password);
  const link = { ...placed, linkId, code, label, note, expiresAt, passwordHash };
  try {
    return await inTurnOf(routes, accountId, async () => {
      await requirePlace(routes, accountId, [linkId]);
      return await createLink(routes, acting, { ...link, custom: body.code !== null });
    });
  } catch (error) {
    const isStored = body.target.kind === "file" || body.target.kind === "cv";
    if (isStored && placed.file !== null) await removeFile(routes.files, placed.file.fileId);
    throw error;
  }
}

/** The link that a repeated request made. @throws ProblemError when another request made it */
async function repeatedLink(routes: LinkRoutes, acting: Acting, linkId: string) {
  const { accountId, issued } = acting;
  const description = { target: "profile", fileId: null, locked: false, expiresAt: null } as const;
  const command = { type: "CreateLink", accountId, custom: true, description } as const;
  await issueLinkCommand(routes.context, { linkId, command, ...acting });
  const row = await ownLink(routes, accountId, linkId);
  return viewOf(row, await detailsOf(routes.context, row), issued.now);
}

/** Makes links of one target, whose file is stored once. @throws ProblemError */
export async function makeLinks(
  routes: LinkRoutes,
  acting: Acting,
  body: Body<"POST /api/links/bulk">,
) {
  const { accountId, commandId } = acting;
  const { recipients, target, expiresAt } = body;
  const named = recipients.map((label, index) => {
    const code = codeFrom(routes.context, `${accountId} ${commandId} ${index}`);
    return { linkId: linkIdsOf(routes.context, code)[0], code, label };
  });
  const linkIds = named.map(({ linkId }) => linkId);
  await requirePlace(routes, accountId, linkIds);
  const placed = await placeTarget(routes, accountId, target);
  return await inTurnOf(routes, accountId, async () => {
    await requirePlace(routes, accountId, linkIds);
    const links: LinkView[] = [];
    for (const one of named) {
      const link = { ...placed, ...one, note: "", expiresAt, passwordHash: null };
      links.push(await createLink(routes, acting, { ...link, custom: false }));
    }
    return links;
  });
}
