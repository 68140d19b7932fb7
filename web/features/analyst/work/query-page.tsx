import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router-dom";

import { Button } from "../../../ui/button/button.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../../account-query.ts";
import { keptOf } from "../console-save.tsx";
import { openInConsole } from "../kept-queries.ts";
import { QueryForm } from "./query-form.tsx";
import { SaveQuery } from "./save-query.tsx";
import { KindSign } from "./signs.tsx";
import { Versions } from "./versions.tsx";
import { useMayChange } from "./work-acts.ts";
import { WorkFrame } from "./work-frame.tsx";
import {
  type Content,
  isSame,
  type QueryContent,
  savedWorkQuery,
  type SavedWork,
} from "./work-queries.ts";
import { useWorkTexts } from "./work-texts.ts";

import "./query.css";

type ShownProps = { content: QueryContent };

/** A region that scrolls has to be reached by the keyboard. */
const scrollRegion = { role: "region", tabIndex: 0 } as const;

/** The text with numbered lines; code goes from left to right in every language. */
function QueryLines({ content }: ShownProps) {
  const { t } = useTranslation("analyst-work");
  const lines = content.text.split("\n").map((text, at) => ({ text, at }));
  return (
    <div className="query-lines" dir="ltr" aria-label={t("query.lines")} {...scrollRegion}>
      {lines.map(({ text, at }) => (
        <code key={at} className="query-lines__line">
          {text}
        </code>
      ))}
    </div>
  );
}

/** Parameters and chart of a query that is only read. */
function Facts({ content: { parameters, chart } }: ShownProps) {
  const { t } = useTranslation("analyst-work");
  const columns = [...(chart.x === null ? [] : [chart.x]), ...chart.y];
  return (
    <dl className="work-facts">
      <div>
        <dt>{t("query.parameters")}</dt>
        {parameters.length === 0 && <dd>{t("query.noParameters")}</dd>}
        {parameters.map(({ name, value }) => (
          <dd key={name}>
            <code dir="ltr">
              {name} = {value}
            </code>
          </dd>
        ))}
      </div>
      <div>
        <dt>{t("query.chart")}</dt>
        <dd className="work-facts__chart">
          <KindSign kind={chart.kind} />
          {t(`kinds.${chart.kind}`)}
          {columns.length > 0 && <code dir="ltr">{columns.join(", ")}</code>}
        </dd>
      </div>
    </dl>
  );
}

/** What is being written, and the version from which that began. */
type Draft = { content: QueryContent; version: number };

type BodyProps = { work: SavedWork; saved: QueryContent };
type ReadProps = BodyProps & { mayChange: boolean; onEdit: () => void };

/** The query as it is saved. */
function Read({ work, saved, mayChange, onEdit }: ReadProps) {
  const { t } = useTranslation("analyst-work");
  const navigate = useNavigate();
  const { roles, accountId } = useAccount();
  const open = (): void => {
    const { workId, version } = work;
    openInConsole(accountId, keptOf(saved, mayChange ? { workId, version } : undefined));
    void navigate("/console/analyst");
  };
  return (
    <>
      <QueryLines content={saved} />
      <Facts content={saved} />
      {roles.includes("analyst") && (
        <div className="work-acts">
          <Button variant="solid" onClick={onEdit}>
            {t(mayChange ? "query.open" : "query.openCopy")}
          </Button>
          <Button onClick={open}>{t("query.inConsole")}</Button>
        </div>
      )}
      {!mayChange && <p className="work-quiet">{t("query.readOnly")}</p>}
    </>
  );
}

/** A saved query: read, changed, run, and its versions. */
function Body({ work, saved }: BodyProps) {
  const { t } = useTranslation("analyst-work");
  const [draft, setDraft] = useState<Draft>();
  const mayChange = useMayChange(work);
  const edit = (content: QueryContent): void =>
    setDraft((before) => ({ content, version: before?.version ?? work.version }));
  const close = (): void => setDraft(undefined);
  const isChanged = draft !== undefined && !isSame(draft.content, saved);
  const restore = (earlier: Content): void => {
    if (earlier.kind === "query") setDraft({ content: earlier, version: work.version });
  };
  return (
    <div className="query-page">
      <div className="query-page__main">
        {draft === undefined ? (
          <Read work={work} saved={saved} mayChange={mayChange} onEdit={() => edit(saved)} />
        ) : (
          <>
            <QueryForm content={draft.content} onChange={edit} />
            <SaveQuery
              content={draft.content}
              origin={mayChange ? { workId: work.workId, version: draft.version } : undefined}
              isChanged={isChanged}
              onSaved={close}
              onContent={(content, version) => setDraft({ content, version })}
              actions={
                <Button variant="text" onClick={close}>
                  {t(isChanged ? "query.keep" : "query.done")}
                </Button>
              }
            />
          </>
        )}
      </div>
      <Versions work={work} onRestore={mayChange ? restore : undefined} />
    </div>
  );
}

/** `/console/analyst/queries/:workId`. */
export function QueryPage() {
  const { t } = useTranslation("analyst-work");
  const { workId = "" } = useParams();
  const query = useQuery(savedWorkQuery(workId));
  const { time } = useWorkTexts();
  return (
    <WorkFrame
      key={workId}
      query={query}
      kind="query"
      breadcrumb={<Link to="/console/analyst/queries">{t("queries.title")}</Link>}
      lead={({ version, changedAt }) => t("query.saved", { version, time: time(changedAt) })}
      skeleton={<Skeleton shape="block" count={3} />}
    >
      {(work) => work.content.kind === "query" && <Body work={work} saved={work.content} />}
    </WorkFrame>
  );
}
