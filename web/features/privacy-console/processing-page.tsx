import type {
  ProcessingRecord,
  RecordedAsset,
} from "@pro-talent/schemas/privacy/processing-record";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { useViewTexts } from "../view-texts.ts";
import { AssetTable } from "./asset-table.tsx";

import "./processing-page.css";

type Activity = ProcessingRecord["activities"][number];

const recordQuery = queryOptions({
  queryKey: ["console", "privacy", "processing"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/privacy/officer/processing-record", {})),
});

const kinds = ["eraser", "exporter", "scanner"] as const;
const withoutAny = (assets: readonly RecordedAsset[], kind: (typeof kinds)[number]): number =>
  assets.filter((asset) => asset[kind] === null).length;

function Summary({ activities }: { activities: readonly Activity[] }) {
  const { t } = useTranslation("processing");
  const number = new Intl.NumberFormat(useLanguage());
  const assets = activities.flatMap((activity) => activity.assets);
  const counted = (count: number) => ({ count, shown: number.format(count) });
  return (
    <div className="processing__summary">
      <p className="processing__figures">
        {t("summary.activities", counted(activities.length))}
        {" · "}
        {t("summary.assets", counted(assets.length))}
      </p>
      <section aria-labelledby="processing-open">
        <h2 id="processing-open">{t("open.title")}</h2>
        <ul>
          {kinds.map((kind) => (
            <li key={kind}>
              {t(`open.${kind}`, { shown: number.format(withoutAny(assets, kind)) })}
            </li>
          ))}
        </ul>
      </section>
      <p>{t("law")}</p>
      <dl>
        {(["controller", "transfers", "measures"] as const).map((fact) => (
          <div key={fact}>
            <dt>{t(`general.${fact}.title`)}</dt>
            <dd>{t(`general.${fact}.body`)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function ActivitySection({ activity }: { activity: Activity }) {
  const { t } = useTranslation("processing");
  const language = useLanguage();
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  const shown = new Intl.NumberFormat(language).format(activity.assets.length);
  const subjects = activity.subjects.map((one) => t(`subjects.${one}`));
  const recipients = activity.recipients.map((one) => t(`recipients.${one}`));
  const facts = [
    { label: t("purpose"), text: activity.purpose[language] },
    { label: t("basisTitle"), text: t(`basis.${activity.basis}`) },
    { label: t("subjectsTitle"), text: list.format(subjects) },
    {
      label: t("recipientsTitle"),
      text: recipients.length === 0 ? t("noRecipients") : list.format(recipients),
    },
  ];
  return (
    <section className="processing__activity" aria-labelledby={activity.id}>
      <h2 id={activity.id} tabIndex={-1}>
        {activity.name[language]}
      </h2>
      <dl>
        {facts.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>{t("showAssets", { count: activity.assets.length, shown })}</summary>
        <AssetTable activity={activity.name[language]} assets={activity.assets} />
      </details>
    </section>
  );
}

function RecordView({ activities }: { activities: readonly Activity[] }) {
  const { t } = useTranslation("processing");
  const language = useLanguage();
  return (
    <div className="processing">
      <Summary activities={activities} />
      <nav aria-labelledby="processing-contents">
        <h2 id="processing-contents">{t("contents")}</h2>
        <ul>
          {activities.map(({ id, name }) => (
            <li key={id}>
              <a href={`#${id}`}>{name[language]}</a>
            </li>
          ))}
        </ul>
      </nav>
      {activities.map((activity) => (
        <ActivitySection key={activity.id} activity={activity} />
      ))}
    </div>
  );
}

/** The record of processing activities of this release, as its code declares it. */
export function ProcessingPage() {
  const { t } = useTranslation("processing");
  const query = useQuery(recordQuery);
  const { texts, describe } = useViewTexts(t("loading"));
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="block" count={3} />}
        isEmpty={({ activities }) => activities.length === 0}
        empty={{ title: t("empty.title"), body: t("empty.body") }}
        describe={describe}
      >
        {({ activities }) => <RecordView activities={activities} />}
      </DataView>
    </>
  );
}
