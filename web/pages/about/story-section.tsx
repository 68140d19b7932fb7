import { useTranslation } from "react-i18next";

import "./story-section.css";

export function StorySection() {
  const { t } = useTranslation("about");
  return (
    <section className="story page-width" aria-labelledby="story-title">
      <h2 id="story-title">{t("story.title")}</h2>
      <div className="story__text">
        <p className="story__opening">{t("story.opening")}</p>
        <p>{t("story.body")}</p>
        <p>{t("story.more")}</p>
        <p>{t("story.now")}</p>
      </div>
    </section>
  );
}
