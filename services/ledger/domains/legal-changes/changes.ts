import type { Queryable } from "@pro-talent/platform/postgres/pool";
import {
  ChangeNoticeEvent,
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

/** The notice of one change to one account: `changenotice-<noticeId>`. */
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
  purpose: "Lists where the notices of changes to each account stand",
  retention: "Until the account is closed",
  events: noticeEvents,
  key: { notice_id: column.uuid("pseudonym", "Names the notice of a change to an account") },
  columns: {
    change_id: column.uuid("operational", "Names the change"),
    account_id: column.uuid("pseudonym", "Names the account"),
    state: column.json(KnownChangeNotice)("coarse", "Delivery, and the attempts that failed"),
  },
  indexes: [{ on: "(change_id, account_id)", unique: true }, { on: "(account_id)" }],
  evolve: (row, { event, occurredAt }) => {
    const before = row === null ? noticeDecider.initialState : required(row.state);
    const after = noticeDecider.evolve(before, event, occurredAt);
    if (after.status !== "required") return null;
    const { status: _, ...state } = after;
    return { change_id: state.changeId, account_id: state.accountId, state };
  },
});

const required = (state: KnownChangeNotice): NoticeState => ({ status: "required", ...state });

const Announced = LegalChange.extend({ changeId: z.string() });
export type AnnouncedChange = z.infer<typeof Announced>;

/** All changes that were announced, by the day they take effect. */
export async function changesAnnounced(sql: Queryable): Promise<readonly AnnouncedChange[]> {
  const rows = await sql<object[]>`
    select change || jsonb_build_object('changeId', change_id) as change from ledger.legal_change
     order by change ->> 'effectiveOn', change_id`;
  return z
    .array(z.object({ change: Announced }))
    .parse(rows)
    .map(({ change }) => change);
}

/** The notices of an account. */
export async function noticesOf(
  sql: Queryable,
  accountId: string,
): Promise<readonly KnownChangeNotice[]> {
  const rows = await sql<object[]>`
    select state from ledger.change_notice where account_id = ${accountId}
     order by state ->> 'effectiveOn', notice_id`;
  return z
    .array(z.object({ state: KnownChangeNotice }))
    .parse(rows)
    .map(({ state }) => state);
}

/** `waiting`: not tried yet, or the mail server delayed it. */
export type NoticeCounts = {
  readonly delivered: number;
  readonly refused: number;
  readonly waiting: number;
};

/** How many notices of a change stand where. */
export async function countNotices(sql: Queryable, changeId: string): Promise<NoticeCounts> {
  const [counts] = await sql<NoticeCounts[]>`
    select count(*) filter (where delivered)::int as delivered,
           count(*) filter (where refused)::int as refused,
           count(*) filter (where not delivered and not refused)::int as waiting
      from (select state ->> 'deliveredOn' is not null as delivered,
                   (state -> 'refused')::boolean as refused
              from ledger.change_notice where change_id = ${changeId}) notice`;
  return counts ?? { delivered: 0, refused: 0, waiting: 0 };
}
