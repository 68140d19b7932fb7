import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";

import { Button } from "../../../ui/button/button.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../../account-query.ts";
import { useViewTexts } from "../../view-texts.ts";
import { useDescribed } from "../analyst-calls.ts";
import { ConsoleSave, keptOf } from "../console-save.tsx";
import { type KeptQuery, newQuery } from "../kept-queries.ts";
import { QueryPanel } from "../query-panel.tsx";
import { QueryRun } from "../query-run.ts";
import { KindSign } from "./signs.tsx";
import { Versions } from "./versions.tsx";
import { useMayChange, useOpenInConsole } from "./work-acts.ts";
import { WorkFrame } from "./work-frame.tsx";
import type { Content, QueryContent, SavedWork } from "./work-queries.ts";
import { pathOf } from "./work-texts.ts";

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

type BodyProps = { work: SavedWork; saved: QueryContent };
type ReadProps = BodyProps & { mayChange: boolean; onEdit: () => void };

/** The query as it is saved. */
function Read({ work, saved, mayChange, onEdit }: ReadProps) {
  const { t } = useTranslation("analyst-work");
  const openInConsole = useOpenInConsole();
  const { workId, version } = work;
  const open = (): void =>
    openInConsole(keptOf(saved, mayChange ? { workId, version } : undefined));
  return (
    <>
      <QueryLines content={saved} />
      <Facts content={saved} />
      {useAccount().roles.includes("analyst") && (
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

type EditProps = {
  work: SavedWork;
  draft: KeptQuery;
  onDraft: (draft: KeptQuery) => void;
  onClose: () => void;
};

/** The query as it is changed and run, as in the console. */
function Edit({ work, draft, onDraft, onClose }: EditProps) {
  const { t } = useTranslation(["analyst-work", "analyst"]);
  const navigate = useNavigate();
  const described = useDescribed();
  const { texts, describe } = useViewTexts(t("analyst:loading"));
  const run = useMemo(() => new QueryRun(), []);
  useEffect(() => () => run.close(), [run]);
  const onChange = (part: Partial<KeptQuery>): void => onDraft({ ...draft, ...part });
  const onSaved = (saved: SavedWork): void => {
    if (saved.workId === work.workId) onClose();
    else void navigate(pathOf(saved));
  };
  return (
    <DataView
      query={described}
      texts={texts}
      skeleton={<Skeleton shape="block" count={2} />}
      isEmpty={() => false}
      empty={{ title: t("analyst:first.title") }}
      describe={describe}
    >
      {(known) => (
        <QueryPanel
          query={draft}
          described={known}
          run={run}
          onChange={onChange}
          save={
            <ConsoleSave query={draft} onChange={onChange} onSaved={onSaved} onLeave={onClose} />
          }
        />
      )}
    </DataView>
  );
}

/** A saved query: read, changed, run, and its versions. */
function Body({ work, saved }: BodyProps) {
  const [draft, setDraft] = useState<KeptQuery>();
  const mayChange = useMayChange(work);
  const edit = (content: QueryContent): void => {
    const { workId, version } = work;
    setDraft(newQuery(keptOf(content, mayChange ? { workId, version } : undefined)));
  };
  const restore = (earlier: Content): void => {
    if (earlier.kind === "query") edit(earlier);
  };
  return (
    <div className="query-page">
      <div className="query-page__main">
        {draft === undefined ? (
          <Read work={work} saved={saved} mayChange={mayChange} onEdit={() => edit(saved)} />
        ) : (
          <Edit work={work} draft={draft} onDraft={setDraft} onClose={() => setDraft(undefined)} />
        )}
      </div>
      <Versions work={work} onRestore={mayChange ? restore : undefined} />
    </div>
  );
}

/** `/console/analyst/queries/:workId`. */
export const QueryPage = () => (
  <WorkFrame kind="query">
    {(work) => work.content.kind === "query" && <Body work={work} saved={work.content} />}
  </WorkFrame>
);
