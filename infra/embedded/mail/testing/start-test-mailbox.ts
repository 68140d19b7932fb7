import { join } from "node:path";

import { createLogger } from "@pro-talent/platform/runtime/logger";

import { choosePort } from "../../ports.ts";
import { temporaryDirectory } from "../../testing/temporary-directory.ts";
import { openMailCatcher } from "../mail-catcher.ts";
import { mailAddress } from "../require-mail-token.ts";
import { type Mailbox, mailbox } from "./mailbox.ts";

export type TestMailbox = Mailbox & {
  readonly smtpUrl: string;
  /** With the token. */
  readonly webUrl: string;
  readonly stop: () => Promise<void>;
};

const testMailToken = "test-only-token-of-the-mail-catcher";

/** The mail catcher in this process, on free ports. @param directory keeps its mails */
export async function startMailCatcher(directory: string): Promise<TestMailbox> {
  const [smtpPort, port] = await Promise.all([choosePort(), choosePort()]);
  const [host, webOrigin] = ["127.0.0.1", `http://127.0.0.1:${port}`];
  const { app, close } = await openMailCatcher(
    {
      MAIL_DIR: directory,
      SMTP_PORT: String(smtpPort),
      WEB_ORIGIN: webOrigin,
      MAIL_TOKEN: testMailToken,
    },
    createLogger({ service: "mail", level: "silent" }),
  );
  await app.listen({ host, port });
  const webUrl = mailAddress(webOrigin, testMailToken);
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
