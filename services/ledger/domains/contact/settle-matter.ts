import { randomUUID } from "node:crypto";

import type { Instant } from "@pro-talent/schemas/primitives/instant";

import type { EventStore } from "../event-store/event-store.ts";
import {
  type CommandAnswer,
  handleCommand,
  type StoreRefusalCode,
} from "../event-store/handle-command.ts";
import type { Refusal } from "../event-store/types.ts";
import { contactStream } from "./contact-events.ts";
import { contactHandler } from "./contact-handler.ts";
import type { ContactRefusalCode } from "./decider.ts";

/**
 * Records that support has done with a message. The letter is erased by the work that follows; a
 * matter that is settled already stays as it is (`quiet`).
 */
export function settleMatter(
  store: EventStore,
  messageId: string,
  now: Instant,
): Promise<CommandAnswer | Refusal<ContactRefusalCode | StoreRefusalCode>> {
  return handleCommand(store, contactHandler, {
    commandId: randomUUID(),
    stream: contactStream(messageId),
    command: { type: "SettleContactMatter" },
    body: { type: "SettleContactMatter", messageId },
    now,
  });
}
