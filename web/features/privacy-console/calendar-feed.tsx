import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { instantText } from "../instant-text.ts";

const path = "/api/console/privacy/calendar-feed" as const;
const feedQuery = queryOptions({
  queryKey: ["console", "privacy", "calendar-feed"],
  queryFn: () => queryAnswer(accountApi().call(`GET ${path}`, {})),
});

/** The address that was just made; it takes focus, since it is not shown again. */
function Address({ url }: { url: string }) {
  const { t } = useTranslation("privacy-calendar");
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const copying = useMutation({ mutationFn: () => navigator.clipboard.writeText(url) });
  return (
    <div className="calendar__address">
      <h3 ref={title} tabIndex={-1}>
        {t("feed.made")}
      </h3>
      <code dir="ltr">{url}</code>
      <div className="privacy-review__acts">
        <Button onClick={() => copying.mutate()}>
          <span aria-live="polite">{t(copying.isSuccess ? "feed.copied" : "feed.copy")}</span>
        </Button>
      </div>
    </div>
  );
}

/** The clocks in a calendar program: a secret address, made, made anew, or revoked. */
export function CalendarFeed() {
  const { t } = useTranslation("privacy-calendar");
  const language = useLanguage();
  const cache = useQueryClient();
  const feed = useQuery(feedQuery);
  const changed = { onSettled: () => cache.invalidateQueries({ queryKey: feedQuery.queryKey }) };
  const making = useMutation({
    mutationFn: () => queryAnswer(accountApi().call(`POST ${path}`, { body: {} })),
    ...changed,
  });
  const revoking = useMutation({
    mutationFn: () => queryAnswer(accountApi().call(`POST ${path}/revoke`, { body: {} })),
    onSuccess: () => making.reset(),
    ...changed,
  });
  const madeAt = feed.data?.madeAt ?? null;
  const busy = making.isPending || revoking.isPending;
  const state = madeAt === null ? "feed.none" : "feed.since";
  return (
    <section className="privacy-review__part calendar__feed" aria-labelledby="calendar-feed">
      <h2 id="calendar-feed">{t("feed.title")}</h2>
      <p className="privacy-queue__quiet">{t("feed.lead")}</p>
      {feed.data !== undefined && (
        <p>{t(state, { date: madeAt === null ? "" : instantText(language, madeAt) })}</p>
      )}
      {making.data !== undefined && madeAt !== null && (
        <Address key={making.data.url} url={`${making.data.url}?language=${language}`} />
      )}
      <div className="privacy-review__acts">
        <Button disabled={busy} onClick={() => making.mutate()}>
          {t(madeAt === null ? "feed.make" : "feed.remake")}
        </Button>
        {madeAt !== null && (
          <Button variant="text" disabled={busy} onClick={() => revoking.mutate()}>
            {t("feed.revoke")}
          </Button>
        )}
      </div>
      <Notice kind="error">
        {(making.isError || revoking.isError || feed.isError) && t("feed.failed")}
      </Notice>
    </section>
  );
}
