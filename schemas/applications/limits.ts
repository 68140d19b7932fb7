/** Bounds of the application tracker, shared by browser and server. Characters are UTF-16 units. */
export const applicationLimits = {
  /** Of an account, archived ones included. */
  applicationsMax: 10_000,
  stagesMax: 16,
  lineCharsMax: 200,
  urlCharsMax: 2_048,
  noteCharsMax: 10_000,
  /** Of one application. */
  notesMax: 200,
  contactsMax: 20,
  filesMax: 20,
  remindersMax: 50,
  linksMax: 20,
  fileBytesMax: 10 * 1024 * 1024,
  /** Applications that one call changes or adds. */
  bulkMax: 500,
  importBytesMax: 5 * 1024 * 1024,
} as const;
