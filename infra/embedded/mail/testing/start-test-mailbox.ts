import { join } from "node:path";

import { createLogger } from "@pro-talent/platform/runtime/logger";

import { choosePort } from "../../ports.ts";
import { temporaryDirectory } from "../../testing/temporary-directory.ts";
import { openMailCatcher } from "../mail-catcher.ts";
import { type Mailbox, mailbox } from "./mailbox.ts";

export type TestMailbox = Mailbox & {
  readonly smtpUrl: string;
  readonly webUrl: string;
  readonly stop: () => Promise<void>;
};

/** The mail catcher in this process, on free ports. @param directory keeps its mails */
export async function startMailCatcher(directory: string): Promise<TestMailbox> {
  const smtpPort = await choosePort();
  const { app, close } = await openMailCatcher(
    { MAIL_DIR: directory, SMTP_PORT: String(smtpPort) },
    createLogger({ service: "mail", level: "silent" }),
  );
  const webUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  return { ...mailbox(webUrl), webUrl, smtpUrl: `smtp://127.0.0.1:${smtpPort}`, stop: close };
}

/** The mail catcher for one test file, with an empty mailbox. */
export async function startTestMailbox(): Promise<TestMailbox> {
  const directory = await temporaryDirectory();
  const catcher = await startMailCatcher(join(directory.path, "mail"));
  const stop = async (): Promise<void> => {
    await catcher.stop();
    await directory.remove();
  };
  return { ...catcher, stop };
}
