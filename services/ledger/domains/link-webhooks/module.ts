import type { OutsideOptions } from "@pro-talent/platform/http/outside-connection";

import { type EmailOf, emailsOver } from "../../contacts.ts";
import { defineModule } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import { deliverHandler } from "./deliver.ts";
import { addWebhookRoutes } from "./routes.ts";
import { opensOver, type OpensSource, watchFirstOpens } from "./watch.ts";
import { deliverTimer, destroyTimer, webhookEvents, webhookRows, webhooks } from "./webhooks.ts";

/** What webhooks reach outside; the configured services and the public internet when absent. */
export type WebhookParts = {
  readonly emailOf?: EmailOf;
  readonly opens?: OpensSource;
  readonly outside?: OutsideOptions;
};

/** Webhooks of account holders: each first open of a link is sent to servers of theirs. */
export function linkWebhooksModule(parts: WebhookParts = {}) {
  return defineModule({
    name: "link-webhooks",
    events: [webhookEvents],
    streams: [streamKind(webhooks)],
    readModels: [webhookRows],
    routes: (scope, context) =>
      addWebhookRoutes(scope, context, parts.emailOf ?? emailsOver(context.accounts)),
    timers: ({ subjects }) => ({ [destroyTimer]: (webhookId) => subjects.shred(webhookId) }),
    slowTimers: (context) => ({
      [deliverTimer]: deliverHandler(context, parts.outside ?? {}),
    }),
    repeats: (context) => {
      const run = watchFirstOpens(context, parts.opens ?? opensOver(context.insights));
      return [{ what: "first opens for webhooks", everyMs: 30_000, run }];
    },
  });
}

export const linkWebhooks = linkWebhooksModule();
