import type { SignInSession } from "@pro-talent/schemas/accounts/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { z } from "zod";

import { accountApi } from "../../../api-client/account-api.ts";
import { queryAnswer } from "../../../api-client/query-answer.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { sessionsQuery, useAccount } from "../../account-query.ts";
import { toaster } from "../../toaster.ts";

type Session = z.infer<typeof SignInSession>;

/** How a session is named: by what its browser said of itself. */
function useSessionName(): (session: Session) => string {
  const { t } = useTranslation("account-security");
  return ({ browser, system }) => {
    if (browser === null) return system ?? t("sessions.unknown");
    return system === null ? browser : t("sessions.on", { browser, system });
  };
}

/** Dates in the zone of the account holder. */
export function useAccountDates(): (instant: string) => string {
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  const format = new Intl.DateTimeFormat(language, {
    timeZone,
    dateStyle: "medium",
    timeStyle: "short",
  });
  return (instant) => format.format(new Date(instant));
}

type RowProps = { session: Session; busy: boolean; onEnd: () => void };

function SessionRow({ session, busy, onEnd }: RowProps) {
  const { t } = useTranslation("account-security");
  const date = useAccountDates();
  const name = useSessionName()(session);
  return (
    <li className="settings__row">
      <div>
        <span className="settings__name">{name}</span>
        {session.current && <span className="settings__tag">{t("sessions.current")}</span>}
        <p className="settings__note">
          {t("sessions.signedIn", { date: date(session.signedInAt) })}
          {" · "}
          {t("sessions.lastUsed", { date: date(session.lastUsedAt) })}
        </p>
      </div>
      {!session.current && (
        <Button
          variant="text"
          disabled={busy}
          aria-label={t("sessions.endOf", { name })}
          onClick={onEnd}
        >
          {t("sessions.end")}
        </Button>
      )}
    </li>
  );
}

/** The calls that end sessions, and the list afterwards. */
function useEnding() {
  const { t } = useTranslation("account-security");
  const cache = useQueryClient();
  const nameOf = useSessionName();
  const finish = async (text: string): Promise<void> => {
    await cache.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    toaster.show({ text });
  };
  const one = useMutation({
    mutationFn: ({ sessionId }: Session) =>
      queryAnswer(
        accountApi().call("DELETE /api/account/sessions/:sessionId", { params: { sessionId } }),
      ),
    onSuccess: (_, session) => finish(t("sessions.ended", { name: nameOf(session) })),
  });
  const others = useMutation({
    mutationFn: () => queryAnswer(accountApi().call("POST /api/account/sessions/end-others", {})),
    onSuccess: () => finish(t("sessions.endedOthers")),
  });
  return {
    end: one.mutate,
    endOthers: () => others.mutate(),
    busy: one.isPending || others.isPending,
    failed: one.isError || others.isError,
  };
}

/**
 * Where the account is signed in. Ending one session costs its device a new sign-in, so only ending
 * all of them is asked about.
 */
export function Sessions({ sessions }: { sessions: readonly Session[] }) {
  const { t } = useTranslation(["account-security", "account"]);
  const { end, endOthers, busy, failed } = useEnding();
  const [asking, setAsking] = useState(false);
  const others = sessions.filter(({ current }) => !current).length;
  return (
    <div className="settings__content">
      <Notice kind="error">{failed && t("account:errors.failed")}</Notice>
      <ul className="settings__rows">
        {sessions.map((session) => (
          <SessionRow
            key={session.sessionId}
            session={session}
            busy={busy}
            onEnd={() => end(session)}
          />
        ))}
      </ul>
      {others > 0 && (
        <div>
          <Button disabled={busy} onClick={() => setAsking(true)}>
            {t("sessions.endOthers")}
          </Button>
        </div>
      )}
      {asking && (
        <ConfirmDialog
          title={t("sessions.endOthersTitle", { count: others })}
          texts={{
            confirm: t("sessions.endOthers"),
            keep: t("sessions.keep"),
            close: t("close"),
          }}
          onConfirm={() => {
            setAsking(false);
            endOthers();
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t("sessions.endOthersBody")}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
