import { join } from "node:path";

import { temporaryDirectory } from "../../testing/temporary-directory.ts";
import { startMailCatcher } from "../start-mail-catcher.ts";
import { type Mailbox, mailbox } from "./mailbox.ts";

export type TestMailbox = Mailbox & {
  readonly smtpUrl: string;
  readonly stop: () => Promise<void>;
};

/** The real mail catcher for one test file, with an empty mailbox. */
export async function startTestMailbox(): Promise<TestMailbox> {
  const directory = await temporaryDirectory();
  const catcher = await startMailCatcher({ dataDir: join(directory.path, "mail") });
  return {
    ...mailbox(catcher.webUrl),
    smtpUrl: catcher.smtpUrl,
    stop: async () => {
      await catcher.stop();
      await directory.remove();
    },
  };
}
