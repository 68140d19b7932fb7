/** Bounds of the contact call. Fields beyond them are refused, never cut. */
export const contactLimits = {
  bodyBytesMax: 64 * 1024,
  nameCharsMax: 120,
  subjectCharsMax: 200,
  /** After trimming (specification §5). */
  messageCharsMin: 10,
  messageCharsMax: 5000,
  sessionIdCharsMax: 4096,
  honeypotCharsMax: 500,
  writingMsMax: 30 * 24 * 60 * 60 * 1000,
  /** No person fills in the form faster, even with a password manager and the clipboard. */
  writingMsMin: 1500,
  /** A day, to one address: a form must not become a way of flooding a stranger's mailbox. */
  acknowledgementsPerDay: 3,
  /** Details of a matter that was never settled are erased this long after the message (privacy policy). */
  unsettledMonths: 36,
  /** Reference and category of a message leave the inbox this long after its matter was settled. */
  settledMonths: 24,
} as const;
