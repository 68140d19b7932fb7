import type { Account } from "@pro-talent/schemas/accounts/calls";
import type { Role, staffRoles } from "@pro-talent/schemas/primitives/access";
import { useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { useAccount } from "../../../features/account-query.ts";
import { cvsQuery } from "../../../features/cvs-query.ts";
import { daysOf, todayIn } from "../../../features/days-in-query.ts";
import { isolated } from "../../../features/isolated.ts";
import { allInsightsQuery, linksQuery } from "../../../features/link-opens.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { buttonClass } from "../../../ui/button/button.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { OpenedMark } from "../../../ui/opened-mark/opened-mark.tsx";
import { usePartView } from "./tracker-sheets.tsx";

function protectionOf({ totp, passkeys }: Account, t: TFunction<"dashboard">): string {
  if (passkeys > 0) return t("account.withPasskey");
  return totp ? t("account.withApp") : t("account.passwordOnly");
}

const isStaffRole = (role: Role): role is (typeof staffRoles)[number] => role !== "holder";

/** What the account is, as on the cover of a file. */
export function AccountSheet({ account }: { account: Account }) {
  const { t } = useTranslation("dashboard");
  const language = useLanguage();
  const { timeZone, handle } = account.profile;
  const since = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone });
  const held = account.roles.filter(isStaffRole).map((role) => t(`roles.${role}`));
  const rows = [
    { name: t("account.email"), value: account.email },
    ...(handle === null ? [] : [{ name: t("account.handle"), value: `/p/${handle}` }]),
    { name: t("account.zone"), value: timeZone.replaceAll("_", " ") },
    { name: t("account.protection"), value: protectionOf(account, t) },
    ...(held.length === 0 ? [] : [{ name: t("account.roles"), value: held.join(", ") }]),
  ];
  return (
    <section className="account-sheet" aria-labelledby="account-sheet">
      <h2 id="account-sheet" className="account-sheet__title">
        {t("account.title")}
      </h2>
      <dl className="account-sheet__rows">
        {rows.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <p className="account-sheet__since">
        {t("account.since", { date: since.format(new Date(account.createdAt)) })}
      </p>
    </section>
  );
}

/** So many links are named; the others are on their page. */
const linksNamed = 5;

/** What was opened since the last look. */
export function OpenedSheet() {
  const { t } = useTranslation("dashboard");
  const { timeZone } = useAccount().profile;
  const language = useLanguage();
  const days = daysOf({ preset: "30d" }, todayIn(timeZone));
  const insights = useQuery(allInsightsQuery({ ...days, zone: timeZone }));
  const { data: own } = useQuery(linksQuery);
  const view = usePartView();
  const numbers = new Intl.NumberFormat(language);
  return (
    <section className="account-sheet" aria-labelledby="opened-sheet">
      <h2 id="opened-sheet" className="account-sheet__title">
        {t("opened.title")}
      </h2>
      <DataView {...view} query={insights}>
        {({ links }) => {
          const fresh = links.filter((link) => link.fresh > 0);
          const count = fresh.reduce((sum, link) => sum + link.fresh, 0);
          if (count === 0) return <p>{t("opened.none")}</p>;
          return (
            <>
              <p>{t("opened.fresh", { count, shown: numbers.format(count) })}</p>
              <ul className="account-sheet__links">
                {fresh.slice(0, linksNamed).map(({ linkId }) => (
                  <li key={linkId}>
                    <OpenedMark>
                      <Link to={`/links/${linkId}`}>
                        <bdi>{own?.links.find((link) => link.linkId === linkId)?.label}</bdi>
                      </Link>
                    </OpenedMark>
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </DataView>
      <Link className={buttonClass()} to="/links">
        {t("opened.action")}
      </Link>
    </section>
  );
}

/** The CV that was written last, or the way to the first. */
export function CvSheet() {
  const { t } = useTranslation("dashboard");
  const { timeZone } = useAccount().profile;
  const cvs = useQuery(cvsQuery);
  const day = new Intl.DateTimeFormat(useLanguage(), { dateStyle: "long", timeZone });
  const view = usePartView();
  return (
    <section className="account-sheet" aria-labelledby="cv-sheet">
      <h2 id="cv-sheet" className="account-sheet__title">
        {t("cv.title")}
      </h2>
      <DataView {...view} query={cvs}>
        {({ cvs: all }) => {
          const [latest] = all
            .filter(({ archivedAt }) => archivedAt === null)
            .toSorted((one, other) => (one.savedAt < other.savedAt ? 1 : -1));
          if (latest === undefined)
            return (
              <>
                <p>{t("cv.none")}</p>
                <Link className={buttonClass()} to="/cv">
                  {t("cv.begin")}
                </Link>
              </>
            );
          const saved = day.format(new Date(latest.savedAt));
          return (
            <>
              <p>{t("cv.latest", { title: isolated(latest.title), date: saved })}</p>
              <Link className={buttonClass()} to={`/cv/${latest.cvId}`}>
                {t("cv.open")}
              </Link>
            </>
          );
        }}
      </DataView>
    </section>
  );
}
