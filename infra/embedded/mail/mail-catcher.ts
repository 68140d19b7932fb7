import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { callbackify } from "node:util";

import { parseEnv } from "@pro-talent/platform/config/define-env";
import { buildServer } from "@pro-talent/platform/http/build-server";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";
import { SMTPServer } from "smtp-server";
import { z } from "zod";

import { CaughtMails } from "./caught-mails.ts";
import { addMailRoutes } from "./mail-routes.ts";

const shape = {
  /** Caught mails are kept here as `.eml` files and shown again after a restart. */
  MAIL_DIR: z.string().min(1),
  /** Takes mail on 127.0.0.1, without encryption or sign-in. */
  SMTP_PORT: z.coerce.number().int().min(1).max(65_535),
};
/** A client that keeps its connection open is given this long when the catcher closes. */
const CLOSE_WITHIN_MS = 500;

/**
 * Catches every mail that is sent to it, on loopback, and shows it in a browser; nothing leaves the
 * machine. `GET /api/email` lists the mails as JSON.
 * @throws also when the SMTP port is taken
 */
export const openMailCatcher: OpenService = async (source, log) => {
  const env = parseEnv(shape, source);
  const mails = await CaughtMails.open(env.MAIL_DIR);
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: CLOSE_WITHIN_MS,
    onData: (stream, { envelope }, done) => {
      const recipients = envelope.rcptTo.map(({ address }) => address);
      const taken = buffer(stream).then((bytes) => mails.add(bytes, recipients));
      callbackify(() => taken)(done);
    },
  });
  smtp.listen(env.SMTP_PORT, "127.0.0.1");
  await once(smtp.server, "listening");
  // A client that breaks off is no concern of the others.
  smtp.on("error", (error) => log.warn({ err: error }, "a mail was not taken"));
  const app = buildServer({ log });
  app.get("/readyz", async () => ({ ready: true }));
  addMailRoutes(app, mails);
  const close = async (): Promise<void> => {
    await new Promise<void>((resolve) => smtp.close(() => resolve()));
    await app.close();
  };
  return { app, close };
};
