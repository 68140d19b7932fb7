import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { LegalPage } from "../legal/legal-page.tsx";
import {
  legalSections,
  LegalTable,
  MailLine,
  OpenSettings,
  privacyAddress,
} from "../legal/legal-parts.tsx";

/** The categories are those of California law that occur here. */
export function Page() {
  const { t } = useTranslation("do-not-sell");
  const sections = legalSections(t("sections", { returnObjects: true }), {
    choice: <OpenSettings variant="solid" />,
    categories: <LegalTable {...t("categories", { returnObjects: true })} />,
    rights: (
      <>
        <MailLine label={t("more.write")} address={privacyAddress} />
        <p>
          <Link className="legal__link" to="/privacy/request">
            {t("more.form")}
          </Link>
        </p>
        <p>
          <Link className="legal__link" to="/privacy#rights">
            {t("more.rights")}
          </Link>
        </p>
      </>
    ),
  });
  return <LegalPage title={t("title")} lead={t("lead")} sections={sections} />;
}
