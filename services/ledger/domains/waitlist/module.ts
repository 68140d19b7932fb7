import { defineModule } from "../../kernel/module.ts";
import { followSubscribers, waitlistEvents, waitlistPlaces } from "./places.ts";

/** The waitlist for the launch: places of newsletter subscribers, kept by a process. */
export const waitlist = defineModule({
  name: "waitlist",
  events: [waitlistEvents],
  readModels: [waitlistPlaces],
  processes: [followSubscribers],
});
