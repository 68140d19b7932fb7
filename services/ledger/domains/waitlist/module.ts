import { defineModule } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import { waitlistTimerHandlers } from "./invite.ts";
import { followSubscribers, places, waitlistEvents, waitlistPlaces } from "./places.ts";

/** The waitlist for the launch: places of newsletter subscribers, kept by a process, and invitations. */
export const waitlist = defineModule({
  name: "waitlist",
  events: [waitlistEvents],
  streams: [streamKind(places)],
  readModels: [waitlistPlaces],
  processes: [followSubscribers],
  timers: waitlistTimerHandlers,
});
