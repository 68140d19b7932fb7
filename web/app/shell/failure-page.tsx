import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button, buttonClass } from "../../ui/button/button.tsx";
import { StatePage } from "./state-page.tsx";

/** A page that could not be loaded or rendered. The button loads its address as a new document. */
export function FailurePage() {
  const { t } = useTranslation("shell");
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    document.title = t("titleWithBrand", { title: t("failure.title") });
    place.current?.querySelector("h1")?.focus();
  }, [t]);
  return (
    <div ref={place} className="static">
      <StatePage title={t("failure.title")} body={t("failure.body")}>
        <Button variant="solid" onClick={() => location.reload()}>
          {t("failure.again")}
        </Button>
        <a className={buttonClass("text")} href="/">
          {t("footer.home")}
        </a>
      </StatePage>
    </div>
  );
}
