import { useTranslation } from "react-i18next";

import { buttonClass } from "../../../ui/button/button.tsx";
import { LinkedText } from "../../../ui/linked-text/linked-text.tsx";
import { Link } from "../../routing.ts";
import { nextSteps, type NextStep, outcomes } from "./outcomes.ts";
import { useOutcomeWords } from "./use-outcome-words.ts";

import "./answer-page.css";

const supportEmail = "support@protalent.example";

function NextLink({ step }: { step: NextStep }) {
  const { t } = useTranslation("answer");
  const words = { home: t("next.home"), signup: t("next.signup"), contact: t("next.contact") };
  const to = { home: "/", signup: "/signup", contact: "/contact" }[step];
  return (
    <Link className={buttonClass("outline")} to={to} data-track={`answer-${step}`}>
      {words[step]}
    </Link>
  );
}

function Outcomes() {
  const words = useOutcomeWords();
  return outcomes.map((outcome) => (
    <section
      key={outcome}
      id={outcome}
      className="answer__outcome"
      aria-labelledby={`${outcome}-title`}
      tabIndex={-1}
    >
      <h2 id={`${outcome}-title`}>{words[outcome].title}</h2>
      <p>
        <LinkedText
          text={words[outcome].body}
          phrases={[{ text: supportEmail, href: `mailto:${supportEmail}` }]}
        />
      </p>
      <NextLink step={nextSteps[outcome]} />
    </section>
  ));
}

/**
 * Where a form leads that was sent without scripts. The address names the part that is shown, so
 * that the page needs neither scripts nor a server that remembers.
 */
export function AnswerPage() {
  const { t } = useTranslation("answer");
  return (
    <div className="answer page-width">
      <h1 tabIndex={-1}>{t("title")}</h1>
      <Outcomes />
      <section className="answer__outcome answer__outcome--none" aria-labelledby="none-title">
        <h2 id="none-title">{t("none.title")}</h2>
        <p>{t("none.body")}</p>
        <NextLink step="home" />
      </section>
    </div>
  );
}
