import { type AccountAccess, signedIn } from "../primitives/access.ts";

/** Pages that need an account, by the pattern of their address. */
export const pageAccess = {
  "/dashboard": signedIn,
  "/account/profile": signedIn,
  "/account/security": { ...signedIn, withoutFactor: true },
  "/account/api": signedIn,
  "/account/subscription": signedIn,
  "/account/subscription/cancel": signedIn,
  "/account/privacy": signedIn,
  "/checkout": signedIn,
  "/checkout/return": signedIn,
  "/cv": signedIn,
  "/cv/:cvId": signedIn,
  "/portfolio": signedIn,
  "/links": signedIn,
  "/links/:linkId": signedIn,
  "/console/traffic": { roles: ["administrator"] },
  "/console/links": { roles: ["administrator"] },
  "/console/status": { roles: ["administrator"] },
  "/console/privacy": { roles: ["officer"] },
  "/console/privacy/requests/:requestId": { roles: ["officer"] },
  "/console/privacy/breaches": { roles: ["officer"] },
  "/console/privacy/breaches/:breachId": { roles: ["officer"] },
  "/console/privacy/inactive": { roles: ["officer"] },
  "/console/privacy/calendar": { roles: ["officer"] },
  "/console/privacy/metrics": { roles: ["officer"] },
  "/console/privacy/processing": { roles: ["officer"] },
} as const satisfies Readonly<Record<`/${string}`, AccountAccess>>;
export type GuardedPage = keyof typeof pageAccess;
