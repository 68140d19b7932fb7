import { Readable } from "node:stream";

import { stringify } from "csv-stringify";

import type { OpenShown } from "./questions/opens.ts";
import { openView, VisitorNumbers } from "./views.ts";

const columns = [
  "time_local",
  "time_utc",
  "state",
  "left_out_because",
  "visitor",
  "seconds",
  "pages",
  "pages_total",
  "downloaded",
  "country",
  "region",
  "device",
  "browser",
  "source",
  "channel",
] as const;

/**
 * Requests as a table (RFC 4180), with the mark by which Excel reads UTF-8. A cell that a spreadsheet
 * would compute gets an apostrophe in front.
 * @param rows in the parts in which they arrive
 * @param zone of the local times, an IANA name
 */
export function csvOf(rows: AsyncIterable<readonly OpenShown[]>, zone: string): Readable {
  const localTime = localTimes(zone);
  const table = stringify({
    header: true,
    columns: [...columns],
    bom: true,
    record_delimiter: "windows",
    escape_formulas: true,
  });
  const source = Readable.from(records(rows, localTime));
  source.once("error", (error) => table.destroy(error));
  table.once("close", () => source.destroy());
  return source.pipe(table);
}

async function* records(
  rows: AsyncIterable<readonly OpenShown[]>,
  localTime: (ms: number) => string,
): AsyncGenerator<Record<(typeof columns)[number], string | number | null>> {
  const numbers = new VisitorNumbers();
  for await (const part of rows) {
    for (const row of part) {
      const open = openView(row, numbers);
      yield {
        time_local: localTime(Date.parse(open.at)),
        time_utc: open.at,
        state: open.state,
        left_out_because: open.exclusion,
        visitor: open.visitor,
        seconds: open.seconds,
        pages: open.pages,
        pages_total: open.pagesTotal,
        downloaded: open.downloaded ? "yes" : "no",
        country: open.country,
        region: open.region,
        device: open.device,
        browser: open.browser,
        source: open.source,
        channel: open.channel,
      };
    }
  }
}

/** As in `2026-03-01 10:00:00`. Sweden writes times as ISO 8601 does. */
function localTimes(zone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  return (ms) => format.format(ms);
}
