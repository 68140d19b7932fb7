import { useMutation, useQuery } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";

import { useLanguage } from "../../i18n/use-language.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { ReadingTable } from "../../ui/reading-table/reading-table.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { textIn } from "../form-machine.ts";
import { useViewTexts } from "../view-texts.ts";
import {
  findByEmail,
  type Queued,
  queueQuery,
  type Selection,
  selections,
} from "./console-queries.ts";
import { Due, State } from "./queue-cells.tsx";
import { Shortcuts, useShortcut } from "./shortcuts.tsx";

import "./privacy-console.css";

const isSelection = (text: string | null): text is Selection =>
  selections.some((selection) => selection === text);

function Queue({ requests }: { requests: readonly Queued[] }) {
  const { t } = useTranslation("privacy-console");
  const date = new Intl.DateTimeFormat(useLanguage(), { dateStyle: "medium" });
  const columns = ["request", "due", "state", "received", "number"] as const;
  return (
    <ReadingTable
      caption={t("table.caption")}
      columns={columns.map((id) => ({ id, header: t(`table.${id}`) }))}
      rows={requests.map((request) => ({
        id: request.requestId,
        cells: {
          request: (
            <Link
              className="privacy-queue__open"
              to={`/console/privacy/requests/${request.requestId}`}
            >
              {t(`types.${request.type}`)}
              <span className="visually-hidden"> {request.requestId.slice(0, 8)}</span>
            </Link>
          ),
          due: <Due request={request} />,
          state: <State request={request} />,
          received: (
            <time dateTime={request.receivedAt}>{date.format(Date.parse(request.receivedAt))}</time>
          ),
          number: <code dir="ltr">{request.requestId.slice(0, 8)}</code>,
        },
      }))}
    />
  );
}

function Filters({ chosen }: { chosen: Selection | undefined }) {
  const { t } = useTranslation("privacy-console");
  return (
    <nav aria-label={t("filter")}>
      <ul className="privacy-queue__filters">
        {selections.map((one) => (
          <li key={one}>
            <Link
              to={one === "open" ? "/console/privacy" : `/console/privacy?only=${one}`}
              aria-current={one === chosen ? "page" : undefined}
              preventScrollReset
            >
              {t(`filters.${one}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type FindProps = { wanted: string; onFind: (number: string) => void };

function Find({ wanted, onFind }: FindProps) {
  const { t } = useTranslation("privacy-console");
  const shortcut = useShortcut();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onFind(textIn(new FormData(event.currentTarget), "request").trim());
  };
  return (
    <search>
      <form className="privacy-queue__find" onSubmit={submit}>
        <Field id="privacy-find" label={t("search")} hint={t("searchHint")}>
          {(control) => (
            <input
              {...control}
              {...shortcut("find")}
              key={wanted}
              name="request"
              dir="ltr"
              autoComplete="off"
              spellCheck={false}
              maxLength={254}
              pattern="[0-9a-fA-F]{8}((-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})?|[^@\s]+@[^@\s]+"
              title={t("searchHint")}
              defaultValue={wanted}
            />
          )}
        </Field>
        <Button type="submit">{t("find")}</Button>
      </form>
    </search>
  );
}

function Counts({ open, overdue }: { open: number; overdue: number }) {
  const { t } = useTranslation("privacy-console");
  return (
    <p className="privacy-queue__counts">
      {open === 0 ? t("countsNone") : t("counts", { count: open })}
      {overdue > 0 && <strong> {t("overdue", { count: overdue })}</strong>}
    </p>
  );
}

/** What was found by an address, above the queue. */
function FoundByEmail({ looking }: { looking: ReturnType<typeof useEmailSearch> }) {
  const { t } = useTranslation("privacy-console");
  const { data, isError, isPending, reset } = looking;
  if (isPending) return <output>{t("byEmail.loading")}</output>;
  if (isError) return <Notice kind="error">{t("byEmail.failed")}</Notice>;
  if (data === undefined) return null;
  return (
    <section className="privacy-review__part" aria-labelledby="privacy-by-email">
      <h2 id="privacy-by-email">
        {data.length === 0 ? t("byEmail.none") : t("byEmail.title", { count: data.length })}
      </h2>
      <p className="privacy-queue__quiet">{t("byEmail.recorded")}</p>
      {data.length > 0 && <Queue requests={data} />}
      <div className="privacy-review__acts">
        <Button onClick={reset}>{t("byEmail.close")}</Button>
      </div>
    </section>
  );
}

const useEmailSearch = () => useMutation({ mutationFn: findByEmail });

/** The queue of privacy officers, by due date; without names, because deciding needs none. */
export function QueuePage() {
  const { t } = useTranslation("privacy-console");
  const [query, setQuery] = useSearchParams();
  const asked = query.get("only");
  const selection = isSelection(asked) ? asked : "open";
  const wanted = query.get("request") ?? "";
  const queue = useQuery(queueQuery(selection, wanted));
  const { texts, describe } = useViewTexts(t("loading"));
  const isFiltered = selection !== "open" || wanted !== "";
  const looking = useEmailSearch();
  const showAll = () => setQuery({}, { preventScrollReset: true });
  return (
    <>
      <PageHeader
        title={t("title")}
        lead={t("lead")}
        actions={
          <Link className="privacy-queue__record" to="/console/privacy/queries">
            {t("queries")}
          </Link>
        }
      />
      <div className="privacy-queue">
        <Shortcuts of={["next", "previous", "find", "help"]} />
        {queue.data !== undefined && <Counts {...queue.data} />}
        <div className="privacy-queue__tools">
          <Filters chosen={wanted === "" ? selection : undefined} />
          <Find
            wanted={wanted}
            onFind={(text) => {
              const request = text.toLowerCase();
              if (text.includes("@")) looking.mutate(text);
              else if (request === "") showAll();
              else setQuery({ request }, { preventScrollReset: true });
            }}
          />
        </div>
        <FoundByEmail looking={looking} />
        <DataView
          query={queue}
          texts={{ ...texts, clearFilter: t("clear") }}
          skeleton={<Skeleton shape="row" count={6} />}
          isEmpty={({ requests }) => requests.length === 0}
          empty={{ title: t("empty.title"), body: t("empty.body") }}
          filter={
            isFiltered
              ? { title: t("filtered.title"), body: t("filtered.body"), onClear: showAll }
              : undefined
          }
          describe={describe}
        >
          {({ requests }) => <Queue requests={requests} />}
        </DataView>
      </div>
    </>
  );
}
