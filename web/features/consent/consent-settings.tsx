import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Switch } from "../../ui/switch/switch.tsx";
import type { ConsentProcess } from "./consent-process.ts";
import { receiptPath } from "./receipt-path.ts";

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

function Choices({ actor, locked }: { actor: ConsentProcess; locked: boolean }) {
  const { t } = useTranslation("consent");
  return (
    <div className="consent-settings__choices">
      <Button onClick={() => actor.send({ type: "reject.all" })}>{t("rejectAll")}</Button>
      <Button disabled={locked} onClick={() => actor.send({ type: "accept.all" })}>
        {t("acceptAll")}
      </Button>
      <Button look="solid" onClick={() => actor.send({ type: "save" })}>
        {t("settings.save")}
      </Button>
    </div>
  );
}

/** A browser signal locks analytics off. */
export function ConsentSettings({ actor }: { actor: ConsentProcess }) {
  const { t } = useTranslation("consent");
  const context = useSelector(actor, (snapshot) => snapshot.context);
  const locked = context.signal !== undefined;
  return (
    <Dialog
      title={t("settings.title")}
      closeLabel={t("settings.close")}
      onClose={() => actor.send({ type: "settings.dismissed" })}
      onBackdrop={() => actor.send({ type: "backdrop.clicked" })}
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
          checked={context.draft}
          disabled={locked}
          onToggle={() => actor.send({ type: "analytics.toggled" })}
        />
      </div>
      <Choices actor={actor} locked={locked} />
      {context.given && (
        <footer className="consent-settings__foot">
          {context.receiptId !== undefined && <Receipt id={context.receiptId} />}
          <Button look="text" onClick={() => actor.send({ type: "reset" })}>
            {t("settings.reset")}
          </Button>
        </footer>
      )}
    </Dialog>
  );
}
