import { useSelector } from "@xstate/react";
import type { i18n } from "i18next";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";

import textsEn from "../../i18n/en/consent-settings.json";
import textsHe from "../../i18n/he/consent-settings.json";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Switch } from "../../ui/switch/switch.tsx";
import { type ConsentEvent, consentStatus, receiptPath } from "./consent-choice.ts";
import type { ConsentActor } from "./consent-store.ts";
import { OwnDataSection, storedAnonymousId } from "./own-data.tsx";

import "./consent-settings.css";

/** Both languages come with the code, so that one request decides whether the settings open. */
export function addSettingsTexts(translator: i18n): void {
  translator.addResourceBundle("en", "consent-settings", textsEn);
  translator.addResourceBundle("he", "consent-settings", textsHe);
}

function Receipt({ id }: { id: string }) {
  const { t } = useTranslation("consent-settings");
  return (
    <p className="consent-settings__receipt">
      {t("settings.receipt")}{" "}
      <a href={`${receiptPath}/${id}`} dir="auto">
        {t("settings.receiptLink", { id })}
      </a>
    </p>
  );
}

type ChoicesProps = { actor: ConsentActor; analytics: boolean; locked: boolean };

function Choices({ actor, analytics, locked }: ChoicesProps) {
  const { t } = useTranslation(["consent", "consent-settings"]);
  return (
    <div className="consent-settings__choices">
      <Button onClick={() => actor.send({ type: "reject.all" })}>{t("rejectAll")}</Button>
      <Button disabled={locked} onClick={() => actor.send({ type: "accept.all" })}>
        {t("acceptAll")}
      </Button>
      <Button variant="solid" onClick={() => actor.send({ type: "save", analytics })}>
        {t("consent-settings:settings.save")}
      </Button>
    </div>
  );
}

/** A browser signal locks analytics off. */
export function ConsentSettings({ actor }: { actor: ConsentActor }) {
  const { t } = useTranslation("consent-settings");
  const { choice, terms } = useSelector(actor, ({ context }) => context);
  const [analytics, setAnalytics] = useState(consentStatus(choice, terms) === "granted");
  const locked = terms.signal !== undefined;
  const anonymousId = useMemo(() => storedAnonymousId(), []);
  const [erased, setErased] = useState(false);
  const noteErased = useCallback(() => setErased(true), []);
  // The erasure withdrew the consent on the server; here it ends with the dialog, which says so.
  const close = (event: ConsentEvent): void => actor.send(erased ? { type: "reject.all" } : event);
  return (
    <Dialog
      title={t("settings.title")}
      closeLabel={t("settings.close")}
      onClose={() => close({ type: "settings.dismissed" })}
      onBackdrop={() => close({ type: "backdrop.clicked" })}
    >
      <p>{t("settings.intro")}</p>
      {locked && <p className="consent-settings__notice">{t("settings.signal")}</p>}
      <div className="consent-settings__switches">
        <Switch
          name={t("essential.title")}
          body={t("essential.body")}
          checked
          disabled
          onToggle={() => undefined}
        />
        <Switch
          name={t("analytics.title")}
          body={t("analytics.body")}
          checked={analytics}
          disabled={locked}
          onToggle={() => setAnalytics(!analytics)}
        />
      </div>
      {!erased && <Choices actor={actor} analytics={analytics} locked={locked} />}
      {anonymousId !== undefined && (
        <OwnDataSection anonymousId={anonymousId} onErased={noteErased} />
      )}
      {choice !== undefined && !erased && (
        <footer className="consent-settings__foot">
          {choice.receiptId !== undefined && <Receipt id={choice.receiptId} />}
          <Button variant="text" onClick={() => actor.send({ type: "reset" })}>
            {t("settings.reset")}
          </Button>
        </footer>
      )}
    </Dialog>
  );
}
