import { vi } from "vitest";
import { z } from "zod";

import type { Language } from "./fixtures.ts";
import type { LinkOwners } from "./link-owners.ts";
import type { CaughtMail } from "./mail-box.ts";
import type { OperatedStack } from "./products.ts";

const Added = z.object({
  applications: z.tuple([
    z.object({ applicationId: z.string(), details: z.object({ company: z.string() }) }),
  ]),
});
const Listed = z.object({
  stages: z.array(z.object({ stageId: z.string(), kind: z.string() })),
});

/** An application with which a portfolio is sent. */
export type SentPortfolio = {
  readonly company: string;
  readonly path: string;
  readonly reminder: string;
  /** A day that has not begun when the clock stands where it does for this language. */
  readonly remindOn: string;
  /** The stage of its last change. */
  readonly offeredId: string;
};

const words = {
  en: { company: "Wayne Clinics", role: "Nurse", reminder: "Ask Dana about the talk", days: 1 },
  he: { company: "מרפאות הגליל", role: "אחות", reminder: "לשאול את דנה על השיחה", days: 3 },
} as const;
const dayMs = 24 * 60 * 60_000;

/** What a day and a time look like beside an open, in both languages. */
export const dayAndTime = /\d{1,2}.*\d{2}:\d{2}/u;
/** How a mail states its direction. */
export const directionOf = { en: 'dir="ltr"', he: 'dir="rtl"' } as const;

/** Adds the application in which the journey of a portfolio ends. */
export async function addApplication(
  { call }: LinkOwners,
  language: Language,
): Promise<SentPortfolio> {
  const { days, company, role, reminder } = words[language];
  const body = { applications: [{ details: { company, role } }] };
  const added = Added.parse(await call("premium", "POST", "/api/applications", body));
  const { stages } = Listed.parse(await call("premium", "GET", "/api/applications"));
  return {
    company,
    path: `/applications/${added.applications[0].applicationId}`,
    reminder,
    remindOn: new Date(Date.now() + days * dayMs).toISOString().slice(0, 10),
    offeredId: stages.find(({ kind }) => kind === "offered")?.stageId ?? "",
  };
}

/** Moves the clock past the reminder. @returns the mail about it, in the language of the account */
export async function remindLater(
  stack: OperatedStack,
  owners: LinkOwners,
  language: Language,
): Promise<CaughtMail> {
  await owners.call("premium", "PATCH", "/api/account/profile", { language });
  await stack.operate("infra/embedded/clock.cli.ts", "+2d");
  const { company } = words[language];
  return await vi.waitFor(
    async () => {
      const mails = await stack.mail.to("premium@demo.example");
      const mail = mails.find(({ subject }) => subject.includes(company));
      if (mail === undefined) throw new Error(`no mail about ${company}`);
      return mail;
    },
    { timeout: 30_000, interval: 200 },
  );
}
