import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { connectMailer } from "@pro-talent/platform/mail/mailer";
import { newsletterPages } from "@pro-talent/schemas/newsletter/categories";
import { locales } from "@pro-talent/schemas/primitives/locale";
import { z } from "zod";

import { createComposer } from "./compose-letter.ts";
import type { readPreviewEnv } from "./env.ts";
import type { Issue } from "./issue.ts";

/** What previews need of the running instance's description of itself. */
const RunningInstance = z.object({ origin: z.url(), mail: z.object({ smtpUrl: z.string() }) });

type Surroundings = {
  readonly smtpUrl: string;
  readonly origin: string;
  readonly from: { readonly name: string; readonly address: string };
};

/**
 * Where previews go out, and where the site is: as the environment says, or else as the instance
 * that runs on this machine does.
 * @throws when neither is there
 */
export async function findSurroundings(
  env: ReturnType<typeof readPreviewEnv>,
): Promise<Surroundings> {
  const { SMTP_URL: smtpUrl, PUBLIC_ORIGIN: origin, MAIL_FROM: from } = env;
  if (smtpUrl !== undefined && origin !== undefined) return { smtpUrl, origin, from };
  const file = resolve(join(env.DATA_DIR, "runtime.json"));
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    const advice = "Start it, or set SMTP_URL and PUBLIC_ORIGIN.";
    throw new Error(`Nothing runs here (no ${file}). ${advice}`, { cause });
  });
  const running = RunningInstance.parse(JSON.parse(text));
  return { smtpUrl: smtpUrl ?? running.mail.smtpUrl, origin: origin ?? running.origin, from };
}

/** Sends an issue to one address, in both languages. Its links lead to pages, to nobody's wishes. */
export async function previewIssue(
  issue: Issue,
  address: string,
  { smtpUrl, origin, from }: Surroundings,
): Promise<void> {
  const mailer = connectMailer({ smtpUrl, from });
  const compose = createComposer(issue, origin);
  const page = origin + newsletterPages.preferences;
  try {
    for (const language of locales) {
      const reader = { email: address, language, manageUrl: page, unsubscribeUrl: page };
      const { unsubscribe: _, ...mail } = compose(randomUUID(), reader);
      await mailer.send(mail);
    }
  } finally {
    await mailer.close();
  }
}
