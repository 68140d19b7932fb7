import { z } from "zod";

import type { EventFrame, SegmentContents } from "../spool/frame.ts";
import type { ClosedSegment } from "../spool/segment.ts";
import { deleteWhere, type ErasingStore } from "./delete-where.ts";
import type { Unfinished } from "./erasures.ts";

/** The id at a link that is made from a visitor's key. */
type VisitorOfLink = (readerKey: Buffer, linkId: string) => string;

const idsMax = 10_000;
const Opens = z.array(z.object({ link: z.string(), visitors: z.array(z.string()) }));
const Named = z.looseObject({
  visitor_id: z.string().optional(),
  account_id: z.string().optional(),
  link_id: z.string().optional(),
});

/**
 * A segment that an earlier process left, without the records of subjects whose erasure is not done: after
 * a restore they would be shipped anew. It reads the same until every segment from before is shipped,
 * since no erasure is done before.
 */
export function withoutErased(
  segment: ClosedSegment,
  erased: Unfinished,
  visitorOfLink: VisitorOfLink,
): ClosedSegment {
  if (erased.accounts.size === 0 && erased.visitors.size === 0) return segment;
  const idsAt = idsByLink([...erased.visitors.values()], visitorOfLink);
  const isKept = ({ line }: Pick<EventFrame, "line">): boolean => {
    const row = Named.parse(JSON.parse(line.toString("utf8")));
    const { visitor_id: visitor = "", account_id: account = "", link_id: link } = row;
    if (erased.accounts.has(account) || erased.visitors.has(visitor)) return false;
    return link === undefined || !isOfConsent(visitor) || !idsAt(link).has(visitor);
  };
  const filtered = (contents: SegmentContents): SegmentContents => ({
    ...contents,
    events: contents.events.filter(isKept),
    opens: contents.opens.filter(isKept),
    viewings: contents.viewings.filter(isKept),
  });
  return { ...segment, read: async () => filtered(await segment.read()) };
}

/**
 * Deletes the opens of links by visitors that a restored backup brought back: under which ids they are
 * follows from keys that only the collector has.
 * @throws what ClickHouse throws
 */
export async function eraseRestoredOpens(
  store: ErasingStore,
  readerKeys: readonly Buffer[],
  visitorOfLink: VisitorOfLink,
): Promise<void> {
  if (readerKeys.length === 0) return;
  const { clickhouse, database } = store;
  const result = await clickhouse.query({
    query: `SELECT toString(link_id) AS link, groupUniqArray(toString(visitor_id)) AS visitors
              FROM \`${database}\`.link_opens
             WHERE substring(toString(visitor_id), 15, 1) = '8' GROUP BY link_id`,
    format: "JSONEachRow",
  });
  const idsAt = idsByLink(readerKeys, visitorOfLink);
  const found = Opens.parse(await result.json()).flatMap(({ link, visitors }) =>
    visitors.filter((id) => idsAt(link).has(id)),
  );
  for (let from = 0; from < found.length; from += idsMax) {
    await deleteWhere(store, "link_opens", {
      condition: "visitor_id IN {ids:Array(UUID)}",
      params: { ids: found.slice(from, from + idsMax) },
    });
  }
}

/** Ids of consenting visitors are of version 8, all others random. */
const isOfConsent = (id: string): boolean => id.charAt(14) === "8";

function idsByLink(readerKeys: readonly Buffer[], visitorOfLink: VisitorOfLink) {
  const known = new Map<string, ReadonlySet<string>>();
  return (linkId: string): ReadonlySet<string> => {
    const ids = known.get(linkId) ?? new Set(readerKeys.map((key) => visitorOfLink(key, linkId)));
    known.set(linkId, ids);
    return ids;
  };
}
