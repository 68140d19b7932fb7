import {
  type SourceContext,
  subscriptionDefaults,
} from "@pro-talent/schemas/newsletter/categories";
import { emailCharsMax } from "@pro-talent/schemas/primitives/email-limits";
import {
  type ReactNode,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { Checkbox } from "../../ui/checkbox/checkbox.tsx";
import { Field } from "../../ui/field/field.tsx";
import { HoneypotField } from "../../ui/field/honeypot-field.tsx";
import { useHydrated } from "../../ui/hydration/use-hydrated.ts";
import { LinkedText } from "../../ui/linked-text/linked-text.tsx";
import { textIn, useFormMachine } from "../form-machine.ts";
import { useErrorTitle } from "../use-error-title.ts";
import type { createNewsletterActor, createWaitlistActor, Trouble } from "./subscribe.machine.ts";

type SubscribeActor = ReturnType<typeof createNewsletterActor | typeof createWaitlistActor>;
type Snapshot = ReturnType<SubscribeActor["getSnapshot"]>;

/** What the form shows: an error beside a field, or a notice. */
type ShownTrouble = { email?: string; consent?: string; notice?: ReactNode };

function useShownTrouble(
  trouble: Trouble | undefined,
  own: Readonly<Record<"refused" | "network", string>>,
): ShownTrouble | undefined {
  const { t } = useTranslation("newsletter");
  switch (trouble?.code) {
    case undefined:
      return undefined;
    case "emailRequired":
      return { email: t("errors.emailRequired") };
    case "consentRequired":
      return { consent: t("errors.consentRequired") };
    case "alreadySubscribed":
      return { notice: t("errors.alreadySubscribed") };
    case "server":
      return { notice: <span dir="auto">{trouble.text}</span> };
    case "refused":
    case "network":
      return { notice: own[trouble.code] };
  }
}

/** Moves focus to what is wrong; a button that was disabled has lost it. */
function focusOnTrouble(form: HTMLFormElement): void {
  const faulty = form.querySelector<HTMLElement>("[aria-invalid]");
  if (faulty !== null) faulty.focus();
  else if (document.activeElement === document.body)
    form.querySelector<HTMLElement>("[type=submit]")?.focus();
}

const unreachableTrouble: Trouble = { code: "network" };
const nothingEntered = { email: false, consent: false };

/** The machine of one of the two forms, and whether the fields that its button needs are filled. */
export function useSubscribeForm(
  open: () => Promise<SubscribeActor>,
  own: Readonly<Record<"refused" | "network", string>>,
) {
  const element = useRef<HTMLFormElement>(null);
  const [entered, setEntered] = useState(nothingEntered);
  const { snapshot, waiting, unreachable, events } = useFormMachine<Snapshot>(open);
  const attach = useCallback((form: HTMLFormElement | null): void => {
    element.current = form;
    // The browser may have restored values.
    if (form !== null) setEntered(enteredIn(form));
  }, []);
  const trouble = unreachable ? unreachableTrouble : snapshot?.context.trouble;
  useErrorTitle(trouble !== undefined);
  useEffect(() => {
    if (trouble !== undefined && element.current !== null) focusOnTrouble(element.current);
  }, [trouble]);
  const reset = useCallback((): void => {
    element.current?.reset();
    setEntered(nothingEntered);
  }, []);
  const onInput = (event: SyntheticEvent<HTMLFormElement>): void => {
    setEntered(enteredIn(event.currentTarget));
    events.onInput(event);
  };
  const submitting = waiting || snapshot?.value === "submitting";
  const form = {
    ...events,
    onInput,
    ref: attach,
    "aria-busy": submitting,
    "data-scripted": useHydrated(),
  };
  const shown = useShownTrouble(trouble, own);
  return { state: snapshot?.value, submitting, entered, trouble: shown, form, reset };
}

function enteredIn(form: HTMLFormElement): typeof nothingEntered {
  const data = new FormData(form);
  return { email: textIn(data, "email").trim() !== "", consent: data.has("consentText") };
}

/** Hidden fields: what a form submits besides the entry. */
function UnseenFields({ sourceContext }: { sourceContext: SourceContext }) {
  const language = useLanguage();
  const { preferences, tags } = subscriptionDefaults[sourceContext];
  return (
    <>
      <input type="hidden" name="language" value={language} />
      <input type="hidden" name="sourceContext" value={sourceContext} />
      <input type="hidden" name="frequency" value={preferences.frequency} />
      {preferences.topics.map((topic) => (
        <input key={topic} type="hidden" name="topics" value={topic} />
      ))}
      {tags.map((tag) => (
        <input key={tag} type="hidden" name="tags" value={tag} />
      ))}
    </>
  );
}

type SubscribeFieldsProps = {
  idPrefix: string;
  sourceContext: SourceContext;
  trouble: ShownTrouble | undefined;
};

/** Address and consent of both forms. */
export function SubscribeFields({ idPrefix, sourceContext, trouble }: SubscribeFieldsProps) {
  const { t } = useTranslation("newsletter");
  // Without scripts the browser validates; with them the form shows its own texts.
  const scriptless = !useHydrated();
  const consentText = t("consent.text");
  return (
    <>
      <Field id={`${idPrefix}-email`} label={t("email")} hint={t("promise")} error={trouble?.email}>
        {(control) => (
          <input
            {...control}
            name="email"
            type="email"
            dir="ltr"
            inputMode="email"
            autoComplete="email"
            maxLength={emailCharsMax}
            required={scriptless}
            aria-required
          />
        )}
      </Field>
      <Checkbox
        id={`${idPrefix}-consent`}
        name="consentText"
        value={consentText}
        required={scriptless}
        error={trouble?.consent}
      >
        <LinkedText
          text={consentText}
          phrases={[
            { text: t("consent.privacy"), href: "/privacy" },
            { text: t("consent.terms"), href: "/terms" },
          ]}
        />
      </Checkbox>
      <HoneypotField id={`${idPrefix}-website`} label={t("honeypot")} />
      <UnseenFields sourceContext={sourceContext} />
    </>
  );
}
