import type { ParseKeys } from "i18next";
import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { privacyAddress } from "../legal/addresses.ts";
import { type Clause, readClauses } from "../legal/clauses.tsx";
import { LegalPage } from "../legal/legal-page.tsx";
import { MailLine } from "../legal/mail-line.tsx";
import { OpenSettings } from "../legal/open-settings.tsx";
import { CategoryTable } from "./category-table.tsx";

const clauses: readonly Clause<ParseKeys<"do-not-sell">>[] = [
  { id: "choice", title: "choice.title", text: ["choice.body"] },
  { id: "meaning", title: "meaning.title", text: ["meaning.body", "meaning.statement"] },
  { id: "signals", title: "signals.title", text: ["signals.body"] },
  { id: "categories", title: "categories.title", text: ["categories.body"] },
  {
    id: "rights",
    title: "rights.title",
    text: ["rights.body", "rights.time", "rights.agent", "rights.equal"],
  },
];

function HowToAsk() {
  const { t } = useTranslation("do-not-sell");
  return (
    <>
      <MailLine label={t("rights.write")} address={privacyAddress} />
      <p>
        <Link to="/privacy#rights">{t("rights.more")}</Link>
      </p>
    </>
  );
}

export function DoNotSellPage() {
  const { t } = useTranslation("do-not-sell");
  const sections = readClauses(clauses, (key) => t(key), {
    choice: <OpenSettings look="solid" />,
    categories: <CategoryTable />,
    rights: <HowToAsk />,
  });
  return <LegalPage title={t("title")} lead={t("lead")} sections={sections} />;
}
