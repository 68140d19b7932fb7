import type { LedgerHeads } from "@pro-talent/schemas/ledger/heads";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import { siteApi } from "../../api-client/request.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { LegalPage } from "../legal/legal-page.tsx";
import { legalSections } from "../legal/legal-parts.tsx";

import "./ledger-heads.css";

/** Two days of heads, one an hour; the call lists a week. */
const shownMax = 48;

const command = "npm run ledger:verify -- --head heads.jsonl";

type Asked = { heads: LedgerHeads | "loading" | "failed"; retry: () => void };

async function loadHeads(): Promise<LedgerHeads | "failed"> {
  try {
    const result = await siteApi().call("GET /api/ledger/heads", {});
    return (result.ok ? result.answer : undefined) ?? "failed";
  } catch {
    return "failed";
  }
}

/** The heads; `retry` asks again after a failure. */
function useHeads(): Asked {
  const [heads, setHeads] = useState<Asked["heads"]>("loading");
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    let wanted = true;
    void loadHeads().then((answer) => {
      if (wanted) setHeads(answer);
    });
    return () => {
      wanted = false;
    };
  }, [attempt]);
  const retry = () => {
    setHeads("loading");
    setAttempt(attempt + 1);
  };
  return { heads, retry };
}

function HeadTable({ heads }: { heads: LedgerHeads["heads"] }) {
  const { t } = useTranslation("ledger-heads");
  const language = useLanguage();
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  return (
    <table className="legal-table legal-table--stacked ledger-heads">
      <caption className="visually-hidden">{t("table.caption")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("table.at")}</th>
          <th scope="col">{t("table.position")}</th>
          <th scope="col">{t("table.hash")}</th>
        </tr>
      </thead>
      <tbody>
        {heads.slice(0, shownMax).map(({ epoch, position, hash, at }) => (
          <tr key={`${epoch} ${position}`}>
            <th scope="row">
              <time dateTime={at}>{time.format(new Date(at))}</time>
            </th>
            <td data-column={t("table.position")}>{position.toLocaleString(language)}</td>
            <td data-column={t("table.hash")}>
              <code dir="ltr">{hash}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The newest heads, in each of the states in which they can be. */
function Heads({ heads, retry }: Asked): ReactNode {
  const { t } = useTranslation("ledger-heads");
  if (heads === "loading") return <output>{t("loading")}</output>;
  if (heads === "failed") {
    return (
      <div role="alert">
        <p>{t("failed")}</p>
        <Button onClick={retry}>{t("retry")}</Button>
      </div>
    );
  }
  if (heads.heads.length === 0) return <output>{t("none")}</output>;
  return <HeadTable heads={heads.heads} />;
}

function Keys({ heads }: Pick<Asked, "heads">) {
  if (typeof heads === "string") return null;
  return heads.keys.map((key) => (
    <p key={key}>
      <code className="ledger-heads__key" dir="ltr">
        {key}
      </code>
    </p>
  ));
}

/**
 * The public record of the ledger's signed heads: with an earlier one at hand, a rewrite of what it
 * covers shows.
 */
export function Page() {
  const { t } = useTranslation("ledger-heads");
  const asked = useHeads();
  const sections = legalSections(t("sections", { returnObjects: true }), {
    newest: <Heads {...asked} />,
    key: <Keys heads={asked.heads} />,
    check: (
      <>
        <pre className="ledger-heads__command" dir="ltr">
          {command}
        </pre>
        <p>
          <a className="legal__link" href="/api/ledger/heads">
            {t("raw")}
          </a>
        </p>
      </>
    ),
  });
  return <LegalPage title={t("title")} lead={t("lead")} sections={sections} />;
}
