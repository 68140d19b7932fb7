import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { Day, startOfDay } from "@pro-talent/schemas/primitives/calendar";
import { dueZone } from "@pro-talent/schemas/privacy/clocks";
import { YearOfType } from "@pro-talent/schemas/privacy/overview-calls";
import { z } from "zod";

const firstDay = (year: number) => startOfDay(Day.parse(`${year}-01-01`), dueZone);

const noDays = { medianDays: null, meanDays: null };
const none = {
  received: 0,
  fulfilled: 0,
  fulfilledInPart: 0,
  denied: 0,
  deniedBy: [],
  withdrawn: 0,
  cancelled: 0,
  expired: 0,
  nothingHeld: 0,
  erased: 0,
  open: 0,
  extended: 0,
  inTime: 0,
  late: 0,
  ...noDays,
};

/** Steps of the history that answer a request, and those that decide it. A deletion is decided at once. */
const answers = ["ready", "denied", "erased", "completed"];
const decisions = ["scheduled", "working", "denied"];

/** The requests that were received in a year, as the law of California asks for them and by the due date. */
export async function yearOfRequests(
  sql: Queryable,
  year: number,
  now: Date,
): Promise<readonly YearOfType[]> {
  const firstOf = (steps: readonly string[]) => sql`
    (select min((h ->> 'at')::timestamptz) from jsonb_array_elements(history) h
      where h ->> 'step' = any (${steps}))`;
  const days = sql`extract(epoch from answered_at - received_at) / 86400`;
  const rows = await sql<object[]>`
    with request as (
      select type, outcome, denial_reason, status, partly <> '[]'::jsonb as is_partial, extension, received_at, due_at,
             ${firstOf(answers)} as answered_at, ${firstOf(decisions)} as decided_at
        from ledger.privacy_request
       where type <> 'cancel-deletion'
         and received_at >= ${firstDay(year)} and received_at < ${firstDay(year + 1)})
    select type, count(*) as received,
           count(*) filter (where outcome = 'fulfilled' and not is_partial) as fulfilled,
           count(*) filter (where outcome = 'fulfilled' and is_partial) as "fulfilledInPart",
           count(*) filter (where outcome = 'denied') as denied,
           count(*) filter (where outcome = 'withdrawn') as withdrawn,
           count(*) filter (where outcome = 'cancelled') as cancelled,
           count(*) filter (where outcome = 'expired') as expired,
           count(*) filter (where outcome = 'nothing-held') as "nothingHeld",
           count(*) filter (where outcome = 'erased') as erased,
           (select coalesce(jsonb_agg(jsonb_build_object('reason', d.reason, 'count', d.count)
                                      order by d.count desc, d.reason), '[]'::jsonb)
              from (select denial_reason as reason, count(*) from request other
                     where other.type = request.type and other.outcome = 'denied'
                     group by denial_reason) d) as "deniedBy",
           count(*) filter (where outcome is null) as open,
           count(*) filter (where extension is not null) as extended,
           count(*) filter (where decided_at < due_at) as "inTime",
           count(*) filter (where decided_at >= due_at
                               or (decided_at is null and status = 'verified' and due_at <= ${now})
                           ) as late,
           round((percentile_cont(0.5) within group (order by ${days}))::numeric, 1)::float
             as "medianDays",
           round(avg(${days}), 1)::float as "meanDays"
      from request group by type`;
  const found = z.array(YearOfType).parse(rows);
  return YearOfType.shape.type.options.map(
    (type) => found.find((one) => one.type === type) ?? { type, ...none },
  );
}

/** Years in which requests were received, the newest first. */
export async function yearsOfRequests(sql: Queryable): Promise<readonly number[]> {
  const rows = await sql<{ year: number }[]>`
    select distinct extract(year from received_at at time zone ${dueZone})::int as year
      from ledger.privacy_request where type <> 'cancel-deletion' order by year desc`;
  return rows.map(({ year }) => year);
}
