import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Switch } from "../../ui/switch/switch.tsx";
import { receiptPath } from "./consent-choice.ts";
import { type ConsentStore, useConsent } from "./consent-store.ts";

import "./consent-settings.css";

function Receipt({ id }: { id: string }) {
  const { t } = useTranslation("consent");
  return (
    <p className="consent-settings__receipt">
      {t("settings.receipt")}{" "}
      <a href={`${receiptPath}/${id}`} dir="auto">
        {t("settings.receiptLink", { id })}
      </a>
    </p>
  );
}

type ChoicesProps = { consent: ConsentStore; analytics: boolean; locked: boolean };

function Choices({ consent, analytics, locked }: ChoicesProps) {
  const { t } = useTranslation("consent");
  return (
    <div className="consent-settings__choices">
      <Button onClick={() => consent.send({ type: "reject.all" })}>{t("rejectAll")}</Button>
      <Button disabled={locked} onClick={() => consent.send({ type: "accept.all" })}>
        {t("acceptAll")}
      </Button>
      <Button look="solid" onClick={() => consent.send({ type: "save", analytics })}>
        {t("settings.save")}
      </Button>
    </div>
  );
}

/** A browser signal locks analytics off. */
export function ConsentSettings({ consent }: { consent: ConsentStore }) {
  const { t } = useTranslation("consent");
  const { choice } = useConsent(consent);
  const [analytics, setAnalytics] = useState(consent.status === "granted");
  const locked = consent.signal !== undefined;
  return (
    <Dialog
      title={t("settings.title")}
      closeLabel={t("settings.close")}
      onClose={() => consent.send({ type: "settings.dismissed" })}
      onBackdrop={() => consent.send({ type: "backdrop.clicked" })}
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
      <Choices consent={consent} analytics={analytics} locked={locked} />
      {choice !== undefined && (
        <footer className="consent-settings__foot">
          {choice.receiptId !== undefined && <Receipt id={choice.receiptId} />}
          <Button look="text" onClick={() => consent.send({ type: "reset" })}>
            {t("settings.reset")}
          </Button>
        </footer>
      )}
    </Dialog>
  );
}
