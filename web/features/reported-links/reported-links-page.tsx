import { type ReportReason, reportReasons } from "@pro-talent/schemas/links/report-reasons";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import type { CallAnswer } from "../../api-client/request.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { ReadingTable } from "../../ui/reading-table/reading-table.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../account-query.ts";
import { instantText } from "../instant-text.ts";
import { useViewTexts } from "../view-texts.ts";

import "./reported-links.css";

type ReportedLink = CallAnswer<"GET /api/console/links/reported">["links"][number];
/** A link or the portfolio of an account; `id` is that of the link or the account. */
type Reported = Omit<ReportedLink, "linkId"> & { kind: "link" | "portfolio"; id: string };
/** What an administrator decides about it. */
type Act = "takeDown" | "reinstate";
type Asked = { act: Act; reported: Reported };

const reportedKey = ["console", "reported"] as const;

/** What visitors reported, the latest first. */
async function readReported(): Promise<readonly Reported[]> {
  const [{ links }, { portfolios }] = await Promise.all([
    queryAnswer(accountApi().call("GET /api/console/links/reported", {})),
    queryAnswer(accountApi().call("GET /api/console/portfolios/reported", {})),
  ]);
  return [
    ...links.map(({ linkId, ...link }) => ({ ...link, kind: "link" as const, id: linkId })),
    ...portfolios.map(({ takenDown, ...portfolio }) => ({
      ...portfolio,
      kind: "portfolio" as const,
      id: portfolio.accountId,
      status: takenDown ? ("taken-down" as const) : ("active" as const),
    })),
  ].toSorted((one, other) => other.lastAt.localeCompare(one.lastAt));
}

const actOn = ({ status }: Reported): Act => (status === "taken-down" ? "reinstate" : "takeDown");

function decisionOf({ act, reported: { kind, id } }: Asked, reason: ReportReason) {
  const { call } = accountApi();
  if (kind === "portfolio") {
    const params = { accountId: id };
    return act === "takeDown"
      ? call("POST /api/console/portfolios/:accountId/take-down", { params, body: { reason } })
      : call("POST /api/console/portfolios/:accountId/reinstate", { params });
  }
  const params = { linkId: id };
  return act === "takeDown"
    ? call("POST /api/console/links/:linkId/take-down", { params, body: { reason } })
    : call("POST /api/console/links/:linkId/reinstate", { params });
}

/** Decides about one at a time; all calls ask for a recent authentication. */
function useDecision() {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Act | "failed">();
  const decide = async (decided: Asked, reason: ReportReason): Promise<void> => {
    setBusy(true);
    try {
      const answer = await decisionOf(decided, reason);
      setResult(answer.ok ? decided.act : "failed");
    } catch {
      setResult("failed");
    }
    setBusy(false);
    await client.invalidateQueries({ queryKey: reportedKey });
  };
  return { busy, result, decide };
}

function DecisionResult({ result }: { result: Act | "failed" | undefined }) {
  const { t } = useTranslation("reported-links");
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (result !== undefined) place.current?.focus();
  }, [result]);
  const isDone = result !== undefined && result !== "failed";
  return (
    <div ref={place} tabIndex={-1}>
      <Notice kind="success">{isDone && t(`done.${result}`)}</Notice>
      <Notice kind="error">{result === "failed" && t("failed")}</Notice>
    </div>
  );
}

/** Which link, or that it is the portfolio of the account. */
function What({ reported: { kind, id } }: { reported: Reported }) {
  const { t } = useTranslation("reported-links");
  return kind === "portfolio" ? t("portfolio") : <code dir="ltr">{id}</code>;
}

type TableProps = { rows: readonly Reported[]; onAsk: (asked: Asked) => void };

function ReportedTable({ rows, onAsk }: TableProps) {
  const { t } = useTranslation("reported-links");
  const language = useLanguage();
  const { profile } = useAccount();
  const columns = ["what", "account", "status", "reports", "reason", "at", "act"] as const;
  return (
    <ReadingTable
      caption={t("table.caption")}
      columns={columns.map((id) => ({
        id,
        header: t(`table.${id}`),
        numeric: id === "reports",
      }))}
      rows={rows.map((reported) => ({
        id: `${reported.kind} ${reported.id}`,
        cells: {
          what: <What reported={reported} />,
          account: <code dir="ltr">{reported.accountId}</code>,
          status: t(`status.${reported.status}`),
          reports: reported.reports,
          reason: t(`reasons.${reported.lastReason}`),
          at: (
            <time dateTime={reported.lastAt}>
              {instantText(language, reported.lastAt, profile.timeZone)}
            </time>
          ),
          act: (
            <Button onClick={() => onAsk({ act: actOn(reported), reported })}>
              {t(actOn(reported))}{" "}
              <span className="visually-hidden">
                <What reported={reported} />
              </span>
            </Button>
          ),
        },
      }))}
    />
  );
}

type ConfirmProps = {
  asked: Asked;
  busy: boolean;
  onConfirm: (reason: ReportReason) => void;
  onClose: () => void;
};

function ConfirmDecision({ asked: { act, reported }, busy, onConfirm, onClose }: ConfirmProps) {
  const { t } = useTranslation("reported-links");
  const [reason, setReason] = useState(reported.lastReason);
  const id = useId();
  return (
    <ConfirmDialog
      title={t(`confirm.${act}.title`)}
      texts={{ confirm: t(act), keep: t("confirm.keep"), close: t("confirm.close") }}
      busy={busy}
      onConfirm={() => onConfirm(reason)}
      onClose={onClose}
    >
      <p>{t(`confirm.${act}.body`)}</p>
      <p>
        <What reported={reported} /> <code dir="ltr">{reported.accountId}</code>
      </p>
      {act === "takeDown" && (
        <Field id={id} label={t("confirm.reason")}>
          {(control) => (
            <Select
              {...control}
              value={reason}
              onChange={({ target }) =>
                setReason(reportReasons.find((one) => one === target.value) ?? "other")
              }
            >
              {reportReasons.map((one) => (
                <option key={one} value={one}>
                  {t(`reasons.${one}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </ConfirmDialog>
  );
}

/** Links and portfolios that visitors reported, without the words of their owners. */
export function ReportedLinksPage() {
  const { t } = useTranslation("reported-links");
  const query = useQuery({ queryKey: reportedKey, queryFn: readReported });
  const { texts, describe } = useViewTexts(t("loading"));
  const { busy, result, decide } = useDecision();
  const [asked, setAsked] = useState<Asked>();
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <section className="reported-links" aria-label={t("title")}>
        <DecisionResult result={result} />
        <DataView
          query={query}
          texts={texts}
          skeleton={<Skeleton shape="row" count={3} />}
          isEmpty={(rows) => rows.length === 0}
          empty={{ title: t("empty.title"), body: t("empty.body") }}
          describe={describe}
        >
          {(rows) => <ReportedTable rows={rows} onAsk={setAsked} />}
        </DataView>
      </section>
      {asked !== undefined && (
        <ConfirmDecision
          asked={asked}
          busy={busy}
          onConfirm={(reason) => void decide(asked, reason).then(() => setAsked(undefined))}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
