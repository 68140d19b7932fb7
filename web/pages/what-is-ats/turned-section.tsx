import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import "./turned-section.css";

type RowProps = { label: string; note: string; written: ReactNode; read: ReactNode };

function TurnedRow({ label, note, written, read }: RowProps) {
  const { t } = useTranslation("what-is-ats");
  return (
    <li className="turned__row">
      <div className="turned__label">
        <h3>{label}</h3>
        <p>{note}</p>
      </div>
      <dl>
        <div>
          <dt>{t("turned.written")}</dt>
          <dd>{written}</dd>
        </div>
        <div>
          <dt>{t("turned.read")}</dt>
          <dd className="turned__wrong">{read}</dd>
        </div>
      </dl>
    </li>
  );
}

function Code({ children }: { children: string }) {
  return <bdi dir="ltr">{children}</bdi>;
}

function Hebrew({ children }: { children: string }) {
  return (
    <bdi lang="he" dir="rtl">
      {children}
    </bdi>
  );
}

export function TurnedSection() {
  const { t } = useTranslation("what-is-ats");
  return (
    <section className="turned page-width" aria-labelledby="turned-title">
      <div className="turned__head">
        <h2 id="turned-title">{t("turned.title")}</h2>
        <p>{t("turned.body")}</p>
      </div>
      <ul className="turned__rows">
        <TurnedRow
          label={t("turned.name.label")}
          note={t("turned.name.note")}
          written={<Hebrew>{t("turned.name.written.hebrew")}</Hebrew>}
          read={<Hebrew>{t("turned.name.read.hebrew")}</Hebrew>}
        />
        <TurnedRow
          label={t("turned.email.label")}
          note={t("turned.email.note")}
          written={<Code>{t("turned.email.written")}</Code>}
          read={<Code>{t("turned.email.read")}</Code>}
        />
        <TurnedRow
          label={t("turned.phone.label")}
          note={t("turned.phone.note")}
          written={<Code>{t("turned.phone.written")}</Code>}
          read={<Code>{t("turned.phone.read")}</Code>}
        />
      </ul>
      <div className="turned__measured">
        <h3>{t("turned.measured.title")}</h3>
        <p>{t("turned.measured.body")}</p>
        <p className="turned__limit">{t("turned.measured.limit")}</p>
      </div>
    </section>
  );
}
