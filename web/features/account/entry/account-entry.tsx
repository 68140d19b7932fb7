import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router-dom";

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

type AccountEntryProps = { title: string; lead: string; children?: ReactNode };

/** The layout of the pages that lead into an account. */
export function AccountEntry({ title, lead, children }: AccountEntryProps) {
  return (
    <div className="account-entry page-width">
      <div className="account-entry__words">
        <h1 tabIndex={-1}>{title}</h1>
        <p className="account-entry__lead">{lead}</p>
        {children}
      </div>
      <InvitationCard />
    </div>
  );
}

/** A mailed link that opens nothing: why, and what to do instead. */
export function EndedLink({ ended, children }: { ended: boolean; children: ReactNode }) {
  const { t } = useTranslation(["account", "account-entry"]);
  return (
    <div className="account-entry__ended">
      <p className="account-entry__lead">
        {ended ? t("account-entry:link.ended") : t("account-entry:link.unknown")}
      </p>
      <p>{ended ? t("account-entry:link.endedBody") : t("account-entry:link.unknownBody")}</p>
      <div className="account-entry__actions">{children}</div>
    </div>
  );
}

/** The token of a mailed link. It is in the fragment of the address, which no server receives. */
export function useMailedToken(): string | undefined {
  const { hash } = useLocation();
  return new URLSearchParams(hash.slice(1)).get("token") ?? undefined;
}
