import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";
import {
  deliveryOutcomes,
  DeliveryPlan,
  pauseReasons,
  savedKinds,
  SharedWith,
  Title,
  WorkContent,
} from "./saved-work.ts";

const nothing = z.object({});

/** Events of saved work (`savedwork-<workId>`). What was written is sealed beside them. */
export const SavedWorkEvent = z.discriminatedUnion("type", [
  /** A version; its first one has the title as well. Who saves it is the owner. */
  z.object({
    type: z.literal("WorkSaved"),
    data: z.object({ kind: z.enum(savedKinds), version: z.int().positive(), ownerId: Uuid }),
  }),
  z.object({ type: z.literal("WorkRenamed"), data: nothing }),
  z.object({ type: z.literal("WorkShared"), data: z.object({ sharedWith: SharedWith }) }),
  z.object({ type: z.literal("WorkArchived"), data: nothing }),
  z.object({ type: z.literal("WorkRestored"), data: nothing }),
  /** Its owner's account was deleted; it stays with the roles that it is shared with. */
  z.object({ type: z.literal("WorkHandedOver"), data: nothing }),
  z.object({ type: z.literal("WorkErased"), data: nothing }),
]);
export type SavedWorkEvent = z.infer<typeof SavedWorkEvent>;

/** What is sealed beside `WorkSaved`. */
export const SealedWork = z.object({ title: Title.optional(), content: WorkContent });
/** What is sealed beside `WorkRenamed`, and with the first version. */
export const SealedTitle = z.object({ title: Title });

const Run = z.int().positive();

/** Events of a delivery (`analystdelivery-<deliveryId>`), free of personal data. */
export const DeliveryEvent = z.discriminatedUnion("type", [
  /** Also when it is changed. */
  z.object({ type: z.literal("DeliveryPlanned"), data: DeliveryPlan.extend({ ownerId: Uuid }) }),
  z.object({
    type: z.literal("DeliveryPaused"),
    data: z.object({ reason: z.enum(pauseReasons) }),
  }),
  z.object({ type: z.literal("DeliveryResumed"), data: nothing }),
  /** `run`: counts from 1. */
  z.object({ type: z.literal("DeliveryCameDue"), data: z.object({ run: Run }) }),
  z.object({
    type: z.literal("DeliveryEnded"),
    data: z.object({ run: Run, outcome: z.enum(deliveryOutcomes) }),
  }),
  z.object({ type: z.literal("DeliveryRemoved"), data: nothing }),
]);
export type DeliveryEvent = z.infer<typeof DeliveryEvent>;
