import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

type Name = "held" | "consents" | "requests" | "export" | "correct" | "delete" | "elsewhere";

/** One part of the page, with the code that is loaded for it. */
export function Part({ name, children }: { name: Name; children: ReactNode }) {
  const { t } = useTranslation("account-privacy");
  return (
    <section className="settings__part" aria-labelledby={`privacy-${name}`}>
      <div className="settings__intro">
        <h2 id={`privacy-${name}`} className="settings__title">
          {t(`${name}.title`)}
        </h2>
        <p className="settings__note">{t(`${name}.lead`)}</p>
      </div>
      {children}
    </section>
  );
}
