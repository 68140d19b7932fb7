import { leaveField, subscriptionDefaults } from "@pro-talent/schemas/newsletter/categories";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { useHydrated } from "../../../ui/hydration/use-hydrated.ts";
import { Notice } from "../../../ui/notice/notice.tsx";
import { useFormMachine } from "../../form-machine.ts";
import { useErrorTitle } from "../../use-error-title.ts";
import { tokenInQuery } from "../token-in-query.ts";
import { NewLinkForm } from "./new-link-form.tsx";
import { PreferenceFields } from "./preference-fields.tsx";
import type { createPreferencesActor, PreferencesTrouble } from "./preferences.machine.ts";

import "./preferences-form.css";

type Snapshot = ReturnType<ReturnType<typeof createPreferencesActor>["getSnapshot"]>;
type Machine = ReturnType<typeof useFormMachine<Snapshot>>;
type Ways = { again: ReactNode; home: ReactNode };

type HeadProps = { state: "editing" | "unsubscribed" | "unknown"; email: string };

function Head({ state, email }: HeadProps) {
  const { t } = useTranslation("newsletter-preferences");
  const heading = useRef<HTMLHeadingElement>(null);
  const ended = state !== "editing";
  useEffect(() => {
    if (ended) heading.current?.focus();
  }, [ended]);
  const address = email !== "" && <bdi dir="ltr">{email}</bdi>;
  const left = email === "" ? t("unsubscribed.erased") : t("unsubscribed.body");
  const texts = {
    editing: { title: t("title"), body: t("lead") },
    unknown: { title: t("unknown.title"), body: t("unknown.body") },
    unsubscribed: { title: t("unsubscribed.title"), body: left },
  }[state];
  return (
    <header className="preferences-head">
      <h1 tabIndex={-1} ref={heading}>
        {texts.title}
      </h1>
      <p>
        {texts.body} {state === "unsubscribed" && address}
      </p>
      {/* Reserves its space, so that nothing moves when the address arrives. */}
      {!ended && (
        <p className="preferences-head__to">
          {email !== "" && t("sentTo")} {address}
        </p>
      )}
    </header>
  );
}

type TroubleProps = { trouble: PreferencesTrouble | undefined; loaded: boolean };

function TroubleText({ trouble, loaded }: TroubleProps) {
  const { t } = useTranslation("newsletter-preferences");
  if (trouble === "network") return t("network");
  return loaded ? t("failed") : t("notLoaded");
}

/** Moves focus to the result of a press, because the disabled button loses it. */
function useFocusOnResult(saved: boolean, trouble: PreferencesTrouble | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (trouble === "topicRequired")
      form.current?.querySelector<HTMLElement>("[name=topics]")?.focus();
    else if (saved || trouble !== undefined) notice.current?.focus();
  }, [saved, trouble]);
  return { form, notice };
}

const formId = "preferences";

function Leaving({ busy, leaving }: { busy: boolean; leaving: boolean }) {
  const { t } = useTranslation("newsletter-preferences");
  return (
    <section className="preferences-leave" aria-labelledby="leave-title">
      <div>
        <h2 id="leave-title">{t("leave.title")}</h2>
        <p>{t("leave.body")}</p>
      </div>
      <Button
        type="submit"
        form={formId}
        name={leaveField}
        value="yes"
        disabled={busy}
        data-track="preferences-leave"
      >
        {leaving ? t("leave.leaving") : t("leave.press")}
      </Button>
    </section>
  );
}

/**
 * Without scripts the stored preferences cannot be loaded: the form begins with the defaults and posts
 * to the page's own address, which has the token.
 */
function Editing({ snapshot, events }: { snapshot?: Snapshot; events?: Machine["events"] }) {
  const { t } = useTranslation("newsletter-preferences");
  const language = useLanguage();
  const state = snapshot?.value;
  const trouble = snapshot?.context.trouble;
  const busy = state === "saving" || state === "leaving";
  const { form, notice } = useFocusOnResult(state === "saved", trouble);
  const failed = trouble !== undefined && trouble !== "topicRequired";
  useErrorTitle(trouble !== undefined);
  const defaults = { ...subscriptionDefaults.footer_form.preferences, language };
  return (
    <div className={snapshot ? undefined : "preferences-form--plain"}>
      {!snapshot && <p className="preferences-form__note">{t("plain")}</p>}
      <form
        id={formId}
        className="preferences-form"
        method="post"
        noValidate
        ref={form}
        aria-busy={busy}
        {...events}
      >
        <fieldset className="preferences-form__all" disabled={busy}>
          <PreferenceFields
            preferences={snapshot?.context.subscriber ?? defaults}
            topicMissing={trouble === "topicRequired"}
          />
          <div className="preferences-form__press">
            <Button type="submit" variant="solid" data-track="preferences-save">
              {state === "saving" ? t("saving") : t("save")}
            </Button>
          </div>
        </fieldset>
        <Notice kind="success" ref={state === "saved" ? notice : null}>
          {state === "saved" && t("saved")}
        </Notice>
        <Notice kind="error" ref={failed ? notice : null}>
          {failed && <TroubleText trouble={trouble} loaded />}
        </Notice>
      </form>
      <Leaving busy={busy} leaving={state === "leaving"} />
    </div>
  );
}

type EndedProps = { state: "unsubscribed" | "unknown"; email: string; ways: Ways };

function Ended({ state, email, ways }: EndedProps) {
  return (
    <>
      <Head state={state} email={email} />
      {state === "unknown" && <NewLinkForm />}
      <p className="preferences-form__ways">
        {state === "unsubscribed" && ways.again}
        {ways.home}
      </p>
    </>
  );
}

type LoadedProps = { token: string; ways: Ways; again: () => void };

function Unreached({ trouble, again }: { trouble: PreferencesTrouble; again: () => void }) {
  const { t } = useTranslation("newsletter-preferences");
  return (
    <div className="preferences-form__unreached">
      <Notice kind="error">
        <TroubleText trouble={trouble} loaded={false} />
      </Notice>
      <Button variant="solid" onClick={again} data-track="preferences-retry">
        {t("again")}
      </Button>
    </div>
  );
}

function Loading() {
  const { t } = useTranslation("newsletter-preferences");
  return <output className="preferences-form__loading">{t("loading")}</output>;
}

function usePreferences(token: string) {
  const open = useCallback(
    async () => (await import("./preferences.machine.ts")).createPreferencesActor(token),
    [token],
  );
  const { snapshot, unreachable, load, events } = useFormMachine<Snapshot>(open);
  useEffect(load, [load]);
  const trouble = snapshot?.value === "unreached" ? snapshot.context.trouble : undefined;
  const unreached: PreferencesTrouble | undefined = unreachable ? "network" : trouble;
  return { snapshot, unreached, events };
}

function Loaded({ token, ways, again }: LoadedProps) {
  const { snapshot, unreached, events } = usePreferences(token);
  const { value: state = "loading", context } = snapshot ?? {};
  const email = context?.subscriber?.email ?? "";
  if (state === "unsubscribed" || state === "unknown")
    return <Ended state={state} email={email} ways={ways} />;
  return (
    <>
      <Head state="editing" email={email} />
      {unreached && <Unreached trouble={unreached} again={again} />}
      {!unreached && state === "loading" && <Loading />}
      {snapshot && email !== "" && <Editing snapshot={snapshot} events={events} />}
    </>
  );
}

type PreferencesFormProps = {
  /** The query of the page's address; empty until hydration. */
  search: string;
  /** Links for a former subscriber and for an invalid token. */
  ways: Ways;
};

/** The preferences of a subscriber, opened by the link of any issue mail. */
export function PreferencesForm({ search, ways }: PreferencesFormProps) {
  const [attempt, setAttempt] = useState(0);
  const hydrated = useHydrated();
  const token = hydrated ? tokenInQuery(search) : undefined;
  if (token !== undefined)
    return <Loaded key={attempt} token={token} ways={ways} again={() => setAttempt(attempt + 1)} />;
  if (hydrated) return <Ended state="unknown" email="" ways={ways} />;
  return (
    <>
      <Head state="editing" email="" />
      <Loading />
      <Editing />
    </>
  );
}
