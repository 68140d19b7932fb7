import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";

import { accountApi } from "../../../api-client/account-api.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import type { Action, Subscription, Trouble } from "../billing-calls.ts";
import { troubleIn } from "../billing-calls.ts";
import { billingKey } from "../billing-queries.ts";
import { type ActEnding, ActRow, CancelRow } from "./act-row.tsx";

import "./actions.css";

const idOf = ({ quote, choice }: Action): string =>
  [quote.act, choice?.plan, choice?.cycle].join(" ");

const cancels = ({ quote: { act } }: Action): boolean => act === "cancel" || act === "withdraw";

/** What came of the last act, announced above the list that has changed with it. */
function useEndings() {
  const client = useQueryClient();
  const [ending, setEnding] = useState<{ kind: ActEnding; act: Action["quote"]["act"] }>();
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (ending !== undefined) notice.current?.focus();
  }, [ending]);
  const onEnd = (kind: ActEnding, { quote: { act } }: Action): void => {
    setEnding({ kind, act });
    void client.invalidateQueries({ queryKey: billingKey });
  };
  return { ending, notice, onEnd };
}

/** Plan, cycle and cancellation: each button beside what it will do. */
export function Actions({ subscription: { actions, periodTo } }: { subscription: Subscription }) {
  const { t } = useTranslation("subscription");
  const { ending, notice, onEnd } = useEndings();
  const [count, setCount] = useState(0);
  const end = (kind: ActEnding, action: Action): void => {
    onEnd(kind, action);
    // A row whose machine has ended begins anew.
    setCount((before) => before + 1);
  };
  return (
    <section className="billing-part" aria-labelledby="changes">
      <h2 id="changes" className="billing-part__title">
        {t("acts.heading")}
      </h2>
      <Notice kind="success" ref={notice}>
        {ending && t(ending.kind === "applied" ? `acts.done.${ending.act}` : `acts.${ending.kind}`)}
      </Notice>
      <ul className="act-rows">
        {actions.map((action) =>
          cancels(action) ? (
            <CancelRow key={idOf(action)} action={action} periodTo={periodTo} />
          ) : (
            <ActRow key={`${idOf(action)} ${count}`} action={action} onEnd={end} />
          ),
        )}
      </ul>
      {actions.length === 0 && <p>{t("acts.none")}</p>}
    </section>
  );
}

/** The return from the provider's page: what was entered there is recorded at once. */
function useReturnedCard(): void {
  const [query, setQuery] = useSearchParams();
  const client = useQueryClient();
  const checkoutId = query.get("checkout");
  useEffect(() => {
    if (checkoutId === null) return;
    setQuery({}, { replace: true, preventScrollReset: true });
    accountApi()
      .call("GET /api/checkout/:checkoutId", { params: { checkoutId } })
      // Without an answer it is stored when the provider reports it.
      .catch(() => undefined)
      .finally(() => void client.invalidateQueries({ queryKey: billingKey }));
  }, [checkoutId, client, setQuery]);
}

/** The stored card; another one is entered on the provider's page. */
export function StoredCard({ card }: Pick<Subscription, "card">) {
  const { t } = useTranslation(["subscription", "billing"]);
  const language = useLanguage();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  useReturnedCard();
  const replace = async (): Promise<void> => {
    setBusy(true);
    setTrouble(undefined);
    try {
      const result = await accountApi().call("POST /api/subscription/card", { body: { language } });
      if (result.ok && result.answer !== undefined && "url" in result.answer) {
        location.assign(result.answer.url);
        return;
      }
      setTrouble(troubleIn(result));
    } catch {
      setTrouble("network");
    }
    setBusy(false);
  };
  return (
    <section className="billing-part" aria-labelledby="card">
      <h2 id="card" className="billing-part__title">
        {t("card.title")}
      </h2>
      <div className="act-row">
        <div className="act-row__words">
          <h3 className="act-row__title">
            {card === null ? (
              t("card.none")
            ) : (
              <bdi dir="ltr">{t("card.name", { brand: card.brand, last4: card.last4 })}</bdi>
            )}
          </h3>
          <p>
            {card !== null && (
              <>
                {t("card.expires")}{" "}
                <bdi dir="ltr">
                  {`${String(card.expiryMonth).padStart(2, "0")}/${card.expiryYear}`}
                </bdi>
                {". "}
              </>
            )}
            {t("card.effect")}
          </p>
        </div>
        <Button disabled={busy} onClick={() => void replace()}>
          {busy ? t("card.opening") : t("card.replace")}
        </Button>
      </div>
      <Notice kind="error">{trouble && t(`billing:trouble.${trouble}`)}</Notice>
    </section>
  );
}
