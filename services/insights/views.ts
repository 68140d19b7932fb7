import type { OpenView, People } from "@pro-talent/schemas/insights/calls";
import { noVisitor } from "@pro-talent/schemas/links/opens";
import { v5 as uuidV5 } from "uuid";

import type { OpenShown } from "./questions/opens.ts";
import type { TotalsRow } from "./questions/totals.ts";

/** Whether a range is longer than visitors are recognised. */
type Recognition = { readonly upTo: boolean };

/** What some links were opened, all together. Visitors are of one link, so that they add up. */
export function totalsOf(rows: readonly TotalsRow[], { upTo }: Recognition) {
  const sum = (pick: (row: TotalsRow) => number): number =>
    rows.reduce((total, row) => total + pick(row), 0);
  const people: People = { count: sum((row) => row.people), upTo };
  const lastAt = rows
    .flatMap((row) => row.lastAt ?? [])
    .reduce<TotalsRow["lastAt"]>((last, at) => (last === null || at > last ? at : last), null);
  return {
    opens: sum((row) => row.opens),
    people,
    fetched: sum((row) => row.fetched),
    excluded: sum((row) => row.excluded),
    lastAt,
  };
}

/** Numbers visitors of each link from 1, in the order in which they are asked for. */
export class VisitorNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #last = new Map<string, number>();

  /** @returns null for one who is not recognised */
  of({ linkId, visitorId }: Pick<OpenShown, "linkId" | "visitorId">): number | null {
    if (visitorId === noVisitor) return null;
    const known = this.#numbers.get(visitorId);
    if (known !== undefined) return known;
    const next = (this.#last.get(linkId) ?? 0) + 1;
    this.#last.set(linkId, next);
    this.#numbers.set(visitorId, next);
    return next;
  }
}

/** A row as its owner sees it: its id is no id of a store. What was never seen on a screen has no length. */
export function openView(row: OpenShown, numbers: VisitorNumbers): OpenView {
  const isSeen = row.state === "seen";
  return {
    openId: uuidV5(row.eventId, openIds),
    linkId: row.linkId,
    at: row.at,
    visitor: numbers.of(row),
    exclusion: row.exclusion === "" ? null : row.exclusion,
    state: row.state,
    seconds: isSeen ? row.seconds : null,
    pages: isSeen && row.pagesTotal > 0 ? row.pages : null,
    pagesTotal: isSeen && row.pagesTotal > 0 ? row.pagesTotal : null,
    downloaded: row.downloaded,
    country: row.country,
    region: row.region,
    device: row.device,
    browser: row.browser,
    source: row.source,
    channel: row.channel,
  };
}

/** Names of opens are made in this space (RFC 9562, 5.5). */
const openIds = "6d0e4b6a-6f2c-5d0b-9a51-0c6f6a3f1f57";
