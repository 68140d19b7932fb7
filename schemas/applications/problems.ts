import { defineProblems } from "../primitives/problem.ts";

export const applicationProblems = defineProblems({
  tracker_not_included: [403, "The plan of this account does not include the tracker."],
  application_not_found: [404, "There is no such application."],
  stage_not_found: [404, "There is no such stage."],
  reminder_not_found: [404, "There is no such reminder."],
  note_not_found: [404, "There is no such note."],
  file_not_found: [404, "There is no such file."],
  applications_full: [409, "This account holds as many applications as it may."],
  application_full: [409, "This application holds as many of these as it may."],
  stage_in_use: [409, "There are applications in this stage. Say where they go."],
  zone_unknown: [422, "There is no such time zone."],
  reminder_past: [422, "A reminder cannot be in the past."],
  link_not_found: [404, "There is no such link."],
  file_too_large: [413, "The file is larger than allowed."],
  import_unreadable: [422, "This is no table or calendar that can be read."],
  posting_unreadable: [422, "That address shows no posting that can be read."],
});
