import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { Breadcrumb } from "../../ui/breadcrumb/breadcrumb.tsx";
import { buttonClass } from "../../ui/button/button.tsx";
import { CreedSection } from "./creed-section.tsx";
import { MarkSection } from "./mark-section.tsx";
import { RootSection } from "./root-section.tsx";
import { TaglinesSection } from "./taglines-section.tsx";
import { WordsSection } from "./words-section.tsx";

import "./pro-talent-meaning-page.css";

function Head() {
  const { t } = useTranslation(["pro-talent-meaning", "shell"]);
  return (
    <header className="meaning-head page-width">
      <Breadcrumb
        label={t("shell:breadcrumb.label")}
        above={[{ id: "home", link: <Link to="/">{t("shell:breadcrumb.home")}</Link> }]}
        current={t("crumb")}
      />
      <h1 tabIndex={-1}>{t("title")}</h1>
      <p>{t("lead")}</p>
    </header>
  );
}

export function ProTalentMeaningPage() {
  const { t } = useTranslation("pro-talent-meaning");
  return (
    <article className="meaning">
      <Head />
      <WordsSection />
      <MarkSection />
      <RootSection />
      <TaglinesSection />
      <CreedSection />
      <p className="meaning__links page-width">
        <Link className={buttonClass("solid")} to="/signup" data-track="meaning-signup">
          {t("next.signup")}
        </Link>
        <Link className={buttonClass("text")} to="/about" data-track="meaning-about">
          {t("next.about")}
        </Link>
      </p>
    </article>
  );
}
