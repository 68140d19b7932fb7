import type { Queryable } from "@pro-talent/platform/postgres/pool";
import {
  ChangeNoticeEvent,
  type ChangeRecipient,
  KnownChangeNotice,
  LegalChange,
  LegalChangeEvent,
} from "@pro-talent/schemas/legal-changes/events";
import { z } from "zod";

import type { StreamDefinition } from "../../kernel/commands.ts";
import { defineEvents } from "../../kernel/events.ts";
import { column, readModel } from "../../kernel/read-model.ts";
import {
  changeDecider,
  type ChangeCommand,
  type ChangeRefusal,
  type ChangeState,
  nextAttempt,
  type NoticeCommand,
  noticeDecider,
  type NoticeRefusal,
  type NoticeState,
} from "./decider.ts";

export const changeEvents = defineEvents("legalchange", LegalChangeEvent);
export const noticeEvents = defineEvents("changenotice", ChangeNoticeEvent);
export const noticeTimer = "legal-changes.notice";

/** A change: `legalchange-<changeId>`. */
export const changes: StreamDefinition<
  ChangeState,
  ChangeCommand,
  LegalChangeEvent,
  ChangeRefusal
> = {
  events: changeEvents,
  decider: changeDecider,
  durableWith: "each append",
  reply: () => null,
};

/** The notice of one change to one recipient: `changenotice-<noticeId>`. */
export const notices: StreamDefinition<
  NoticeState,
  NoticeCommand,
  ChangeNoticeEvent,
  NoticeRefusal
> = {
  events: noticeEvents,
  decider: noticeDecider,
  durableWith: "each append",
  reply: () => null,
  timers: (state) => {
    const dueAt = state.status === "required" ? nextAttempt(state) : null;
    return dueAt === null ? [] : [{ name: noticeTimer, dueAt }];
  },
};

export const announcedChanges = readModel({
  table: "legal_change",
  version: 1,
  mode: "inline",
  purpose: "Lists the announced changes of terms and policy",
  retention: "Kept: what was announced when is part of the record of the documents",
  events: changeEvents,
  key: { change_id: column.uuid("operational", "Names the change") },
  columns: {
    change: column.json(LegalChange)("content", "Document, version, day and summary"),
  },
  evolve: (_row, { event }) => ({ change: event.data }),
});

export const changeNotices = readModel({
  table: "change_notice",
  version: 1,
  mode: "inline",
  purpose: "Lists where the notices of changes to each recipient stand",
  retention: "Until the account is closed, or the subscription ends",
  events: noticeEvents,
  key: { notice_id: column.uuid("pseudonym", "Names the notice of a change to a recipient") },
  columns: {
    change_id: column.uuid("operational", "Names the change"),
    recipient: column.text("operational", "Account or subscriber"),
    recipient_id: column.uuid("pseudonym", "Names the account or the subscriber"),
    state: column.json(KnownChangeNotice)("coarse", "Delivery, and the attempts that failed"),
  },
  indexes: [{ on: "(change_id, recipient, recipient_id)", unique: true }, { on: "(recipient_id)" }],
  evolve: (row, { event, occurredAt }) => {
    const before = row === null ? noticeDecider.initialState : required(row.state);
    const after = noticeDecider.evolve(before, event, occurredAt);
    if (after.status !== "required") return null;
    const { status: _, ...state } = after;
    const { changeId: change_id, recipient, recipientId: recipient_id } = state;
    return { change_id, recipient, recipient_id, state };
  },
});

const required = (state: KnownChangeNotice): NoticeState => ({ status: "required", ...state });

const Announced = LegalChange.extend({ changeId: z.string() });
export type AnnouncedChange = z.infer<typeof Announced>;

/** All changes that were announced, by the day they take effect. */
export async function changesAnnounced(sql: Queryable): Promise<readonly AnnouncedChange[]> {
  const rows = await sql<object[]>`
    select change || jsonb_build_object('changeId', change_id) as change from ledger.legal_change
     order by change ->> 'version', change_id`;
  return z
    .array(z.object({ change: Announced }))
    .parse(rows)
    .map(({ change }) => change);
}

/** The notices of one recipient. */
export async function noticesOf(
  sql: Queryable,
  recipientId: string,
): Promise<readonly KnownChangeNotice[]> {
  const rows = await sql<object[]>`
    select state from ledger.change_notice where recipient_id = ${recipientId}
     order by state ->> 'effectiveOn', notice_id`;
  return z
    .array(z.object({ state: KnownChangeNotice }))
    .parse(rows)
    .map(({ state }) => state);
}

/** `waiting`: not tried yet, or the mail server delayed it. */
export type NoticeCounts = {
  readonly recipient: ChangeRecipient;
  readonly delivered: number;
  readonly refused: number;
  readonly waiting: number;
};

/** How many notices of a change stand where, to those who are still there. */
export async function countNotices(
  sql: Queryable,
  changeId: string,
): Promise<readonly NoticeCounts[]> {
  return await sql<NoticeCounts[]>`
    select recipient, count(*) filter (where delivered)::int as delivered,
           count(*) filter (where refused)::int as refused,
           count(*) filter (where not delivered and not refused)::int as waiting
      from (select recipient, state ->> 'deliveredOn' is not null as delivered,
                   (state -> 'refused')::boolean as refused
              from ledger.change_notice where change_id = ${changeId}) notice
     group by recipient order by recipient`;
}

/** Notices that have been due for less than an hour, and are not tried yet. */
export async function noticesBehind(sql: Queryable): Promise<number> {
  const [row] = await sql<{ behind: number }[]>`
    select count(*)::int as behind from ledger.due_timer
     where name = ${noticeTimer} and fired_at is null
       -- The clock of the process that required them may be a moment ahead.
       and due_at <= (select ledger.now()) + interval '1 second'
       and due_at > (select ledger.now()) - interval '1 hour'`;
  return row?.behind ?? 0;
}
