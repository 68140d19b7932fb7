import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { callbackify } from "node:util";

import { parseEnv, publicOrigin } from "@pro-talent/platform/config/define-env";
import { buildServer } from "@pro-talent/platform/http/build-server";
import { readClock } from "@pro-talent/platform/runtime/clock";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { repeat } from "@pro-talent/platform/runtime/repeat";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";
import { requireWritable } from "@pro-talent/platform/runtime/writable";
import { SMTPServer } from "smtp-server";
import { z } from "zod";

import { CaughtMails } from "./caught-mails.ts";
import { addMailRoutes } from "./mail-routes.ts";
import { requireMailToken } from "./require-mail-token.ts";

const shape = {
  /** Caught mails are kept here as `.eml` files and shown again after a restart. */
  MAIL_DIR: z.string().min(1),
  /** Takes mail here, without encryption or sign-in; loopback unless a container network needs more. */
  SMTP_HOST: z.string().min(1).default("127.0.0.1"),
  SMTP_PORT: z.coerce.number().int().min(1).max(65_535),
  /** Where a browser opens the mails, as in `http://127.0.0.1:1080`. */
  WEB_ORIGIN: publicOrigin,
  /** Opens the mails; at least 32 characters. */
  MAIL_TOKEN: z.string().regex(/^[\w-]{32,}$/, "must be 32 or more letters and digits"),
  /** Of the site whose mails are caught. */
  PUBLIC_ORIGIN: publicOrigin.optional(),
  /** `local`: of a site on this machine alone. `any`: for a rehearsal on the internet. */
  MAIL_CATCHER_FOR: z.enum(["local", "any"]).default("local"),
};

/** Mails of a public site would not reach their recipients, in silence. @throws OperatorError */
function refusePublic({ PUBLIC_ORIGIN: site, MAIL_CATCHER_FOR: kind }: MailEnv): void {
  if (site === undefined || kind === "any") return;
  if (/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(site).hostname)) return;
  throw new OperatorError(
    `The mails of ${site} would be caught here, and not reach their recipients. Set SMTP_URL to a mail server and take "catcher" out of COMPOSE_PROFILES; or set MAIL_CATCHER_FOR=any for a rehearsal.`,
  );
}

type MailEnv = z.infer<z.ZodObject<typeof shape>>;

/** What the catcher needs to run. @throws naming every variable that is missing or wrong */
export function readMailEnv(source: Readonly<Record<string, string | undefined>>): MailEnv {
  return parseEnv(shape, source);
}

/** A client that keeps its connection open is given this long when the catcher closes. */
const CLOSE_WITHIN_MS = 500;
const FORGET_EVERY_MS = 60_000;

/**
 * Catches every mail that is sent to it, and shows it in a browser that has the token; nothing
 * leaves the machine, and after 30 days a mail is deleted. `GET /api/email` lists the mails as JSON.
 * @throws also when the SMTP port is taken
 */
export const openMailCatcher: OpenService = async (source, log) => {
  const env = readMailEnv(source);
  refusePublic(env);
  await requireWritable(env.MAIL_DIR, "MAIL_DIR");
  const mails = await CaughtMails.open(env.MAIL_DIR);
  const clock = readClock(source);
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: CLOSE_WITHIN_MS,
    onData: (stream, { envelope }, done) => {
      const recipients = envelope.rcptTo.map(({ address }) => address);
      const taken = buffer(stream).then((bytes) => mails.add(bytes, recipients, clock()));
      callbackify(() => taken)(done);
    },
  });
  smtp.listen(env.SMTP_PORT, env.SMTP_HOST);
  await once(smtp.server, "listening");
  // A client that breaks off is no concern of the others.
  smtp.on("error", (error) => log.warn({ err: error }, "a mail was not taken"));
  const app = buildServer({ publicOrigin: undefined, log });
  app.get("/readyz", async () => ({ ready: true }));
  await app.register(async (scope) => {
    requireMailToken(scope, { token: env.MAIL_TOKEN, webOrigin: env.WEB_ORIGIN });
    addMailRoutes(scope, mails);
  });
  const forgetting = repeat({
    everyMs: FORGET_EVERY_MS,
    pass: async () => {
      await mails.forget(clock());
      return "wait";
    },
    onFailing: (error) => log.error({ err: error }, "mails whose time is over are not deleted"),
  });
  const close = async (): Promise<void> => {
    await forgetting.stop();
    await new Promise<void>((resolve) => smtp.close(() => resolve()));
    await app.close();
  };
  return { app, close };
};
