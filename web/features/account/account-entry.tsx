import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { buttonClass } from "../../ui/button/button.tsx";

import "./account-entry.css";

/** A folded card that has not been sent: the seal is only outlined. */
function InvitationCard() {
  return (
    <svg className="account-entry__card" viewBox="0 0 320 240" aria-hidden="true">
      <path d="M20 52H300V220H20Z" />
      <path d="M20 52L160 148L300 52" />
      <path className="account-entry__fold" d="M20 220L122 124M300 220L198 124" />
      <circle className="account-entry__seal" cx="160" cy="148" r="30" />
    </svg>
  );
}

type AccountEntryProps = {
  title: string;
  lead: string;
  /** Where a visitor without an account gets one, if that is another page. */
  join: string | undefined;
  children?: ReactNode;
};

/** The layout of the pages that lead into an account. */
export function AccountEntry({ title, lead, join, children }: AccountEntryProps) {
  const { t } = useTranslation("account");
  return (
    <div className="account-entry page-width">
      <div className="account-entry__words">
        <h1 tabIndex={-1}>{title}</h1>
        <p className="account-entry__lead">{lead}</p>
        {children}
        <p className="account-entry__actions">
          {join !== undefined && (
            <a className={buttonClass("solid")} href={join}>
              {t("entry.join")}
            </a>
          )}
          <a className={buttonClass("text")} href="/pricing">
            {t("entry.pricing")}
          </a>
        </p>
        <p className="account-entry__contact">
          {t("entry.question")} <a href="/contact">{t("entry.contact")}</a>
        </p>
      </div>
      <InvitationCard />
    </div>
  );
}
