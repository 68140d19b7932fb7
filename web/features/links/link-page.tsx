import { useQuery } from "@tanstack/react-query";
import { Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams, useSearchParams } from "react-router-dom";

import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { DateRange } from "../../ui/date-range/date-range.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { isPreset, periodIn, presetIds, todayIn, withPeriod } from "../days-in-query.ts";
import { isolated } from "../isolated.ts";
import { lazyPart } from "../lazy-part.tsx";
import { isNotIncluded, linksQuery, type OpensAsked } from "../link-opens.ts";
import { toaster } from "../toaster.ts";
import { useViewTexts } from "../view-texts.ts";
import { changeOf, CopyLink, DeleteLink, QrDialog, useLinkActions } from "./link-actions.tsx";
import { LinkOpens } from "./link-opens.tsx";
import {
  isInsightRestricted,
  type LinkInsights,
  linkInsightsQuery,
  pathOf,
  type ShareLink,
  tableAddress,
  useLooked,
} from "./link-queries.ts";
import { opensAskedIn, useLinkTexts } from "./link-texts.ts";

import "./links.css";
import "./links-print.css";

const LinkParts = lazyPart(async () => (await import("./link-parts.tsx")).LinkParts);
const LinkSettings = lazyPart(async () => (await import("./link-settings.tsx")).LinkSettings);
const Comparison = lazyPart(async () => (await import("./link-comparison.tsx")).Comparison);
const WithoutInsights = lazyPart(
  async () => (await import("./without-insights.tsx")).WithoutInsights,
);

/** The period, and what else the page is limited to: each a chip that can be removed. */
function Controls({ asked }: { asked: OpensAsked }) {
  const { t } = useTranslation("links");
  const [search, setSearch] = useSearchParams();
  const { country, source } = useLinkTexts();
  const limits = [
    ["country", asked.country, country(asked.country ?? "")],
    ["device", asked.device, t(`devices.${asked.device ?? "other"}`)],
    ["source", asked.source, source(asked.source ?? "")],
  ] as const;
  const place = useRef<HTMLDivElement>(null);
  const remove = (name: string): void => {
    // The button is gone after its press.
    place.current?.focus({ preventScroll: true });
    const next = new URLSearchParams(search);
    next.delete(name);
    setSearch(next, { replace: true });
  };
  return (
    <div className="links__period" ref={place} tabIndex={-1}>
      <DateRange
        texts={{
          legend: t("period.legend"),
          custom: t("period.custom"),
          calendar: t("period.calendar"),
        }}
        presets={presetIds.map((id) => ({ id, label: t(`period.${id}`) }))}
        value={periodIn(search)}
        lastDay={todayIn(asked.zone)}
        onChange={(value) => {
          if ("days" in value) setSearch(withPeriod(search, value), { replace: true });
          else if (isPreset(value.preset))
            setSearch(withPeriod(search, { preset: value.preset }), { replace: true });
        }}
      />
      {limits.map(
        ([name, value, label]) =>
          value !== undefined && (
            <Button key={name} onClick={() => remove(name)}>
              {t("filter.remove", { name: label, interpolation: { escapeValue: false } })}
            </Button>
          ),
      )}
    </div>
  );
}

/** First the sentence, then what it rests on, and the period before. */
function Sentence({ link, insights }: { link: ShareLink; insights: LinkInsights }) {
  const { t } = useTranslation("links");
  const { opens, time, confidence, number } = useLinkTexts();
  const { totals, before, fresh } = insights;
  const named = { label: isolated(link.label), interpolation: { escapeValue: false } };
  return (
    <div className="links__lead">
      <p className="links__sentence">
        {totals.lastAt === null
          ? t("link.none", named)
          : t("link.sentence", {
              ...named,
              opens: opens(totals.opens),
              time: time(totals.lastAt),
            })}{" "}
        {fresh > 0 && t("sentence.fresh", { opens: opens(fresh) })}
      </p>
      <p>{confidence(totals)}.</p>
      {totals.fetched > 0 && (
        <p>{t("link.fetched", { count: totals.fetched, shown: number(totals.fetched) })}</p>
      )}
      <p className="links__quiet">
        {t("link.before", { opens: opens(before.opens) })}{" "}
        {t("link.asOf", { time: time(insights.asOf) })}{" "}
        {link.target === "external" && t("link.external")}
      </p>
    </div>
  );
}

function Actions({ link, asked }: { link: ShareLink; asked: OpensAsked }) {
  const { t } = useTranslation("links");
  const navigate = useNavigate();
  const actions = useLinkActions();
  const change = changeOf(link);
  const [shown, setShown] = useState<"qr" | "settings" | "delete">();
  const close = (): void => setShown(undefined);
  const saveTable = async (): Promise<void> => {
    const saving = await tableAddress(link.linkId, asked).catch(() => undefined);
    if (saving === undefined) toaster.show({ text: t("failed") });
    else location.assign(saving);
  };
  return (
    <div className="links__actions">
      <CopyLink link={link} />
      <Button onClick={() => setShown("qr")}>{t("qr.action")}</Button>
      <Button onClick={() => setShown("settings")}>{t("settings.action")}</Button>
      <Button onClick={() => void saveTable()}>{t("csv")}</Button>
      {change !== undefined && (
        <Button onClick={() => void actions[change](link)}>{t(`${change}.action`)}</Button>
      )}
      <Button variant="text" onClick={() => setShown("delete")}>
        {t("delete.action")}
      </Button>
      {shown === "qr" && <QrDialog link={link} onClose={close} />}
      <Suspense fallback={null}>
        {shown === "settings" && <LinkSettings link={link} onClose={close} />}
      </Suspense>
      {shown === "delete" && (
        <DeleteLink link={link} onDeleted={() => void navigate("/links")} onClose={close} />
      )}
    </div>
  );
}

/** What is known of the opens, in its states. */
function Insights({ link, asked }: { link: ShareLink; asked: OpensAsked }) {
  const { t } = useTranslation("links");
  const query = useQuery(linkInsightsQuery(link.linkId, asked));
  const { texts, describe } = useViewTexts(t("loading"));
  const { linkId } = link;
  useLooked(linkId, query.isSuccess);
  const outline = <Skeleton shape="block" count={3} />;
  if (isNotIncluded(query.error))
    return (
      <Suspense fallback={outline}>
        <WithoutInsights />
      </Suspense>
    );
  if (isInsightRestricted(query.error)) return <p>{t("restricted")}</p>;
  return (
    <>
      <Controls asked={asked} />
      <DataView
        query={query}
        texts={texts}
        skeleton={outline}
        isEmpty={() => false}
        empty={{ title: t("newest.none") }}
        describe={describe}
      >
        {(insights) => (
          <div className="links">
            <Sentence link={link} insights={insights} />
            <LinkOpens linkId={linkId} asked={asked} lookedAt={insights.lookedAt} />
            <Suspense fallback={outline}>
              <LinkParts insights={insights} />
              <Comparison link={link} asked={asked} />
            </Suspense>
          </div>
        )}
      </DataView>
    </>
  );
}

/** One link: what was opened, how sure that is, and everything to change. */
export function LinkPage() {
  const { t } = useTranslation("links");
  const { linkId } = useParams();
  const [search] = useSearchParams();
  const { target, timeZone } = useLinkTexts();
  const links = useQuery(linksQuery);
  const { texts, describe } = useViewTexts(t("loading"));
  const asked = opensAskedIn(search, timeZone);
  const link = links.data?.links.find((one) => one.linkId === linkId);
  return (
    <>
      <PageHeader
        breadcrumb={<Link to="/links">{t("title")}</Link>}
        title={link === undefined ? t("link.title") : <bdi>{link.label}</bdi>}
        lead={
          link !== undefined && (
            <>
              <bdi>{target(link)}</bdi> · <bdi dir="ltr">{pathOf(link)}</bdi> ·{" "}
              {t(`status.${link.status}`)}
            </>
          )
        }
      />
      <DataView
        query={links}
        texts={texts}
        skeleton={<Skeleton shape="block" count={4} />}
        isEmpty={() => link === undefined}
        empty={{
          title: t("link.unknown"),
          action: <Link to="/links">{t("link.toAll")}</Link>,
        }}
        describe={describe}
      >
        {() =>
          link !== undefined && (
            <>
              <Actions link={link} asked={asked} />
              <Insights link={link} asked={asked} />
            </>
          )
        }
      </DataView>
    </>
  );
}
