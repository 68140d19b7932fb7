import { type SyntheticEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { type LatePlan, useLateMachine } from "../late-machine.ts";
import { readEntry } from "./read-entry.ts";
import type { Entry, SubscriptionEvent, Trouble } from "./subscription.ts";

type SubscriptionView = { place: string; entry: Entry; trouble: Trouble | undefined };

/** Ties a form to its late machine: what is typed, and what the browser had kept from before. */
export function useSubscriptionForm<View extends SubscriptionView>(
  plan: LatePlan<View, SubscriptionEvent>,
) {
  const { t } = useTranslation("newsletter");
  const language = useLanguage();
  const form = useRef<HTMLFormElement>(null);
  const { view, send, wake } = useLateMachine(plan);

  useEffect(() => {
    if (form.current === null) return;
    const entry = readEntry(form.current);
    if (entry.email !== "" || entry.consent) send({ type: "changed", entry });
  }, [send]);

  useEffect(() => {
    const code = view.trouble?.code;
    if (code === undefined || form.current === null) return;
    const faulty = form.current.querySelector<HTMLElement>("[aria-invalid]");
    const button = form.current.querySelector<HTMLElement>("[type=submit]");
    if (faulty !== null) faulty.focus();
    // A button that was disabled under the finger has lost focus; the way on starts there again.
    else if (document.activeElement === document.body) button?.focus();
  }, [view.trouble]);

  const onInput = (event: SyntheticEvent<HTMLFormElement>): void =>
    send({ type: "changed", entry: readEntry(event.currentTarget) });
  const onSubmit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    send({ type: "submit", shown: { language, consentText: t("consent.text") } });
  };
  const events = { onInput, onSubmit, onFocus: wake, onPointerEnter: wake };
  return { view, form, events };
}
