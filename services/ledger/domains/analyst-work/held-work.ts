import type { HeldRecord } from "@pro-talent/schemas/privacy/held-data";

import type { HeldSource } from "../../held.ts";
import { loadState } from "../../kernel/streams.ts";
import { deliveries, deliveryIdsOf } from "./deliveries/deliveries.ts";
import { contentOf, titlesOf, workRows } from "./read-work.ts";

/** What an account saved as an analyst, and what it gets by mail. */
export const savedWorkHeld: HeldSource = {
  section: "saved-work",
  collect: async function heldWork(context, { accountId: ownerId }) {
    const rows = await workRows(context, { ownerId });
    const planned = await deliveriesOf(context, ownerId);
    const ids = [...rows, ...planned].map(({ workId }) => workId);
    const titles = await titlesOf(context, ids);
    const records: HeldRecord[] = [];
    for (const row of rows) {
      const content = await contentOf(context, row);
      const title = titles.get(row.workId);
      if (content === undefined || title === undefined) continue;
      const text = content.kind === "query" ? content.text : JSON.stringify(content);
      records.push([
        { field: "label", text: title },
        { field: "request", text },
        { field: "version", count: row.version },
        { field: "created-at", at: row.createdAt },
        { field: "changed-at", at: row.changedAt },
      ]);
    }
    for (const { workId, frequency } of planned) {
      const title = titles.get(workId) ?? "";
      const named: HeldRecord = title === "" ? [] : [{ field: "label", text: title }];
      records.push([...named, { field: "frequency", text: frequency }]);
    }
    return records;
  },
};

async function deliveriesOf(context: Parameters<typeof deliveryIdsOf>[0], ownerId: string) {
  const { sql } = context.ledger;
  const ids = await deliveryIdsOf(context, ownerId);
  const states = await Promise.all(ids.map((id) => loadState(sql, deliveries, id)));
  return states.flatMap(({ state }) => {
    if (state.status !== "planned") return [];
    const { of, schedule } = state.plan;
    const { every, time, zone } = schedule;
    return [{ workId: of.workId, frequency: `${every} ${time} ${zone}` }];
  });
}
