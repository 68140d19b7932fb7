import type { ParseKeys } from "i18next";
import { useTranslation } from "react-i18next";

import { formatDate } from "../../i18n/format.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { StaticHtml } from "../../ui/hydration/static-html.tsx";
import { accessibilityAddress } from "../legal/addresses.ts";
import { type Clause, readClauses } from "../legal/clauses.tsx";
import { LegalPage, legalUpdated } from "../legal/legal-page.tsx";
import { MailLine } from "../legal/mail-line.tsx";
import { KeyTable } from "./key-table.tsx";

const clauses: readonly Clause<ParseKeys<"accessibility">>[] = [
  { id: "standard", title: "standard.title", text: ["standard.body", "standard.law"] },
  {
    id: "done",
    title: "done.title",
    text: [
      [
        "done.keyboard",
        "done.structure",
        "done.contrast",
        "done.zoom",
        "done.forms",
        "done.motion",
        "done.languages",
        "done.scripts",
      ],
    ],
  },
  { id: "keys", title: "keys.title", text: [] },
  { id: "testing", title: "testing.title", text: ["testing.body"] },
  {
    id: "limits",
    title: "limits.title",
    text: [["limits.readers", "limits.people", "limits.builder", "limits.others"]],
  },
  { id: "help", title: "help.title", text: ["help.body", "help.time"] },
  { id: "complaint", title: "complaint.title", text: ["complaint.body"] },
  { id: "date", title: "date.title", text: [] },
];

function LastReviewed() {
  const { t } = useTranslation("accessibility");
  return <p>{t("date.body", { date: formatDate(useLanguage(), legalUpdated) })}</p>;
}

export function AccessibilityPage() {
  const { t } = useTranslation("accessibility");
  const language = useLanguage();
  const sections = readClauses(clauses, (key) => t(key), {
    keys: <KeyTable />,
    help: <MailLine label={t("help.coordinator")} address={accessibilityAddress} />,
    date: (
      <StaticHtml key={language}>
        <LastReviewed />
      </StaticHtml>
    ),
  });
  return <LegalPage title={t("title")} lead={t("lead")} sections={sections} />;
}
