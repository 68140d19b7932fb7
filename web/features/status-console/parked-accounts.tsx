import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import type { CallAnswer } from "../../api-client/request.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { ReadingTable } from "../../ui/reading-table/reading-table.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../account-query.ts";
import { instantText } from "../instant-text.ts";
import { useViewTexts } from "../view-texts.ts";

type Parked = CallAnswer<"GET /api/console/billing/parked">["accounts"][number];

const parkedKey = ["console", "parked"] as const;

type Trouble = "network" | "notConfirmed" | "failed";
type Result = { trouble: Trouble } | { released: string };

/** Releases one account at a time; the call asks for a recent authentication. */
function useRelease() {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Result>();
  const release = async ({ accountId }: Parked): Promise<void> => {
    setBusy(true);
    try {
      const input = { params: { accountId } };
      const answer = await accountApi().call(
        "POST /api/console/billing/parked/:accountId/release",
        input,
      );
      const isUnconfirmed = !answer.ok && answer.code === "step_up_required";
      const trouble = isUnconfirmed ? "notConfirmed" : "failed";
      setResult(answer.ok ? { released: accountId } : { trouble });
    } catch {
      setResult({ trouble: "network" });
    }
    setBusy(false);
    await client.invalidateQueries({ queryKey: parkedKey });
  };
  return { busy, result, release };
}

function ReleaseResult({ result }: { result: Result | undefined }) {
  const { t } = useTranslation(["status", "billing"]);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (result !== undefined) place.current?.focus();
  }, [result]);
  const released = result !== undefined && "released" in result && result.released;
  const trouble = result !== undefined && "trouble" in result && result.trouble;
  return (
    <div ref={place} tabIndex={-1}>
      <Notice kind="success">{released !== false && t("released", { id: released })}</Notice>
      <Notice kind="error">{trouble !== false && t(`billing:trouble.${trouble}`)}</Notice>
    </div>
  );
}

type ParkedTableProps = { accounts: readonly Parked[]; onRelease: (account: Parked) => void };

function ParkedTable({ accounts, onRelease }: ParkedTableProps) {
  const { t } = useTranslation("status");
  const language = useLanguage();
  const { profile } = useAccount();
  return (
    <ReadingTable
      caption={t("parked.title")}
      columns={[
        { id: "account", header: t("parked.account") },
        { id: "reason", header: t("parked.reason") },
        { id: "since", header: t("parked.since") },
        { id: "release", header: t("parked.act") },
      ]}
      rows={accounts.map((account) => ({
        id: account.accountId,
        cells: {
          account: <code dir="ltr">{account.accountId}</code>,
          reason: t(`reasons.${account.reason}`),
          since: (
            <time dateTime={account.since}>
              {instantText(language, account.since, profile.timeZone)}
            </time>
          ),
          release: (
            <Button onClick={() => onRelease(account)}>
              {t("release")} <span className="visually-hidden">{account.accountId}</span>
            </Button>
          ),
        },
      }))}
    />
  );
}

type ConfirmReleaseProps = {
  account: Parked;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

function ConfirmRelease({ account, ...dialog }: ConfirmReleaseProps) {
  const { t } = useTranslation("status");
  return (
    <ConfirmDialog
      title={t("confirm.title")}
      texts={{ confirm: t("release"), keep: t("confirm.keep"), close: t("confirm.close") }}
      {...dialog}
    >
      <p>{t(`reasons.${account.reason}`)}</p>
      <p>{t("confirm.body")}</p>
      <p>
        <code dir="ltr">{account.accountId}</code>
      </p>
    </ConfirmDialog>
  );
}

/** Accounts whose billing is stopped because something contradicts itself. */
export function ParkedAccounts() {
  const { t } = useTranslation("status");
  const query = useQuery({
    queryKey: parkedKey,
    queryFn: () => queryAnswer(accountApi().call("GET /api/console/billing/parked", {})),
  });
  const { texts, describe } = useViewTexts(t("loading"));
  const { busy, result, release } = useRelease();
  const [asked, setAsked] = useState<Parked>();
  const confirm = async (account: Parked): Promise<void> => {
    await release(account);
    setAsked(undefined);
  };
  return (
    <>
      <section className="status__part" aria-labelledby="parked">
        <h2 id="parked">{t("parked.title")}</h2>
        <ReleaseResult result={result} />
        <DataView
          query={query}
          texts={texts}
          skeleton={<Skeleton shape="row" count={3} />}
          isEmpty={({ accounts }) => accounts.length === 0}
          empty={{ title: t("empty"), body: t("emptyBody") }}
          describe={describe}
        >
          {({ accounts }) => <ParkedTable accounts={accounts} onRelease={setAsked} />}
        </DataView>
      </section>
      {asked !== undefined && (
        <ConfirmRelease
          account={asked}
          busy={busy}
          onConfirm={() => void confirm(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
