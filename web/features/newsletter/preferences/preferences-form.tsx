import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { useHydrated } from "../../../ui/hydration/use-hydrated.ts";
import { Notice } from "../../../ui/notice/notice.tsx";
import { useFormMachine } from "../../form-machine.ts";
import { tokenInQuery } from "../token-in-query.ts";
import { NewLinkForm } from "./new-link-form.tsx";
import { Editing, type Snapshot } from "./preferences-editing.tsx";
import type { PreferencesTrouble } from "./preferences.machine.ts";

import "./preferences-form.css";

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
      <Notice kind="error">{t(trouble === "network" ? "network" : "notLoaded")}</Notice>
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
