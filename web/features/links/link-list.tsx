import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { Button } from "../../ui/button/button.tsx";
import { OpenedMark } from "../../ui/opened-mark/opened-mark.tsx";
import type { AllInsights } from "../link-opens.ts";
import { changeOf, CopyLink, QrDialog, useLinkActions } from "./link-actions.tsx";
import { pathOf, type ShareLink } from "./link-queries.ts";
import { useLinkTexts } from "./link-texts.ts";

import "./links.css";

type Known = AllInsights["links"][number];

/** Opens of 14 days, a bar each; said in words beside it. */
function RecentBars({ recent }: { recent: readonly number[] }) {
  const highest = Math.max(1, ...recent);
  return (
    <svg
      className="links__bars"
      viewBox={`0 0 ${recent.length * 6} 24`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {recent.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(3, (count / highest) * 24);
        const place = `${index}`;
        return (
          <rect
            key={place}
            data-opened={count > 0}
            x={index * 6}
            y={24 - height}
            width={4}
            height={height}
          />
        );
      })}
    </svg>
  );
}

/** What is known of the opens of one link, or what helps until there is one. */
function Opened({ known }: { known: Known | undefined }) {
  const { t } = useTranslation("links");
  const { opens, time } = useLinkTexts();
  if (known === undefined) return null;
  if (known.lastAt === null) return <p className="links__quiet">{t("list.notOpened")}</p>;
  const recent = known.recent.reduce((sum, count) => sum + count, 0);
  return (
    <div className="links__opened">
      <RecentBars recent={known.recent} />
      <p>
        {t("list.recent", { opens: opens(recent) })}
        <br />
        <span className="links__quiet">{t("list.last", { time: time(known.lastAt) })}</span>
      </p>
    </div>
  );
}

type EntryProps = { link: ShareLink; known: Known | undefined; onQr: () => void };

function Entry({ link, known, onQr }: EntryProps) {
  const { t } = useTranslation("links");
  const { target, number } = useLinkTexts();
  const actions = useLinkActions();
  const change = changeOf(link);
  const title = (
    <Link to={`/links/${link.linkId}`}>
      <bdi>{link.label}</bdi>
    </Link>
  );
  const fresh = known?.fresh ?? 0;
  return (
    <li className="links__entry" data-closed={link.status !== "active"}>
      <div className="links__what">
        <h2 className="links__label">{fresh > 0 ? <OpenedMark>{title}</OpenedMark> : title}</h2>
        {fresh > 0 && (
          <span className="links__fresh">
            {t("list.fresh", { count: fresh, shown: number(fresh) })}
          </span>
        )}
        <p className="links__target">
          <bdi>{target(link)}</bdi>
        </p>
        <p className="links__quiet">
          <bdi dir="ltr">{pathOf(link)}</bdi> · {t(`status.${link.status}`)}
          {link.locked && ` · ${t("list.locked")}`}
        </p>
      </div>
      <Opened known={known} />
      <div className="links__actions">
        <CopyLink link={link} />
        <Button onClick={onQr}>
          {t("qr.action")} <span className="visually-hidden">{link.label}</span>
        </Button>
        {change !== undefined && (
          <Button variant="text" onClick={() => void actions[change](link)}>
            {t(`${change}.action`)} <span className="visually-hidden">{link.label}</span>
          </Button>
        )}
      </div>
    </li>
  );
}

type LinkListProps = {
  links: readonly ShareLink[];
  /** Undefined until they are known, and where the plan has none. */
  insights: AllInsights | undefined;
  /** Beside something else: what belongs to a link stands below its name. */
  narrow?: boolean;
};

/** Links with what is known of their opens, and everything that is done with one. */
export function LinkList({ links, insights, narrow = false }: LinkListProps) {
  const { t } = useTranslation("links");
  const [shown, setShown] = useState<ShareLink>();
  const known = new Map(insights?.links.map((one) => [one.linkId, one]));
  return (
    <>
      <ul className="links__list" data-narrow={narrow} aria-label={t("title")}>
        {links.map((link) => (
          <Entry
            key={link.linkId}
            link={link}
            known={known.get(link.linkId)}
            onQr={() => setShown(link)}
          />
        ))}
      </ul>
      {shown !== undefined && <QrDialog link={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
