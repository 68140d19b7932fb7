import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { instantText } from "../instant-text.ts";
import type { Reviewed } from "./console-queries.ts";

type Props = { relation: Reviewed["relation"]; form: NonNullable<Reviewed["form"]> };

/** What shows that the sender of a form may ask, and what is missing. */
export function FormFacts({ relation, form }: Props) {
  const { t } = useTranslation("privacy-console");
  const language = useLanguage();
  const { isAccount, needsReview, text, checks, objectionUntil, approvedBy } = form;
  const time = (at: string) => instantText(language, at);
  const checked = checks.map(({ check, at }) => (
    <li key={`${check} ${at}`}>
      {t(`form.checks.${check}`)} · <time dateTime={at}>{time(at)}</time>
    </li>
  ));
  const facts = [
    { term: t("form.relation"), value: relation === null ? "" : t(`form.relations.${relation}`) },
    { term: t("form.about"), value: t(isAccount ? "form.account" : "form.mailbox") },
    { term: t("form.text"), value: text ? <bdi>{text}</bdi> : t("form.nothing") },
    ...(needsReview
      ? [
          {
            term: t("form.checked"),
            value: checks.length === 0 ? t("form.uncheckedYet") : <ul>{checked}</ul>,
          },
          {
            term: t("form.objection"),
            value: objectionUntil === null ? t("form.notNotified") : time(objectionUntil),
          },
          { term: t("form.approvals"), value: t("form.approved", { count: approvedBy.length }) },
        ]
      : []),
  ];
  return (
    <dl className="privacy-review__facts">
      {facts.map(({ term, value }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
