import { type SyntheticEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { type LatePlan, useLateMachine } from "../late-machine.ts";
import { readEntry } from "./read-entry.ts";
import type { Entry, SubscribeEvent, Trouble } from "./subscribe.ts";

type SubscribeView = { place: string; entry: Entry; trouble: Trouble | undefined };

/** Connects a form to its late machine, with values that the browser restored. */
export function useSubscribeForm<View extends SubscribeView>(plan: LatePlan<View, SubscribeEvent>) {
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
    // A button that was disabled has lost focus.
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
