import type { FileStore } from "@pro-talent/platform/files/file-store";
import { fileStoreEnv, openFileStore } from "@pro-talent/platform/files/open-file-store";

import { type ContactOf, contactsOver } from "../../contacts.ts";
import { insightsEnv } from "../../insights.ts";
import { defineModule, type WorkerContext } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import { loadState } from "../../kernel/streams.ts";
import type { TimerHandlers } from "../../kernel/timers.ts";
import { applicationEvents, applications, destroyApplicationTimer } from "./applications.ts";
import { type OpensOf, opensOver } from "./opens.ts";
import { pipelineEvents, pipelines } from "./pipeline/pipelines.ts";
import { applicationRows, reminderRows } from "./read-models.ts";
import { reminderMessages, reminderReturns, reminderTimers } from "./reminders/send.ts";
import { addApplicationRoutes } from "./routes.ts";
import { removeFile, removeUnnamed } from "./stored-files.ts";

/** What applications reach outside; the configured services when absent. */
export type ApplicationOutside = {
  readonly files?: FileStore;
  readonly contactOf?: ContactOf;
  readonly opensOf?: OpensOf;
};

/** Job applications of an account: stages, notes, files and reminders. */
export function applicationsModule(outside: ApplicationOutside = {}) {
  const filesIn = (settings: Parameters<typeof openFileStore>[0]): FileStore =>
    outside.files ?? openFileStore(settings);
  return defineModule({
    name: "applications",
    environment: { ...fileStoreEnv, ...insightsEnv },
    events: [applicationEvents, pipelineEvents],
    streams: [streamKind(applications), streamKind(pipelines)],
    readModels: [applicationRows, reminderRows],
    routes: async (scope, context, env) => {
      const insights = { ...context.accounts, url: env.INSIGHTS_URL };
      await addApplicationRoutes(scope, {
        context,
        files: filesIn(env),
        contactOf: outside.contactOf ?? contactsOver(context.accounts),
        opensOf: outside.opensOf ?? opensOver(insights),
      });
    },
    mailReturns: reminderReturns,
    messages: (context) => {
      const contactOf = outside.contactOf ?? contactsOver(context.accounts);
      return reminderMessages({ context, contactOf });
    },
    timers: (context, env) => ({
      ...reminderTimers(context),
      ...destroyHandlers(context, filesIn(env)),
    }),
    repeats: (context, env) => [
      {
        what: "files without an application",
        everyMs: 60 * 60_000,
        run: () => removeUnnamed(context.ledger.sql, filesIn(env), context.clock()),
      },
    ],
  });
}

export const applicationTracker = applicationsModule();

/** The fact comes first, then the key, then the files. */
function destroyHandlers(
  { ledger: { sql }, subjects }: WorkerContext,
  files: FileStore,
): TimerHandlers {
  return {
    [destroyApplicationTimer]: async (applicationId) => {
      await subjects.shred(applicationId);
      const { state } = await loadState(sql, applications, applicationId);
      if (state.status !== "erased") return;
      for (const fileId of state.files) await removeFile(files, fileId);
    },
  };
}
