import { useTranslation } from "react-i18next";

import { StaticSections } from "../../app/loaded.tsx";
import { privacySections } from "../../app/routes.ts";
import { Link } from "../../app/routing.ts";
import { LegalPage } from "../legal/legal-page.tsx";
import {
  legalSections,
  LegalTable,
  MailLine,
  OpenSettings,
  privacyAddress,
} from "../legal/legal-parts.tsx";

type Answer = "yes" | "no" | "never" | "daily";

/** What a visit records without consent and with it, by the id of its row. */
const recorded: Record<string, readonly [without: Answer, consented: Answer]> = {
  page: ["daily", "yes"],
  clicks: ["daily", "yes"],
  title: ["no", "yes"],
  position: ["no", "yes"],
  device: ["no", "yes"],
  place: ["no", "yes"],
  id: ["no", "yes"],
  address: ["never", "never"],
};

function RecordedTable() {
  const { t } = useTranslation("privacy");
  const { caption, columns, answers, ...texts } = t("recorded", { returnObjects: true });
  const rows: Record<string, string> = texts.rows;
  const positive = [answers.yes, answers.daily];
  return (
    <LegalTable
      caption={caption}
      columns={columns}
      rows={Object.fromEntries(
        Object.entries(recorded).map(([id, [without, consented]]) => [
          id,
          { what: rows[id] ?? "", without: answers[without], with: answers[consented] },
        ]),
      )}
      render={(text, column) =>
        column === 0 ? (
          text
        ) : (
          <span className={positive.includes(text) ? "legal-table__yes" : "legal-table__no"}>
            {text}
          </span>
        )
      }
    />
  );
}

/** The retention table must agree with infra/docs/data-assets.md. */
export function Page() {
  const { t } = useTranslation("privacy");
  const sections = legalSections(t("sections", { returnObjects: true }), {
    recorded: <RecordedTable />,
    // The licence of the location database requires this line.
    "with-consent": (
      <p className="legal__aside">
        {t("more.credit")} <a href="https://db-ip.com">{t("more.creditLink")}</a>
      </p>
    ),
    withdraw: <OpenSettings />,
    newsletter: <StaticSections sections={privacySections} className="static" />,
    storage: (
      <p>
        <Link className="legal__link" to="/cookie-policy">
          {t("more.storage")}
        </Link>
      </p>
    ),
    purposes: <LegalTable {...t("purposes", { returnObjects: true })} />,
    retention: <LegalTable {...t("retention", { returnObjects: true })} />,
    requests: (
      <>
        <p>
          <Link className="legal__link" to="/privacy/request">
            {t("more.form")}
          </Link>
        </p>
        <MailLine label={t("more.requests")} address={privacyAddress} />
      </>
    ),
    contact: <MailLine label={t("more.contact")} address={privacyAddress} />,
  });
  const facts = t("facts", { returnObjects: true });
  return (
    <LegalPage title={t("title")} lead={t("lead")} facts={facts} numbered sections={sections} />
  );
}
