import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import type { ConsentActor } from "../../features/consent/consent-actor.ts";
import { allowsAnalytics } from "../../features/consent/consent-choice.ts";

/** Announces what was saved. The live region exists before its text, as screen readers require. */
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
