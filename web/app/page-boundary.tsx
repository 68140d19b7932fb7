import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../ui/button/button.tsx";

function PageFailure() {
  const { t } = useTranslation("shell");
  return (
    <div className="page-width page-failure">
      <h1>{t("failure.title")}</h1>
      <p>{t("failure.body")}</p>
      <Button look="solid" onClick={() => location.reload()}>
        {t("failure.again")}
      </Button>
    </div>
  );
}

type State = { failed: boolean };

/** Shows a fallback when a page cannot be loaded or rendered; header and footer stay. */
export class PageBoundary extends Component<{ children: ReactNode }, State> {
  override readonly state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <PageFailure /> : this.props.children;
  }
}
