/** What a date in the calendar is about, apart from the schemas so that pages load it alone. */
export const calendarKinds = [
  "due",
  "identity",
  "extension",
  "erase",
  "hold-review",
  "package",
  "backups",
  "breach",
  "inactivity",
] as const;
