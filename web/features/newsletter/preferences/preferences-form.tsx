import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { useHydrated } from "../../../ui/hydration/use-hydrated.ts";
import { Notice } from "../../../ui/notice/notice.tsx";
import { tokenInQuery } from "../token-in-query.ts";
import { PlainPreferences } from "./plain-preferences.tsx";
import { PreferenceFields } from "./preference-fields.tsx";
import type { PreferencesPlace, PreferencesView } from "./preferences-view.ts";
import { usePreferences } from "./use-preferences.ts";

import "./preferences-form.css";

type PreferencesFormProps = {
  /** The query of the page's address; empty until hydration. */
  search: string;
  /** Links for a former subscriber and for an invalid token. */
  ways: { again: ReactNode; home: ReactNode };
};

function useHeadTexts({ place, subscriber }: PreferencesView) {
  const { t } = useTranslation("newsletter-preferences");
  const known = subscriber.email !== "";
  if (place === "unknown") return { title: t("unknown.title"), body: t("unknown.body") };
  if (place === "unsubscribed")
    return {
      title: t("unsubscribed.title"),
      body: known ? t("unsubscribed.body") : t("unsubscribed.erased"),
    };
  return { title: t("title"), body: t("lead") };
}

function Address({ email }: { email: string }) {
  return email !== "" && <bdi dir="ltr">{email}</bdi>;
}

/** Reserves its space, so that nothing moves when the address arrives. */
function SentTo({ email }: { email: string }) {
  const { t } = useTranslation("newsletter-preferences");
  return (
    <p className="preferences-head__to">
      {email !== "" && t("sentTo")} <Address email={email} />
    </p>
  );
}

function Head({ view }: { view: PreferencesView }) {
  const { title, body } = useHeadTexts(view);
  const heading = useRef<HTMLHeadingElement>(null);
  const ended = view.place === "unsubscribed" || view.place === "unknown";
  useEffect(() => {
    if (ended) heading.current?.focus();
  }, [ended]);
  const { email } = view.subscriber;
  return (
    <header className="preferences-head">
      <h1 tabIndex={-1} ref={heading}>
        {title}
      </h1>
      <p>
        {body} {view.place === "unsubscribed" && <Address email={email} />}
      </p>
      {!ended && <SentTo email={email} />}
    </header>
  );
}

function Trouble({ view }: { view: PreferencesView }) {
  const { t } = useTranslation("newsletter-preferences");
  if (view.trouble === "network") return t("network");
  return view.place === "unreached" ? t("notLoaded") : t("failed");
}

const editable: readonly PreferencesPlace[] = ["ready", "saving", "saved", "leaving"];

/** Moves focus to the result of a press, because the disabled button loses it. */
function useFocusOnResult({ place, trouble }: PreferencesView) {
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (trouble === "topicRequired")
      form.current?.querySelector<HTMLElement>("[name=topics]")?.focus();
    else if (place === "saved" || trouble !== undefined) notice.current?.focus();
  }, [place, trouble]);
  return { form, notice };
}

function Editing({
  view,
  page,
}: {
  view: PreferencesView;
  page: ReturnType<typeof usePreferences>;
}) {
  const { t } = useTranslation("newsletter-preferences");
  const { place, subscriber, trouble } = view;
  const busy = place === "saving" || place === "leaving";
  const { form, notice } = useFocusOnResult(view);
  const failed = trouble !== undefined && trouble !== "topicRequired";
  return (
    <>
      <form className="preferences-form" noValidate ref={form} aria-busy={busy} {...page.events}>
        <fieldset className="preferences-form__all" disabled={busy}>
          <PreferenceFields preferences={subscriber} topicMissing={trouble === "topicRequired"} />
          <div className="preferences-form__press">
            <Button type="submit" look="solid" data-track="preferences-save">
              {place === "saving" ? t("saving") : t("save")}
            </Button>
          </div>
        </fieldset>
        <Notice kind="success" ref={place === "saved" ? notice : null}>
          {place === "saved" && t("saved")}
        </Notice>
        <Notice kind="error" ref={failed ? notice : null}>
          {failed && <Trouble view={view} />}
        </Notice>
      </form>
      <section className="preferences-leave" aria-labelledby="leave-title">
        <div>
          <h2 id="leave-title">{t("leave.title")}</h2>
          <p>{t("leave.body")}</p>
        </div>
        <Button disabled={busy} onClick={page.leave} data-track="preferences-leave">
          {place === "leaving" ? t("leave.leaving") : t("leave.press")}
        </Button>
      </section>
    </>
  );
}

/** The preferences of a subscriber, opened by the link of any issue mail. */
export function PreferencesForm({ search, ways }: PreferencesFormProps) {
  const { t } = useTranslation("newsletter-preferences");
  const hydrated = useHydrated();
  const token = hydrated ? tokenInQuery(search) : undefined;
  const page = usePreferences(token);
  const lost = hydrated && token === undefined;
  const view: PreferencesView = lost ? { ...page.view, place: "unknown" } : page.view;
  const { place } = view;
  return (
    <>
      <Head view={view} />
      {(place === "waiting" || place === "loading") && (
        <output className="preferences-form__loading">{t("loading")}</output>
      )}
      {!hydrated && <PlainPreferences />}
      {place === "unreached" && (
        <div className="preferences-form__unreached">
          <Notice kind="error">
            <Trouble view={view} />
          </Notice>
          <Button look="solid" onClick={page.again} data-track="preferences-retry">
            {t("again")}
          </Button>
        </div>
      )}
      {editable.includes(place) && <Editing view={view} page={page} />}
      {(place === "unsubscribed" || place === "unknown") && (
        <p className="preferences-form__ways">
          {place === "unsubscribed" && ways.again}
          {ways.home}
        </p>
      )}
    </>
  );
}
