import type { Eraser } from "../../kernel/erasers.ts";
import { commandDelivery, deliveryIdsOf } from "./deliveries/deliveries.ts";
import { workRows } from "./read-work.ts";
import { commandWork } from "./saved-work.ts";

/**
 * Erases the private work of an account and destroys its keys, and ends its deliveries. What is shared stays with the
 * roles that it is shared with, and is no one's.
 */
export const savedWorkEraser: Eraser = {
  step: "analyst-work",
  subjectsOf: async (context, { accountId: ownerId }) =>
    (await workRows(context, { ownerId }))
      .filter(({ sharedWith }) => sharedWith.length === 0)
      .map(({ workId }) => workId),
  erase: async (context, { accountId: ownerId }, why) => {
    const work = await workRows(context, { ownerId });
    for (const { workId, sharedWith } of work) {
      const command = { type: "PartWithOwner", ownerId } as const;
      const result = await commandWork(context, workId, command, why);
      if (result.kind === "refusal") throw new Error(`Work was not erased: ${result.code}`);
      if (sharedWith.length === 0) await context.subjects.shred(workId);
    }
    const deliveries = await deliveryIdsOf(context, ownerId);
    for (const deliveryId of deliveries) {
      const command = { type: "RemoveDelivery", ownerId } as const;
      const result = await commandDelivery(context, deliveryId, command, why);
      if (result.kind === "refusal") throw new Error(`A delivery did not end: ${result.code}`);
    }
    const left = [
      ...(await workRows(context, { ownerId })),
      ...(await deliveryIdsOf(context, ownerId)),
    ];
    return { found: work.length + deliveries.length, left: left.length };
  },
};
