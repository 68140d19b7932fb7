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

type Reported = CallAnswer<"GET /api/console/links/reported">["links"][number];
/** What an administrator decides about a link. */
type Act = "takeDown" | "reinstate";
type Asked = { act: Act; link: Reported };

const reportedKey = ["console", "links"] as const;

const actOn = ({ status }: Reported): Act => (status === "taken-down" ? "reinstate" : "takeDown");

/** Decides about one link at a time; both calls ask for a recent authentication. */
function useDecision() {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Act | "failed">();
  const decide = async ({ act, link }: Asked, reason: ReportReason): Promise<void> => {
    setBusy(true);
    const params = { linkId: link.linkId };
    const { call } = accountApi();
    try {
      const answer =
        act === "takeDown"
          ? await call("POST /api/console/links/:linkId/take-down", { params, body: { reason } })
          : await call("POST /api/console/links/:linkId/reinstate", { params });
      setResult(answer.ok ? act : "failed");
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

type TableProps = { links: readonly Reported[]; onAsk: (asked: Asked) => void };

function ReportedTable({ links, onAsk }: TableProps) {
  const { t } = useTranslation("reported-links");
  const language = useLanguage();
  const { profile } = useAccount();
  const columns = ["link", "account", "status", "reports", "reason", "at", "act"] as const;
  return (
    <ReadingTable
      caption={t("table.caption")}
      columns={columns.map((id) => ({
        id,
        header: t(`table.${id}`),
        numeric: id === "reports",
      }))}
      rows={links.map((link) => ({
        id: link.linkId,
        cells: {
          link: <code dir="ltr">{link.linkId}</code>,
          account: <code dir="ltr">{link.accountId}</code>,
          status: t(`status.${link.status}`),
          reports: link.reports,
          reason: t(`reasons.${link.lastReason}`),
          at: (
            <time dateTime={link.lastAt}>
              {instantText(language, link.lastAt, profile.timeZone)}
            </time>
          ),
          act: (
            <Button onClick={() => onAsk({ act: actOn(link), link })}>
              {t(actOn(link))} <span className="visually-hidden">{link.linkId}</span>
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

function ConfirmDecision({ asked: { act, link }, busy, onConfirm, onClose }: ConfirmProps) {
  const { t } = useTranslation("reported-links");
  const [reason, setReason] = useState(link.lastReason);
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
        <code dir="ltr">{link.linkId}</code>
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

/** Links that visitors reported, without the words of their owners. */
export function ReportedLinksPage() {
  const { t } = useTranslation("reported-links");
  const query = useQuery({
    queryKey: reportedKey,
    queryFn: () => queryAnswer(accountApi().call("GET /api/console/links/reported", {})),
  });
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
          isEmpty={({ links }) => links.length === 0}
          empty={{ title: t("empty.title"), body: t("empty.body") }}
          describe={describe}
        >
          {({ links }) => <ReportedTable links={links} onAsk={setAsked} />}
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
