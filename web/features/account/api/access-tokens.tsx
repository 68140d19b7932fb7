import type { AccessToken } from "@pro-talent/schemas/accounts/token-calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import { queryAnswer } from "../../../api-client/query-answer.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { EmptyState } from "../../../ui/view-state/view-state.tsx";
import { useAccount } from "../../account-query.ts";
import { toaster } from "../../toaster.ts";
import { AccessTokenForm, scopeTexts } from "./access-token-form.tsx";
import { accessTokensQuery } from "./access-tokens-query.ts";
import { ShownOnce } from "./shown-once.tsx";

/** Instants in the holder's zone; a day that was noted in UTC is that day. */
function useDays(): { ofInstant: (at: string) => string; ofDay: (day: string) => string } {
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  const format = (zone: string) =>
    new Intl.DateTimeFormat(language, { timeZone: zone, dateStyle: "medium" });
  return {
    ofInstant: (at) => format(timeZone).format(new Date(at)),
    ofDay: (day) => format("UTC").format(new Date(day)),
  };
}

type RowProps = { token: AccessToken; busy: boolean; onRevoke: () => void };

function TokenRow({ token, busy, onRevoke }: RowProps) {
  const { t } = useTranslation("account-api");
  const { ofInstant, ofDay } = useDays();
  const { name, prefix, scopes, expiresAt, lastUsedOn } = token;
  return (
    <li className="settings__row">
      <div>
        <bdi className="settings__name">{name}</bdi>
        {scopes.map((scope) => (
          <span key={scope} className="settings__tag">
            {t(`scopes.${scopeTexts[scope]}`)}
          </span>
        ))}
        <p className="settings__note">
          <code dir="ltr">{prefix}…</code>
          {" · "}
          {t("tokens.until", { date: ofInstant(expiresAt) })}
          {" · "}
          {lastUsedOn === null ? t("tokens.never") : t("tokens.used", { date: ofDay(lastUsedOn) })}
        </p>
      </div>
      <Button
        variant="text"
        disabled={busy}
        aria-label={t("tokens.revokeOf", { name })}
        onClick={onRevoke}
      >
        {t("tokens.revoke")}
      </Button>
    </li>
  );
}

function useRevoking() {
  const { t } = useTranslation("account-api");
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ tokenId }: AccessToken) =>
      queryAnswer(
        accountApi().call("DELETE /api/account/tokens/:tokenId", { params: { tokenId } }),
      ),
    onSuccess: async (_, { name }) => {
      await cache.invalidateQueries({ queryKey: accessTokensQuery.queryKey });
      toaster.show({ text: t("tokens.revoked", { name }) });
    },
  });
}

type TokensProps = { tokens: readonly AccessToken[]; tokensMax: number };

/** The access tokens of the account: make one, see it once, revoke it after a question. */
export function AccessTokens({ tokens, tokensMax }: TokensProps) {
  const { t } = useTranslation(["account-api", "account"]);
  const revoking = useRevoking();
  const [asked, setAsked] = useState<AccessToken>();
  const [secret, setSecret] = useState<string>();
  return (
    <div className="settings__content">
      <Notice kind="error">{revoking.isError && t("account:errors.failed")}</Notice>
      {tokens.length === 0 ? (
        <EmptyState title={t("tokens.empty")} body={t("tokens.emptyBody")} />
      ) : (
        <ul className="settings__rows">
          {tokens.map((token) => (
            <TokenRow
              key={token.tokenId}
              token={token}
              busy={revoking.isPending}
              onRevoke={() => setAsked(token)}
            />
          ))}
        </ul>
      )}
      {secret !== undefined && (
        <ShownOnce
          secret={secret}
          texts={t("made", { returnObjects: true })}
          onKept={() => setSecret(undefined)}
        />
      )}
      {secret === undefined && tokens.length < tokensMax && <AccessTokenForm onMade={setSecret} />}
      {secret === undefined && tokens.length >= tokensMax && (
        <p className="settings__note">{t("make.full", { count: tokensMax })}</p>
      )}
      {asked !== undefined && (
        <ConfirmDialog
          title={t("tokens.revokeTitle", { name: asked.name })}
          texts={{
            confirm: t("tokens.revoke"),
            keep: t("tokens.keep"),
            close: t("tokens.close"),
          }}
          onConfirm={() => {
            setAsked(undefined);
            revoking.mutate(asked);
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{t("tokens.revokeBody")}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
