import { SignInSession } from "@pro-talent/schemas/accounts/calls";

/** The sessions of the example account: this one, one on a telephone, one of an unknown browser. */
export const exampleSessions = SignInSession.array().parse([
  {
    sessionId: "6f9619ff-8b86-4d01-b42d-00cf4fc964f1",
    current: true,
    browser: "Firefox",
    system: "Windows",
    signedInAt: "2026-11-01T07:00:00.000Z",
    lastUsedAt: "2026-11-20T09:15:00.000Z",
  },
  {
    sessionId: "6f9619ff-8b86-4d01-b42d-00cf4fc964f2",
    current: false,
    browser: "Safari",
    system: "iPhone",
    signedInAt: "2026-10-12T18:30:00.000Z",
    lastUsedAt: "2026-11-18T20:00:00.000Z",
  },
  {
    sessionId: "6f9619ff-8b86-4d01-b42d-00cf4fc964f3",
    current: false,
    browser: null,
    system: null,
    signedInAt: "2026-09-02T18:30:00.000Z",
    lastUsedAt: "2026-09-02T18:40:00.000Z",
  },
]);
