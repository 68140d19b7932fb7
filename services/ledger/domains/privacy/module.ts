import { defineModule } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import { privacyTimerHandlers, recordCancellations } from "./follow-up.ts";
import { privacyRequestRows } from "./read-models.ts";
import { privacyEvents, privacyRequests } from "./requests.ts";

/** Privacy requests. No call receives one yet. */
export const privacy = defineModule({
  name: "privacy",
  events: [privacyEvents],
  streams: [streamKind(privacyRequests)],
  readModels: [privacyRequestRows],
  processes: [recordCancellations],
  timers: privacyTimerHandlers,
});
