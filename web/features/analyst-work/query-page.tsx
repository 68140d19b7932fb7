import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router-dom";

import { Button } from "../../ui/button/button.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../account-query.ts";
import { QueryForm } from "./query-form.tsx";
import { SaveQuery } from "./save-query.tsx";
import { KindSign } from "./signs.tsx";
import { Versions } from "./versions.tsx";
import { WorkFrame } from "./work-frame.tsx";
import { isSame, type QueryContent, savedWorkQuery, type SavedWork } from "./work-queries.ts";
import { useWorkTexts } from "./work-texts.ts";

type ShownProps = { content: QueryContent };

/** The text with numbered lines; code goes from left to right in every language. */
function QueryLines({ content }: ShownProps) {
  const { t } = useTranslation("analyst-work");
  const lines = content.text.split("\n");
  return (
    <pre
      className="query-lines"
      dir="ltr"
      aria-label={t("query.lines")}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard
      tabIndex={0}
      role="region"
    >
      {lines.map((line, index) => (
        <code key={index} className="query-lines__line">
          {line}
          {"\n"}
        </code>
      ))}
    </pre>
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

/** A saved query: read, changed, run, and its versions. */
function Body({ work, saved }: BodyProps) {
  const { t } = useTranslation("analyst-work");
  const isAnalyst = useAccount().roles.includes("analyst");
  const [draft, setDraft] = useState<Draft>();
  const mayChange = isAnalyst && work.archivedAt === null && (work.isOwn || work.isHandedOver);
  const begin = (): void => setDraft({ content: saved, version: work.version });
  const edit = (content: QueryContent): void =>
    setDraft((before) => ({ content, version: before?.version ?? work.version }));
  const content = draft?.content ?? saved;
  const isChanged = draft !== undefined && !isSame(draft.content, saved);
  return (
    <div className="query-page">
      <div className="query-page__main">
        {draft === undefined ? (
          <>
            <QueryLines content={saved} />
            <Facts content={saved} />
            {isAnalyst && (
              <div className="work-acts">
                <Button variant="solid" onClick={begin}>
                  {t(mayChange ? "query.open" : "query.openCopy")}
                </Button>
              </div>
            )}
            {isAnalyst && !mayChange && <p className="work-quiet">{t("query.readOnly")}</p>}
          </>
        ) : (
          <>
            <QueryForm content={content} onChange={edit} />
            <SaveQuery
              content={content}
              origin={mayChange ? { workId: work.workId, version: draft.version } : undefined}
              isChanged={isChanged}
              onSaved={() => setDraft(undefined)}
              onContent={(next, version) => setDraft({ content: next, version })}
              actions={
                <Button variant="text" onClick={() => setDraft(undefined)}>
                  {t(isChanged ? "query.keep" : "query.done")}
                </Button>
              }
            />
          </>
        )}
      </div>
      <Versions
        work={work}
        onRestore={
          mayChange
            ? (earlier) =>
                earlier.kind === "query" && setDraft({ content: earlier, version: work.version })
            : undefined
        }
      />
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
