import { openPasswords } from "@pro-talent/platform/crypto/passwords";
import type { FileStore } from "@pro-talent/platform/files/file-store";
import { fileStoreEnv, openFileStore } from "@pro-talent/platform/files/open-file-store";
import { z } from "zod";

import { type ContactOf, contactsOver, type EmailOf, emailsOver } from "../../contacts.ts";
import { studioEnv } from "../../cvs.ts";
import { defineModule, type WorkerContext } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import { loadState } from "../../kernel/streams.ts";
import type { TimerHandlers } from "../../kernel/timers.ts";
import { type CvFiles, cvFilesOver } from "./cv-files.ts";
import { destroyLinkTimer, linkEvents, shareLinks } from "./links.ts";
import { openMailEvents, openMailRows, openMails } from "./open-mails/open-mails.ts";
import { opensOver, type OpensSource } from "./open-mails/opens-source.ts";
import { addOpenMailRoutes } from "./open-mails/routes.ts";
import { openMailHandlers, openMailReturns } from "./open-mails/send.ts";
import { watchOpens } from "./open-mails/watch.ts";
import { portfolioEvents, portfolioReports, portfolios } from "./portfolios/portfolios.ts";
import { addPortfolioRoutes } from "./portfolios/routes.ts";
import { linkRows, usedFiles } from "./read-models.ts";
import {
  readerMessageEvents,
  readerMessageHandlers,
  readerMessageRows,
  readerMessages,
  readerMessageTimers,
} from "./reader-messages/reader-messages.ts";
import { addLinkRoutes } from "./routes.ts";
import { removeFile, removeOrphans } from "./stored-files.ts";

/** What links reach outside; the configured services when absent. */
export type LinkParts = {
  readonly files?: FileStore;
  readonly emailOf?: EmailOf;
  readonly opens?: OpensSource;
  readonly contactOf?: ContactOf;
  readonly cvFiles?: CvFiles;
};

/** Share links: what they lead to, whether they open, and reports about them and about portfolios. */
export function linksModule(parts: LinkParts = {}) {
  const filesIn = (settings: Parameters<typeof openFileStore>[0]): FileStore =>
    parts.files ?? openFileStore(settings);
  const mailParts = (context: WorkerContext) => ({
    context,
    opens: parts.opens ?? opensOver(context.insights),
    contactOf: parts.contactOf ?? contactsOver(context.accounts),
  });
  return defineModule({
    name: "links",
    environment: {
      ...fileStoreEnv,
      ...studioEnv,
      /** How often opens are looked for that a mail is due about. */
      OPEN_MAILS_LOOK_MS: z.coerce.number().int().min(100).default(120_000),
    },
    events: [linkEvents, openMailEvents, portfolioEvents, readerMessageEvents],
    streams: [
      streamKind(shareLinks),
      streamKind(openMails),
      streamKind(portfolios),
      streamKind(readerMessages),
    ],
    readModels: [linkRows, openMailRows, portfolioReports, readerMessageRows],
    mailReturns: openMailReturns,
    messages: (context) => {
      const sending = mailParts(context);
      return { ...openMailHandlers(sending), ...readerMessageHandlers(context, sending.contactOf) };
    },
    routes: async (scope, context, env) => {
      await addOpenMailRoutes(scope, context);
      await addPortfolioRoutes(scope, context);
      await addLinkRoutes(scope, {
        context,
        files: filesIn(env),
        passwords: openPasswords(context.deriveKey("link passwords")),
        emailOf: parts.emailOf ?? emailsOver(context.accounts),
        cvFiles: parts.cvFiles ?? cvFilesOver({ ...context.accounts, url: env.STUDIO_URL }),
      });
    },
    timers: (context, env) => ({
      ...destroyHandlers(context, filesIn(env)),
      ...readerMessageTimers(context),
    }),
    repeats: (context, env) => [
      {
        what: "files without a link",
        everyMs: 60 * 60_000,
        run: () => removeOrphans(context.ledger.sql, filesIn(env), context.clock()),
      },
      {
        what: "mails about opens",
        everyMs: env.OPEN_MAILS_LOOK_MS,
        run: watchOpens(mailParts(context)),
      },
    ],
  });
}

export const links = linksModule();

/** The fact comes first, then the key, then the file that no other link refers to. */
function destroyHandlers(
  { ledger: { sql }, subjects }: WorkerContext,
  files: FileStore,
): TimerHandlers {
  return {
    [destroyLinkTimer]: async (linkId) => {
      await subjects.shred(linkId);
      const { state } = await loadState(sql, shareLinks, linkId);
      if (state.status !== "erased" || state.fileId === null) return;
      const used = await usedFiles(sql, [state.fileId]);
      if (!used.has(state.fileId)) await removeFile(files, state.fileId);
    },
  };
}
