import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { useLaunch } from "../../features/pricing/launch.ts";
import { buttonClass } from "../../ui/button/button.tsx";

import "./about-header.css";
import "./aims-section.css";
import "./next-section.css";
import "./story-section.css";
import "./team-section.css";
import "./values-section.css";

const days = Array.from({ length: 15 }, (_, day) => day);
const opened = [2, 3, 7, 8, 12];

/** A line of 14 days with marks on some of them. */
function Fortnight({ marks }: { marks: readonly number[] }) {
  return (
    <svg className="about-header__line" viewBox="0 0 600 34" aria-hidden="true">
      <path d="M0 24H600" />
      {days.map((day) => (
        <path d={`M${10 + day * 41} 20v8`} key={day} />
      ))}
      {marks.map((day) => (
        <circle cx={10 + day * 41} cy="10" r="6" key={day} />
      ))}
    </svg>
  );
}

/** Two weeks without an answer, and the same two weeks with one. */
function Header() {
  const { t } = useTranslation("about");
  return (
    <header className="about-header page-width">
      <h1 tabIndex={-1}>{t("title")}</h1>
      <p className="about-header__lead">{t("lead")}</p>
      <div className="about-header__weeks">
        <figure>
          <Fortnight marks={[]} />
          <figcaption>{t("weeks.silent")}</figcaption>
        </figure>
        <figure>
          <Fortnight marks={opened} />
          <figcaption>{t("weeks.answered")}</figcaption>
        </figure>
      </div>
    </header>
  );
}

function Aims() {
  const { t } = useTranslation("about");
  return (
    <div className="aims">
      <div className="page-width aims__grid">
        {(["mission", "vision"] as const).map((aim) => (
          <section className={`aims__${aim}`} aria-labelledby={`${aim}-title`} key={aim}>
            <h2 id={`${aim}-title`}>{t(`${aim}.term`)}</h2>
            <p>{t(`${aim}.body`)}</p>
          </section>
        ))}
      </div>
    </div>
  );
}

function Story() {
  const { t } = useTranslation("about");
  const { sentence } = useLaunch();
  return (
    <section className="story page-width" aria-labelledby="story-title">
      <h2 id="story-title">{t("story.title")}</h2>
      <div className="story__text">
        <p className="story__opening">{t("story.opening")}</p>
        <p>{t("story.body")}</p>
        <p>{t("story.more")}</p>
        <p>
          {t("story.now")} {sentence}
        </p>
      </div>
    </section>
  );
}

const evidence: Record<string, string> = {
  accessibility: "/accessibility",
  privacy: "/privacy",
  innovation: "/#record",
};

/** A link to evidence for a value; for two languages the switch above is the evidence. */
function Proof({ id, children }: { id: string; children: ReactNode }) {
  const to = evidence[id];
  if (to === undefined) return children;
  return (
    <Link to={to} data-track={`about-${id}`}>
      {children}
    </Link>
  );
}

function Values() {
  const { t } = useTranslation("about");
  return (
    <section className="rules" aria-labelledby="values-title">
      <div className="page-width">
        <h2 id="values-title">{t("values.title")}</h2>
        <ul className="rules__list">
          {Object.entries(t("values.items", { returnObjects: true })).map(
            ([id, { term, body, proof }]) => (
              <li className="rules__rule" key={id}>
                <h3>{term}</h3>
                <p>{body}</p>
                <p className="rules__proof">
                  <Proof id={id}>{proof}</Proof>
                </p>
              </li>
            ),
          )}
        </ul>
      </div>
    </section>
  );
}

/** The work, without names and portraits, because nothing is invented here. */
function Team() {
  const { t } = useTranslation("about");
  return (
    <section className="team page-width" aria-labelledby="team-title">
      <div className="team__head">
        <h2 id="team-title">{t("team.title")}</h2>
        <p>{t("team.intro")}</p>
        <p className="team__note">{t("team.note")}</p>
        <p className="team__note">
          {t("team.heads.text")}{" "}
          <Link to="/ledger-heads" data-track="about-heads">
            {t("team.heads.link")}
          </Link>
        </p>
      </div>
      <ul className="team__roles">
        {Object.values(t("team.roles", { returnObjects: true })).map(({ role, work }) => (
          <li key={role}>
            <strong>{role}</strong> <span>{work}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Next() {
  const { t } = useTranslation("about");
  return (
    <section className="next" aria-labelledby="next-title">
      <div className="page-width next__row">
        <div>
          <h2 id="next-title">{t("next.title")}</h2>
          <p>{t("next.body")}</p>
        </div>
        <p className="next__links">
          <Link className={buttonClass("solid")} to="/contact" data-track="about-contact">
            {t("next.contact")}
          </Link>
          <Link className={buttonClass()} to="/" data-track="about-home">
            {t("next.home")}
          </Link>
        </p>
      </div>
    </section>
  );
}

export function Page() {
  return (
    <>
      <Header />
      <Aims />
      <Story />
      <Values />
      <Team />
      <Next />
    </>
  );
}
