import { useMachine } from "@xstate/react";
import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";

import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { Button, buttonClass } from "../../../ui/button/button.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { FailureState } from "../../../ui/view-state/view-state.tsx";
import { lazyPart } from "../../lazy-part.tsx";
import type { Choice, Obstacle } from "../billing-calls.ts";
import { CheckoutChoice } from "./checkout-choice.tsx";
import { checkoutMachine } from "./checkout.machine.ts";
import { choiceInQuery } from "./choice-in-query.ts";

import "./checkout-page.css";

// Shown once the quote has arrived; loaded while it is asked for.
const CheckoutSheet = lazyPart(async () => (await import("./checkout-sheet.tsx")).CheckoutSheet);
const CheckoutConsents = lazyPart(
  async () => (await import("./checkout-consents.tsx")).CheckoutConsents,
);

/** A quote that was shown for so long is asked for again when the tab is looked at. */
const staleMs = 60_000;

function useCheckout() {
  const [query, setQuery] = useSearchParams();
  const [snapshot, send] = useMachine(checkoutMachine, { input: { choice: choiceInQuery(query) } });
  const { url, offer } = snapshot.context;
  const leaves = snapshot.value === "leaving";
  useEffect(() => {
    if (leaves && url !== undefined) location.assign(url);
  }, [leaves, url]);
  useEffect(() => {
    const shownAt = Date.now();
    const look = (): void => {
      if (!document.hidden && Date.now() - shownAt > staleMs) send({ type: "refresh" });
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [offer, send]);
  const choose = (choice: Choice): void => {
    send({ type: "choose", choice });
    // A sign-in in the middle leads back to this choice.
    setQuery(choice, { replace: true, preventScrollReset: true });
  };
  return { snapshot, send, choose };
}

function Blocked({ obstacle }: { obstacle: Obstacle }) {
  const { t } = useTranslation("checkout");
  const to = obstacle === "closed" ? "/pricing" : "/account/subscription";
  return (
    <FailureState
      title={t(`blocked.${obstacle}.title`)}
      body={t(`blocked.${obstacle}.body`)}
      action={
        <Link
          className={buttonClass("solid")}
          to={to}
          // The price list is a document of the public site.
          reloadDocument={obstacle === "closed"}
        >
          {t(`blocked.${obstacle}.action`)}
        </Link>
      }
    />
  );
}

function Unquoted({ trouble, again }: { trouble: "failed" | "network"; again: () => void }) {
  const { t } = useTranslation(["checkout", "billing"]);
  return (
    <FailureState
      title={t(`billing:trouble.${trouble}`)}
      body={t("unquoted")}
      action={<Button onClick={again}>{t("billing:again")}</Button>}
    />
  );
}

function Accepted() {
  const { t } = useTranslation("checkout");
  return (
    <section className="checkout__result" aria-live="polite">
      <h2>{t("accepted.title")}</h2>
      <p>{t("accepted.body")}</p>
      <Link className={buttonClass("solid")} to="/account/subscription">
        {t("accepted.action")}
      </Link>
    </section>
  );
}

function Quoting() {
  const { t } = useTranslation("checkout");
  return (
    <>
      <output className="visually-hidden">{t("quoting")}</output>
      <Skeleton shape="title" />
      <Skeleton shape="row" count={4} />
    </>
  );
}

type Checkout = ReturnType<typeof useCheckout>;

function Order({ snapshot, send, choose }: Checkout) {
  const { t } = useTranslation("checkout");
  const { value: state, context } = snapshot;
  const { choice, offer, before, trouble } = context;
  return (
    <div className="checkout">
      <CheckoutChoice
        choice={choice}
        busy={state === "ordering" || state === "leaving"}
        onChoose={choose}
      />
      <section
        className="checkout__sheet"
        aria-busy={state === "quoting"}
        aria-label={t("sheet.title")}
      >
        {state === "unquoted" && (
          <Unquoted
            trouble={trouble === "network" ? "network" : "failed"}
            again={() => send({ type: "refresh" })}
          />
        )}
        {state !== "unquoted" && offer === undefined && <Quoting />}
        {state !== "unquoted" && offer !== undefined && (
          <Suspense fallback={<Quoting />}>
            <CheckoutSheet quote={offer.quote} before={before?.quote} />
            <CheckoutConsents
              offer={offer}
              state={state}
              context={context}
              onSubmit={(accepted, language) => send({ type: "submit", accepted, language })}
            />
          </Suspense>
        )}
      </section>
    </div>
  );
}

/** Summary, consents and the button that obliges to pay; then the provider's own page. */
export function CheckoutPage() {
  const { t } = useTranslation("checkout");
  const checkout = useCheckout();
  const { value: state, context } = checkout.snapshot;
  const { obstacle } = context;
  useEffect(() => {
    // What cannot be loaded now is tried again when it is shown.
    void Promise.allSettled([CheckoutSheet.load(), CheckoutConsents.load()]);
  }, []);
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      {state === "blocked" && obstacle !== undefined && <Blocked obstacle={obstacle} />}
      {state === "accepted" && <Accepted />}
      {state !== "blocked" && state !== "accepted" && <Order {...checkout} />}
    </>
  );
}
