import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import type { ConsentActor } from "../../features/consent/consent-actor.ts";
import { allowsAnalytics } from "../../features/consent/consent-choice.ts";

/** Says aloud what has just been saved; it stands in the page before there is anything to say. */
export function StatusLine({ actor }: { actor: ConsentActor }) {
  const { t } = useTranslation("consent");
  const [saved, setSaved] = useState<"granted" | "denied">();
  useEffect(
    () =>
      actor.listen((event) => {
        if (event.type !== "preferences.changed") return;
        setSaved(allowsAnalytics(event.preferences) ? "granted" : "denied");
      }),
    [actor],
  );
  return (
    <output className="visually-hidden">
      {saved === "granted" && t("saved.granted")}
      {saved === "denied" && t("saved.denied")}
    </output>
  );
}
