import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { isolated } from "../../isolated.ts";
import { useViewTexts } from "../../view-texts.ts";
import { Difference } from "./difference.tsx";
import {
  type Content,
  isSame,
  type QueryContent,
  type SavedWork,
  versionQuery,
} from "./work-queries.ts";
import { useWorkTexts } from "./work-texts.ts";

/** What of a query differs, beside its text. */
function OtherChanges({ earlier, later }: { earlier: QueryContent; later: QueryContent }) {
  const { t } = useTranslation("analyst-work");
  const named = ({ chart: { kind, x, y } }: QueryContent): string =>
    [t(`kinds.${kind}`), ...[x ?? [], y].flat().map((column) => isolated(column))].join(", ");
  return (
    <>
      {!isSame(earlier.chart, later.chart) && (
        <p className="work-quiet">
          {t("versions.chartChanged", {
            from: named(earlier),
            to: named(later),
          })}
        </p>
      )}
      {!isSame(earlier.parameters, later.parameters) && (
        <p className="work-quiet">{t("versions.parametersChanged")}</p>
      )}
    </>
  );
}

type ComparedProps = {
  work: SavedWork;
  version: number;
  /** Makes the content of the version the newest one; undefined where that is not allowed. */
  onRestore: ((content: Content) => void) | undefined;
};

/** A version beside the newest one. */
function Compared({ work, version, onRestore }: ComparedProps) {
  const { t } = useTranslation("analyst-work");
  const { texts, describe } = useViewTexts(t("loading"));
  const query = useQuery(versionQuery(work.workId, version));
  return (
    <DataView
      query={query}
      texts={texts}
      skeleton={<Skeleton shape="block" count={1} />}
      isEmpty={() => false}
      empty={{ title: t("versions.same") }}
      describe={describe}
    >
      {({ content }) => (
        <div className="versions__compared">
          {content.kind === "query" && work.content.kind === "query" && (
            <>
              <Difference
                label={t("versions.difference", { from: version, to: work.version })}
                earlier={content.text}
                later={work.content.text}
              />
              <OtherChanges earlier={content} later={work.content} />
            </>
          )}
          {content.kind === "dashboard" && (
            <p className="work-quiet">{t("versions.dashboard", { count: content.tiles.length })}</p>
          )}
          {onRestore !== undefined && (
            <Button
              aria-label={t("versions.restoreOf", { version })}
              onClick={() => onRestore(content)}
            >
              {t("versions.restore")}
            </Button>
          )}
        </div>
      )}
    </DataView>
  );
}

type VersionsProps = {
  work: SavedWork;
  onRestore: ((content: Content, version: number) => void) | undefined;
};

/** All versions, the newest first: when each was saved, and what has changed since. */
export function Versions({ work, onRestore }: VersionsProps) {
  const { t } = useTranslation("analyst-work");
  const { time } = useWorkTexts();
  const [opened, setOpened] = useState<number>();
  return (
    <section className="versions" aria-labelledby="versions-title">
      <h2 id="versions-title">{t("versions.title")}</h2>
      <ol className="versions__list" reversed>
        {work.versions.map(({ version, savedAt }) => (
          <li key={version} className="versions__one" data-newest={version === work.version}>
            <p className="versions__what">
              <strong>{t("version", { version })}</strong>{" "}
              <span className="work-quiet">
                <time dateTime={savedAt}>{time(savedAt)}</time>{" "}
                {t(work.isOwn ? "versions.byYou" : "versions.byOwner")}
                {version === work.version && ` · ${t("versions.newest")}`}
              </span>
            </p>
            {version !== work.version && (
              <Button
                variant="text"
                aria-expanded={opened === version}
                aria-label={t("versions.compareOf", { version })}
                onClick={() => setOpened(opened === version ? undefined : version)}
              >
                {t("versions.compare")}
              </Button>
            )}
            {opened === version && version !== work.version && (
              <Compared
                work={work}
                version={version}
                onRestore={
                  onRestore &&
                  ((content) => {
                    setOpened(undefined);
                    onRestore(content, version);
                  })
                }
              />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
