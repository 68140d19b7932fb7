import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";

import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { lazyPart } from "../lazy-part.tsx";
import { type AllInsights, allInsightsQuery, isNotIncluded, linksQuery } from "../link-opens.ts";
import { useViewTexts } from "../view-texts.ts";
import { LinkList } from "./link-list.tsx";
import { type ShareLink, useLooked, whyWithoutNumbers } from "./link-queries.ts";
import { opensAskedIn, useLinkTexts } from "./link-texts.ts";

import "./links.css";
import "./links-print.css";

const CreateLink = lazyPart(async () => (await import("./create-link.tsx")).CreateLink);
const WithoutInsights = lazyPart(
  async () => (await import("./without-insights.tsx")).WithoutInsights,
);

const statuses = ["active", "expired", "revoked", "taken-down"] as const;
const isStatus = (text: string): text is ShareLink["status"] =>
  statuses.some((status) => status === text);

/** First a sentence: what is fresh, and what the numbers rest on. */
function Sentence({ insights }: { insights: AllInsights }) {
  const { t } = useTranslation("links");
  const { confidence, opens } = useLinkTexts();
  const fresh = insights.links.reduce((sum, link) => sum + link.fresh, 0);
  return (
    <div className="links__lead" aria-live="polite">
      <p className="links__sentence">
        {fresh === 0 ? t("sentence.nothingFresh") : t("sentence.fresh", { opens: opens(fresh) })}
      </p>
      <p className="links__quiet">
        {t("sentence.period", { confidence: confidence(insights.totals) })}
      </p>
    </div>
  );
}

/** Search and status, both in the address. */
function Controls() {
  const { t } = useTranslation("links");
  const [search, setSearch] = useSearchParams();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const text = search.get("q") ?? "";
  // The browser holds what is typed, since the address follows later; it is cleared from elsewhere.
  useEffect(() => {
    const field = input.current;
    if (field !== null && field !== document.activeElement) field.value = text;
  }, [text]);
  const set = (name: string, value: string): void => {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(name);
    else next.set(name, value);
    setSearch(next, { replace: true });
  };
  return (
    <search className="links__controls">
      <Field id={`${id}-q`} label={t("list.search")}>
        {(control) => (
          <input
            {...control}
            type="search"
            dir="auto"
            ref={input}
            defaultValue={text}
            onChange={({ target }) => set("q", target.value)}
          />
        )}
      </Field>
      <Field id={`${id}-status`} label={t("list.status")}>
        {(control) => (
          <Select
            {...control}
            value={search.get("status") ?? ""}
            onChange={({ target }) => set("status", target.value)}
          >
            <option value="">{t("list.anyStatus")}</option>
            {statuses.map((status) => (
              <option key={status} value={status}>
                {t(`status.${status}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </search>
  );
}

const matches = (link: ShareLink, text: string, status: string, target: string): boolean =>
  (!isStatus(status) || link.status === status) &&
  [link.label, link.note, link.code, target].some((part) =>
    part.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()),
  );

/** The links of the account: what was opened, and everything to share the next one. */
export function LinksPage() {
  const { t } = useTranslation("links");
  const [search, setSearch] = useSearchParams();
  const { target, timeZone, number } = useLinkTexts();
  const links = useQuery(linksQuery);
  const insights = useQuery(allInsightsQuery(opensAskedIn(new URLSearchParams(), timeZone)));
  const { texts, describe } = useViewTexts(t("loading"));
  const [creating, setCreating] = useState(false);
  useLooked(null, insights.isSuccess);
  const create = (
    <Button variant="solid" onClick={() => setCreating(true)}>
      {t("create.action")}
    </Button>
  );
  const [text, status] = [search.get("q") ?? "", search.get("status") ?? ""];
  const filtered = (all: readonly ShareLink[]): ShareLink[] =>
    all.filter((link) => matches(link, text, status, target(link)));
  const hasLinks = (links.data?.links.length ?? 0) > 0;
  const without = whyWithoutNumbers(insights.error);
  const filter = {
    title: t("list.noMatch"),
    body: t("list.noMatchBody"),
    onClear: () => setSearch(new URLSearchParams(), { replace: true }),
  };
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} actions={hasLinks && create} />
      {insights.data !== undefined && hasLinks && <Sentence insights={insights.data} />}
      {isNotIncluded(insights.error) && (
        <Suspense fallback={<Skeleton shape="block" />}>
          <WithoutInsights />
        </Suspense>
      )}
      {hasLinks && <Controls />}
      <DataView
        query={links}
        texts={texts}
        skeleton={<Skeleton shape="block" count={4} />}
        isEmpty={({ links: all }) => filtered(all).length === 0}
        empty={{ title: t("empty.title"), body: t("empty.body"), action: create }}
        filter={text !== "" || status !== "" ? filter : undefined}
        describe={describe}
        partial={() => without && t(without)}
      >
        {({ links: all, linksMax }) => (
          <div className="links">
            <LinkList links={filtered(all)} insights={insights.data} />
            <p className="links__quiet">
              {t("quota", { count: all.length, shown: number(all.length), max: number(linksMax) })}
            </p>
          </div>
        )}
      </DataView>
      <Suspense fallback={null}>
        {creating && <CreateLink onClose={() => setCreating(false)} />}
      </Suspense>
    </>
  );
}
