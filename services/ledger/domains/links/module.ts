import { fileURLToPath } from "node:url";

import { openPasswords } from "@pro-talent/platform/crypto/passwords";
import { type FileStore, openDirectoryStore } from "@pro-talent/platform/files/file-store";
import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import { internalAccountCalls } from "@pro-talent/schemas/accounts/calls";
import { z } from "zod";

import { defineModule, type WorkerContext } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import { loadState } from "../../kernel/streams.ts";
import type { TimerHandlers } from "../../kernel/timers.ts";
import { destroyLinkTimer, linkEvents, shareLinks } from "./links.ts";
import type { LinkRoutes } from "./owner-links.ts";
import { isFileUsed, linkRows } from "./read-models.ts";
import { addLinkRoutes } from "./routes.ts";
import { removeFile } from "./stored-files.ts";

/** What links reach outside; the configured services when absent. */
export type LinkParts = {
  readonly files?: FileStore;
  readonly emailOf?: LinkRoutes["emailOf"];
};

const environment = {
  /** Directory of the stored files, as a `file:` address. */
  FILES_URL: z.url({ protocol: /^file$/u }).optional(),
};

/** Share links: what they lead to, whether they open, and reports about them. */
export function linksModule(parts: LinkParts = {}) {
  const filesIn = (url: string | undefined): FileStore => {
    if (parts.files !== undefined) return parts.files;
    return url === undefined ? closedStore : openDirectoryStore(fileURLToPath(url));
  };
  return defineModule({
    name: "links",
    environment,
    events: [linkEvents],
    streams: [streamKind(shareLinks)],
    readModels: [linkRows],
    routes: (scope, context, env) =>
      addLinkRoutes(scope, {
        context,
        files: filesIn(env.FILES_URL),
        passwords: openPasswords(context.deriveKey("link passwords")),
        emailOf: parts.emailOf ?? emailsOver(context.accounts),
      }),
    timers: (context, env) => destroyHandlers(context, filesIn(env.FILES_URL)),
  });
}

export const links = linksModule();

/** Asks the accounts service. */
function emailsOver(accounts: ServiceAddress): LinkRoutes["emailOf"] {
  const call = callService(accounts, internalAccountCalls);
  return async (accountId) => {
    const contact = "GET /internal/accounts/:accountId/contact";
    return (await call(contact, { params: { accountId } })).email;
  };
}

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
      if (!(await isFileUsed(sql, state.fileId))) await removeFile(files, state.fileId);
    },
  };
}

/** Without a place for files nothing else is refused. */
const closedStore: FileStore = {
  write: async () => await Promise.reject(new Error("FILES_URL names no place for files")),
  read: async () => undefined,
  remove: async () => undefined,
};
