import { expect, it } from "vitest";

import { breaksBetween, type ReleaseContracts } from "./compare-releases.ts";

const released: ReleaseContracts = {
  migrations: { "services/ledger/migrations/0001_event_store.sql": "a1" },
  columns: {
    "ledger.link.id": { type: "uuid", required: true },
    "ledger.link.label": { type: "text", required: false },
  },
  events: {
    "links/LinkMade": { version: 1, contract: "c1" },
    "links/LinkEnded": { version: 2, contract: "c2" },
  },
  jobs: { "ledger.deliver-message": { outboxId: "z.int()" } },
};

it("a release may add files, tables, columns, events, versions with upcasts, jobs and fields", () => {
  const next: ReleaseContracts = {
    migrations: { ...released.migrations, "services/ledger/migrations/0002_more.sql": "b1" },
    columns: {
      ...released.columns,
      "ledger.link.colour": { type: "text", required: false },
      "ledger.diary.text": { type: "text", required: true },
    },
    events: {
      ...released.events,
      "links/LinkMade": { version: 2, contract: "c9" },
      "links/LinkPainted": { version: 1, contract: "c3" },
    },
    jobs: {
      "ledger.deliver-message": { outboxId: "z.int()", urgent: "z.boolean().optional()" },
      "ledger.paint": { linkId: "z.uuid()" },
    },
  };
  expect(breaksBetween(released, next)).toEqual([]);
});

it("what the previous release could not bear beside it is reported", () => {
  const next: ReleaseContracts = {
    migrations: { "services/ledger/migrations/0001_event_store.sql": "a2" },
    columns: {
      "ledger.link.id": { type: "text", required: true },
      "ledger.link.owner": { type: "uuid", required: true },
    },
    events: { "links/LinkMade": { version: 1, contract: "c9" } },
    jobs: { "ledger.deliver-message": { outboxId: "z.string()", owner: "z.uuid()" } },
  };
  expect(breaksBetween(released, next)).toEqual([
    "services/ledger/migrations/0001_event_store.sql was changed after it was released",
    "ledger.link.id was uuid and is text",
    "ledger.link.label is gone: the previous release reads or writes it",
    "ledger.link.owner is new and required: the previous release does not write it",
    "links/LinkMade was changed without a new version and an upcast",
    "links/LinkEnded is gone: stored events cannot be read",
    "outboxId of the job ledger.deliver-message was changed",
    "owner of the job ledger.deliver-message is new and required: waiting jobs do not have it",
  ]);
  const required = { ...released.columns, "ledger.link.label": { type: "text", required: true } };
  expect(
    breaksBetween(released, { ...released, columns: required, migrations: {}, jobs: {} }),
  ).toEqual([
    "services/ledger/migrations/0001_event_store.sql is gone",
    "ledger.link.label is required: the previous release omits it",
    "the job ledger.deliver-message is gone, and may be waiting",
  ]);
});
