import type { WebhookView } from "@pro-talent/schemas/links/webhook-calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { accountApi } from "../../../api-client/account-api.ts";
import { CallFailure, queryAnswer } from "../../../api-client/query-answer.ts";
import { Button } from "../../../ui/button/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { EmptyState } from "../../../ui/view-state/view-state.tsx";
import { toaster } from "../../toaster.ts";
import { ShownOnce } from "./shown-once.tsx";
import { useInstants, WebhookDeliveries } from "./webhook-deliveries.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { webhooksQuery } from "./webhooks-query.ts";

type Act = { webhookId: string } & (
  | { kind: "test" | "resume" | "secret" | "remove" }
  | { kind: "replay"; deliveryId: string }
);

/** @returns the new secret, when there is one. @throws CallFailure */
async function carryOut(act: Act): Promise<string | undefined> {
  const { call } = accountApi();
  const params = { webhookId: act.webhookId };
  switch (act.kind) {
    case "test":
      await queryAnswer(call("POST /api/link-webhooks/:webhookId/test", { params }));
      return undefined;
    case "resume":
      await queryAnswer(call("POST /api/link-webhooks/:webhookId/resume", { params }));
      return undefined;
    case "secret":
      return (await queryAnswer(call("POST /api/link-webhooks/:webhookId/secret", { params })))
        .secret;
    case "remove":
      await queryAnswer(call("DELETE /api/link-webhooks/:webhookId", { params }));
      return undefined;
    case "replay": {
      const { deliveryId } = act;
      const replay = "POST /api/link-webhooks/:webhookId/deliveries/:deliveryId/replay";
      await queryAnswer(call(replay, { params: { ...params, deliveryId } }));
      return undefined;
    }
  }
}

const doneTexts = {
  test: "webhooks.tested",
  resume: "webhooks.resumed",
  remove: "webhooks.removed",
  replay: "webhooks.replayed",
} as const;

/** @param onSecret receives a new secret, which is shown once */
function useActing(onSecret: (secret: string) => void) {
  const { t } = useTranslation("account-api");
  const cache = useQueryClient();
  return useMutation({
    mutationFn: carryOut,
    onSuccess: (secret, { kind }) => {
      if (secret !== undefined) onSecret(secret);
      else if (kind !== "secret") toaster.show({ text: t(doneTexts[kind]) });
    },
    // Also after a refusal: what is shown may have changed meanwhile.
    onSettled: () => cache.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  });
}

type RowProps = {
  webhook: WebhookView;
  included: boolean;
  busy: boolean;
  onAct: (act: Act) => void;
  onAsk: (kind: "secret" | "remove") => void;
};

function WebhookRow({ webhook, included, busy, onAct, onAsk }: RowProps) {
  const { t } = useTranslation("account-api");
  const instant = useInstants();
  const { webhookId, url, createdAt, paused, formerSecretUntil, deliveries } = webhook;
  const button = (kind: "test" | "resume" | "secret" | "remove", onClick: () => void) => (
    <Button
      variant="text"
      disabled={busy}
      aria-label={t(`webhooks.actions.${kind}Of`, { name: url })}
      onClick={onClick}
    >
      {t(`webhooks.actions.${kind}`)}
    </Button>
  );
  return (
    <li className="webhook">
      <code className="webhook__url" dir="ltr">
        {url}
      </code>
      <p className="settings__note">{t("webhooks.added", { date: instant(createdAt) })}</p>
      {formerSecretUntil !== null && (
        <p className="settings__note">
          {t("webhooks.overlap", { date: instant(formerSecretUntil) })}
        </p>
      )}
      <Notice kind="error">
        {included && paused && t(`webhooks.paused.${paused.reason}`, { date: instant(paused.at) })}
      </Notice>
      <div className="settings__buttons webhook__buttons">
        {included &&
          (paused === null
            ? button("test", () => onAct({ kind: "test", webhookId }))
            : button("resume", () => onAct({ kind: "resume", webhookId })))}
        {button("secret", () => onAsk("secret"))}
        {button("remove", () => onAsk("remove"))}
      </div>
      <WebhookDeliveries
        deliveries={deliveries}
        onReplay={
          included ? (deliveryId) => onAct({ kind: "replay", webhookId, deliveryId }) : undefined
        }
      />
    </li>
  );
}

type WebhooksProps = {
  webhooks: readonly WebhookView[];
  webhooksMax: number;
  included: boolean;
};

/** Below the list: the form, or why there is none. */
function Adding({
  webhooks,
  webhooksMax,
  included,
  onMade,
}: WebhooksProps & { onMade: (secret: string) => void }) {
  const { t } = useTranslation("account-api");
  if (!included && webhooks.length > 0) {
    return (
      <p className="settings__note">
        {t("webhooks.notIncludedBody")} <Link to="/account/subscription">{t("webhooks.plan")}</Link>
      </p>
    );
  }
  if (!included) return null;
  if (webhooks.length < webhooksMax) return <WebhookForm onMade={onMade} />;
  return <p className="settings__note">{t("webhooks.add.full", { count: webhooksMax })}</p>;
}

function NoWebhooks({ included }: { included: boolean }) {
  const { t } = useTranslation("account-api");
  if (included) return <EmptyState title={t("webhooks.empty")} body={t("webhooks.emptyBody")} />;
  return (
    <EmptyState
      title={t("webhooks.notIncluded")}
      action={<Link to="/account/subscription">{t("webhooks.plan")}</Link>}
    />
  );
}

/** The webhooks of the account: add one, see its secret once, test, resume, replace the secret, delete. */
export function Webhooks(props: WebhooksProps) {
  const { webhooks, included } = props;
  const { t } = useTranslation(["account-api", "account"]);
  const [secret, setSecret] = useState<string>();
  const [asked, setAsked] = useState<Act & { kind: "secret" | "remove" }>();
  const acting = useActing(setSecret);
  const isTestWaiting = acting.error instanceof CallFailure && acting.error.status === 409;
  return (
    <div className="settings__content">
      <Notice kind="error">
        {acting.isError && (isTestWaiting ? t("webhooks.testWaiting") : t("account:errors.failed"))}
      </Notice>
      {webhooks.length === 0 ? (
        <NoWebhooks included={included} />
      ) : (
        <ul className="webhooks">
          {webhooks.map((webhook) => (
            <WebhookRow
              key={webhook.webhookId}
              webhook={webhook}
              included={included}
              busy={acting.isPending}
              onAct={acting.mutate}
              onAsk={(kind) => setAsked({ kind, webhookId: webhook.webhookId })}
            />
          ))}
        </ul>
      )}
      {secret === undefined ? (
        <Adding {...props} onMade={setSecret} />
      ) : (
        <ShownOnce
          secret={secret}
          texts={t("webhooks.made", { returnObjects: true })}
          onKept={() => setSecret(undefined)}
        />
      )}
      {asked !== undefined && (
        <ConfirmDialog
          title={t(`webhooks.${asked.kind}Title`)}
          texts={{
            confirm: t(`webhooks.actions.${asked.kind}`),
            keep: t("webhooks.actions.keep"),
            close: t("webhooks.actions.close"),
          }}
          onConfirm={() => {
            setAsked(undefined);
            acting.mutate(asked);
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{t(`webhooks.${asked.kind}Body`)}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
