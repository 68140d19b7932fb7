import type { WebhookView } from "@pro-talent/schemas/links/webhook-calls";
import { queryOptions } from "@tanstack/react-query";

import { accountApi } from "../../../api-client/account-api.ts";
import { queryAnswer } from "../../../api-client/query-answer.ts";

const pollMs = 3_000;

const isFirstAttemptDue = ({ paused, deliveries }: WebhookView): boolean =>
  paused === null &&
  deliveries.some(({ status, attempts }) => status === "waiting" && attempts === 0);

/** Webhooks of the account; asked again while a message is on its way. */
export const webhooksQuery = queryOptions({
  queryKey: ["account", "webhooks"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/link-webhooks", {})),
  refetchInterval: ({ state: { data } }) =>
    data?.webhooks.some(isFirstAttemptDue) === true && pollMs,
});

/** What the account's links are called, by id. */
export const linkNamesQuery = queryOptions({
  queryKey: ["account", "link-names"],
  queryFn: async () => {
    const { links } = await queryAnswer(accountApi().call("GET /api/links", {}));
    return new Map(links.map(({ linkId, label }) => [linkId, label]));
  },
});
