import { profileFieldOf } from "@pro-talent/schemas/privacy/correction-fields";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router-dom";

import { useLanguage } from "../../i18n/use-language.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { ReadingTable } from "../../ui/reading-table/reading-table.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { daysUntil } from "../days-until.ts";
import { instantText } from "../instant-text.ts";
import { useViewTexts } from "../view-texts.ts";
import { type Reviewed, reviewQuery, stateOf } from "./console-queries.ts";
import { Decisions } from "./decisions.tsx";
import { EvidencePack } from "./evidence-pack.tsx";
import { FormFacts } from "./form-facts.tsx";
import { Lease } from "./queue-cells.tsx";
import { Preview, Section } from "./request-preview.tsx";
import { Shortcuts, useShortcut } from "./shortcuts.tsx";

import "./privacy-console.css";

type Props = { request: Reviewed };

/** What an officer decides by: dates with their reasons, who has it, and how it ended. */
function Facts({ request }: Props) {
  const { t } = useTranslation("privacy-console");
  const language = useLanguage();
  const time = (at: string) => instantText(language, at);
  const { dueAt, eraseAt, lease, extension, outcome, denialReason, identity } = request;
  const days = daysUntil(dueAt);
  const daysLeft = t(days > 0 ? "days" : "late", { count: Math.abs(days) });
  const reason = t(`decide.reasons.${denialReason ?? "other"}`);
  const outcomeText = (ended: NonNullable<typeof outcome>): string =>
    [
      t(`request.outcomes.${ended}`, { reason }),
      ...request.partly.map((part) => t(`request.parts.${part}`)),
    ].join(", ");
  const deniedText = request.deniedFields
    .map(({ field, reason: why }) =>
      [t(`correction.fields.${profileFieldOf[field]}`), t(`decide.reasons.${why}`)].join(": "),
    )
    .join("; ");
  const facts: readonly { term: string; value: ReactNode; why?: string }[] = [
    { term: t("request.status"), value: t(`states.${stateOf(request)}`) },
    ...(outcome === null ? [] : [{ term: t("request.outcome"), value: outcomeText(outcome) }]),
    ...(request.deniedFields.length === 0
      ? []
      : [{ term: t("correction.denied"), value: deniedText }]),
    ...(outcome !== null || !(request.needsDecision || request.clock?.kind === "identity")
      ? []
      : [
          {
            term: t("request.due"),
            value: `${time(new Date(Date.parse(dueAt) - 1).toISOString())} · ${daysLeft}`,
            why: t("request.dueReason"),
          },
        ]),
    ...(eraseAt === null
      ? []
      : [{ term: t("request.erase"), value: time(eraseAt), why: t("request.eraseReason") }]),
    { term: t("request.identity"), value: t(`request.identities.${identity}`) },
    ...(!request.needsDecision
      ? []
      : [{ term: t("request.lease"), value: <Lease lease={lease} /> }]),
    ...(extension === null
      ? []
      : [{ term: t("request.extension"), value: t(`request.extensions.${extension}`) }]),
    { term: t("request.number"), value: <code dir="ltr">{request.requestId}</code> },
  ];
  return (
    <dl className="privacy-review__facts">
      {facts.map(({ term, value, why }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>
            {value}
            {why !== undefined && <p className="privacy-queue__quiet">{why}</p>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const correctable = ["fullName", "phone", "address", "language"] as const;

/** What is held beside what is asked for. */
function Correction({ correction }: { correction: NonNullable<Reviewed["correction"]> }) {
  const { t } = useTranslation("privacy-console");
  const { held, asked } = correction;
  const valueOf = (values: typeof held, field: (typeof correctable)[number]) => {
    const value = values[field];
    if (value === undefined || value === "") return t("correction.none");
    if (field === "language" && (value === "en" || value === "he"))
      return t(`correction.languages.${value}`);
    return <bdi>{value}</bdi>;
  };
  return (
    <Section id="privacy-correction" title={t("correction.title")}>
      <ReadingTable
        caption={t("correction.caption")}
        columns={(["field", "held", "asked"] as const).map((id) => ({
          id,
          header: t(`correction.${id}`),
        }))}
        rows={correctable
          .filter((field) => asked[field] !== undefined)
          .map((field) => ({
            id: field,
            cells: {
              field: t(`correction.fields.${field}`),
              held: valueOf(held, field),
              asked: <strong>{valueOf(asked, field)}</strong>,
            },
          }))}
      />
    </Section>
  );
}

function SentByForm({ request: { relation, form } }: Props) {
  const { t } = useTranslation("privacy-console");
  if (form === null) return null;
  return (
    <Section id="privacy-form" title={t("form.title")} lead={t("form.lead")}>
      <FormFacts relation={relation} form={form} />
    </Section>
  );
}

function Steps({ request }: Props) {
  const { t } = useTranslation("privacy-console");
  const number = new Intl.NumberFormat(useLanguage());
  if (request.steps.length === 0) return null;
  const columns = ["step", "state", "found", "attempts"] as const;
  return (
    <Section id="privacy-steps" title={t("steps.title")}>
      <ReadingTable
        caption={t("steps.caption")}
        columns={columns.map((id) => ({
          id,
          header: t(`steps.${id}`),
          numeric: id === "found" || id === "attempts",
        }))}
        rows={request.steps.map(({ step, state, found, attempts }) => ({
          id: step,
          cells: {
            step: <code dir="ltr">{step}</code>,
            state: <span data-state={state}>{t(`steps.states.${state}`)}</span>,
            found: found === null ? "" : number.format(found),
            attempts: number.format(attempts),
          },
        }))}
      />
    </Section>
  );
}

function History({ request }: Props) {
  const { t } = useTranslation("privacy-console");
  const language = useLanguage();
  return (
    <Section id="privacy-history" title={t("history.title")}>
      <ol className="privacy-review__history">
        {request.history.map(({ step, at, officerId }) => (
          <li key={`${step} ${at}`}>
            <span>
              {t(`history.steps.${step}`)}
              {officerId !== null && ` ${t("history.by")}`}
            </span>
            <time className="privacy-queue__quiet" dateTime={at}>
              {instantText(language, at)}
            </time>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const shortcutsOfRequest = [
  "claim",
  "approve",
  "deny",
  "extend",
  "hold",
  "retry",
  "back",
  "help",
] as const;

/** One request: what an officer needs to decide it, and the decisions. */
export function RequestPage() {
  const { t } = useTranslation("privacy-console");
  const language = useLanguage();
  const { requestId = "" } = useParams();
  const query = useQuery(reviewQuery(requestId));
  const { texts, describe } = useViewTexts(t("request.loading"));
  const request = query.data?.request;
  const shortcut = useShortcut();
  const number = `\u2066${requestId.slice(0, 8)}\u2069`;
  return (
    <>
      <p className="privacy-review__back">
        <Link to="/console/privacy" {...shortcut("back")}>
          {t("request.back")}
        </Link>
      </p>
      <PageHeader
        title={t("request.title", { number })}
        lead={
          request &&
          t("request.lead", {
            type: t(`types.${request.type}`),
            date: instantText(language, request.receivedAt),
          })
        }
      />
      <Shortcuts of={shortcutsOfRequest} />
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="block" count={2} />}
        isEmpty={() => false}
        empty={{ title: t("filtered.title") }}
        describe={describe}
      >
        {({ request: shown }) => (
          <div className="privacy-review">
            <div className="privacy-review__main">
              <Facts request={shown} />
              <SentByForm request={shown} />
              {shown.correction !== null && <Correction correction={shown.correction} />}
              <Preview requestId={shown.requestId} />
              <Steps request={shown} />
              <History request={shown} />
              <Section id="privacy-evidence" title={t("evidence.title")} lead={t("evidence.lead")}>
                <EvidencePack requestId={shown.requestId} />
              </Section>
            </div>
            <Decisions request={shown} />
          </div>
        )}
      </DataView>
    </>
  );
}
