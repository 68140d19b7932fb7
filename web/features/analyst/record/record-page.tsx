import type { QueryText as ReadText } from "@pro-talent/schemas/analysts/events";
import { infiniteQueryOptions, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";

import { accountApi } from "../../../api-client/account-api.ts";
import { CallFailure, queryAnswer } from "../../../api-client/query-answer.ts";
import type { CallAnswer } from "../../../api-client/request.ts";
import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { useViewTexts } from "../../view-texts.ts";
import { Days, QueryLines } from "../work/history-page.tsx";
import { useWorkTexts } from "../work/work-texts.ts";

type Recorded = CallAnswer<"GET /api/console/privacy/analyst-queries">["queries"][number];

/** What analysts asked, or one of them, the newest first. */
const recordQuery = (analystId: string | null) =>
  infiniteQueryOptions({
    queryKey: ["console", "privacy", "analyst-queries", analystId],
    queryFn: ({ pageParam }) =>
      queryAnswer(
        accountApi().call("GET /api/console/privacy/analyst-queries", {
          query: {
            ...(analystId !== null && { analystId }),
            ...(pageParam !== null && { before: pageParam }),
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ queries, more }) => (more ? queries.at(-1)?.ranAt : undefined),
  });

/** The text that was read, with the values of its parameters. */
function Read({ read: { text, parameters } }: { read: ReadText }) {
  const { t } = useTranslation("analyst-work");
  return (
    <>
      <QueryLines text={text} />
      {Object.entries(parameters).map(([name, value]) => (
        <code key={name} dir="ltr" className="history__text">
          {name} = <bdi>{value}</bdi>
        </code>
      ))}
      <p className="work-quiet">{t("record.recorded")}</p>
    </>
  );
}

/** Of a query; nothing of a text is kept beyond the page. */
function useReading(queryId: string) {
  return useMutation({
    mutationFn: () =>
      queryAnswer(
        accountApi().call("POST /api/console/privacy/analyst-queries/:queryId/read", {
          params: { queryId },
        }),
      ),
    gcTime: 0,
  });
}

function Entry({ entry }: { entry: Recorded }) {
  const { t } = useTranslation("analyst-work");
  const { time, clock, number } = useWorkTexts();
  const reading = useReading(entry.queryId);
  const { ranAt, outcome, channel, rowsRead, milliseconds, analystId, views } = entry;
  const isErased =
    entry.isTextErased ||
    (reading.error instanceof CallFailure && reading.error.code === "query_text_erased");
  const facts = [
    t(`history.channels.${channel}`),
    ...(rowsRead === null ? [] : [t("history.rowsRead", { shown: number(rowsRead) })]),
    t("history.milliseconds", { shown: number(milliseconds) }),
  ];
  return (
    <li className="history__one" data-outcome={outcome}>
      <p className="history__when">
        <time dateTime={ranAt}>{clock(ranAt)}</time>
        <span className="history__outcome">{t(`history.outcomes.${outcome}`)}</span>
      </p>
      <div className="history__what">
        {views.length === 0 ? (
          <p className="work-quiet">{t("record.noViews")}</p>
        ) : (
          <p className="history__text">
            <bdi>{views.join(", ")}</bdi>
          </p>
        )}
        <p className="work-quiet">
          {facts.join(" · ")} · {t("record.analyst")}{" "}
          <Link
            to={`?analyst=${analystId}`}
            aria-label={t("record.onlyOf", { analyst: analystId })}
          >
            <code dir="ltr">{analystId.slice(0, 8)}</code>
          </Link>
        </p>
        {reading.data !== undefined && <Read read={reading.data} />}
        {isErased && <p className="work-quiet">{t("history.erased")}</p>}
        <Notice kind="error">{reading.isError && !isErased && t("errors.failed")}</Notice>
      </div>
      {!isErased && reading.data === undefined && (
        <Button
          variant="text"
          disabled={reading.isPending}
          aria-label={t("record.readOf", { time: time(ranAt) })}
          onClick={() => reading.mutate()}
        >
          {t(reading.isPending ? "record.reading" : "record.read")}
        </Button>
      )}
    </li>
  );
}

/** `/console/privacy/queries`: for privacy officers, which read a text only for a reason. */
export function RecordPage() {
  const { t } = useTranslation("analyst-work");
  const [search, setSearch] = useSearchParams();
  const analystId = search.get("analyst");
  const record = useInfiniteQuery(recordQuery(analystId));
  const { texts, describe } = useViewTexts(t("loading"));
  const showAll = (): void => setSearch({});
  const entries = record.data?.pages.flatMap(({ queries }) => queries) ?? [];
  return (
    <>
      <PageHeader title={t("record.title")} lead={t("record.lead")} />
      {analystId !== null && (
        <p className="work-quiet">
          {t("record.only")} <code dir="ltr">{analystId.slice(0, 8)}</code>{" "}
          <Button variant="text" onClick={showAll}>
            {t("record.all")}
          </Button>
        </p>
      )}
      <DataView
        query={record}
        texts={texts}
        skeleton={<Skeleton shape="row" count={6} />}
        isEmpty={() => entries.length === 0}
        empty={{ title: t("record.empty.title"), body: t("record.empty.body") }}
        filter={analystId === null ? undefined : { title: t("record.none"), onClear: showAll }}
        describe={describe}
      >
        {() => (
          <>
            <Days entries={entries}>{(entry) => <Entry key={entry.queryId} entry={entry} />}</Days>
            <p className="history__more">
              {record.hasNextPage ? (
                <Button
                  disabled={record.isFetchingNextPage}
                  onClick={() => void record.fetchNextPage()}
                >
                  {t(`history.${record.isFetchingNextPage ? "moreLoading" : "more"}`)}
                </Button>
              ) : (
                <span className="work-quiet">{t("history.end")}</span>
              )}
            </p>
          </>
        )}
      </DataView>
    </>
  );
}
