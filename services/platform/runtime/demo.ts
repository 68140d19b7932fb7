import { z } from "zod";

import { type Clock, readClock } from "./clock.ts";
import { OperatorError } from "./operator-error.ts";

type Source = Readonly<Record<string, string | undefined>>;

/** An invented person of the demo, with an account. */
export const DemoPerson = z.object({
  name: z.enum(["premium", "free", "officer", "analyst", "administrator"]),
  email: z.string(),
  accountId: z.uuid(),
  /** When the account was opened, in milliseconds since 1970. */
  openedMs: z.int(),
  /** Secret of the authenticator in hexadecimal; null without a second factor. */
  totpSecret: z.string().nullable(),
});
export type DemoPerson = z.infer<typeof DemoPerson>;

/** A link of the premium owner, with how it fares. */
export type DemoLink = {
  readonly linkId: string;
  readonly accountId: string;
  readonly leadsTo: "file" | "external";
  readonly createdMs: number;
  /** `ignored`: only machines ask for it; `public`: it is open to anyone, and many do. */
  readonly story: "read" | "ignored" | "public";
};

/** What all parts of the demo share. */
export type DemoWorld = {
  /** Now, by the services' clock. */
  readonly nowMs: number;
  /** Of every account. */
  readonly password: string;
  /** The accounts service adds them; the parts of later services give them a history. */
  readonly people: DemoPerson[];
  /** The ledger adds them; the collector gives them their opens. */
  readonly links: DemoLink[];
};

/**
 * What a service adds to the demo, by its own commands at times in the past. Only an embedded instance
 * has a demo, and its services run meanwhile.
 */
export type DemoPart = {
  readonly make: (source: Source, world: DemoWorld) => Promise<void>;
  /** Removes what it can. @returns what stays, in sentences for the operator */
  readonly remove: (
    source: Source,
    people: readonly Pick<DemoPerson, "accountId" | "email">[],
  ) => Promise<readonly string[]>;
};

/**
 * The clock of an embedded instance.
 * @throws OperatorError in production, and for an instance that is not embedded: it has no test clock
 */
export function demoClock(source: Source): Clock {
  if (source["NODE_ENV"] === "production") {
    throw new OperatorError("The demo invents people and payments: it is refused in production.");
  }
  if ((source["TEST_CLOCK_FILE"] ?? "") === "") {
    throw new OperatorError("Only the instance that npm start runs has a demo.");
  }
  return readClock(source);
}

/** A portrait as SVG, drawn for the demo. */
export const demoPortrait = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">
  <rect width="512" height="512" fill="#dfeae6"/>
  <path d="M56 512c12-118 92-176 200-176s188 58 200 176z" fill="#1f5c57"/>
  <path d="M214 296h84v72a42 42 0 0 1-84 0z" fill="#d9a07c"/>
  <path d="M132 220c0-88 54-140 124-140s124 52 124 140v120H132z" fill="#3d2a22"/>
  <ellipse cx="256" cy="222" rx="88" ry="106" fill="#ebb692"/>
  <path d="M168 214c2-72 48-100 104-100 40 0 70 30 74 84-64 6-112-12-134-44-8 30-22 48-44 60z" fill="#3d2a22"/>
  <circle cx="222" cy="230" r="9" fill="#2b211c"/><circle cx="292" cy="230" r="9" fill="#2b211c"/>
  <path d="M222 276q35 30 70 0" fill="none" stroke="#a2523f" stroke-width="9" stroke-linecap="round"/>
</svg>`;
