import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useSearchParams } from "react-router-dom";

import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { todayIn } from "../../days-in-query.ts";
import { parametersIn } from "./parameters-in.ts";
import { QueryForm } from "./query-form.tsx";
import { daysOfRange, initialRange } from "./range.ts";
import { SaveQuery } from "./save-query.tsx";
import { type HistoryEntry, historyQuery, type QueryContent } from "./work-queries.ts";
import { pathOf } from "./work-texts.ts";

import "./work.css";
import "./query.css";

const nothing: QueryContent = {
  kind: "query",
  text: "",
  parameters: [],
  chart: { kind: "table", x: null, y: [] },
};

/** A query that was run, to be written further. */
function contentOf({ text, parameters }: HistoryEntry): QueryContent {
  const days = daysOfRange(initialRange, todayIn("UTC"));
  const known = Object.entries(parameters).map(([name, value]) => ({
    name,
    kind: "text" as const,
    value,
  }));
  return { ...nothing, text: text ?? "", parameters: parametersIn(text ?? "", known, days) };
}

function Draft({ begin }: { begin: QueryContent }) {
  const navigate = useNavigate();
  const [content, setContent] = useState(begin);
  return (
    <div className="query-page__main">
      <QueryForm content={content} onChange={setContent} />
      <SaveQuery
        content={content}
        origin={undefined}
        isChanged
        onSaved={(saved) => void navigate(pathOf(saved))}
        onContent={setContent}
      />
    </div>
  );
}

/** `/console/analyst/queries/new`; `?of=` names a query of the history from which it begins. */
export function NewQueryPage() {
  const { t } = useTranslation("analyst-work");
  const [search] = useSearchParams();
  const of = search.get("of");
  const history = useInfiniteQuery({ ...historyQuery, enabled: of !== null });
  const entry = history.data?.pages
    .flatMap(({ queries }) => queries)
    .find(({ queryId }) => queryId === of);
  const isWaiting = of !== null && history.isPending;
  return (
    <>
      <PageHeader
        breadcrumb={<Link to="/console/analyst/queries">{t("queries.title")}</Link>}
        title={t("query.newTitle")}
        lead={t("query.newLead")}
      />
      {isWaiting ? (
        <Skeleton shape="block" count={2} />
      ) : (
        <Draft key={of ?? ""} begin={entry === undefined ? nothing : contentOf(entry)} />
      )}
    </>
  );
}
