import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Tabs } from "../../../ui/tabs/tabs.tsx";
import { CopyButton } from "../security/recovery-codes.tsx";

const text =
  "SELECT channel, count() AS visits FROM sessions WHERE day >= {from:Date} GROUP BY channel";
const parameters = { from: "2026-11-01" };

/** The same question in three languages, and as tools of ClickHouse ask it. The token is read from the environment: in a program it would be seen. */
function snippets(origin: string) {
  const address = `${origin}/api/v1/analytics/queries`;
  return {
    curl: `curl ${address}.csv \\
  -H "Authorization: Bearer $PRO_TALENT_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d "{\\"queryId\\":\\"$(uuidgen)\\",
    \\"text\\":\\"${text}\\",
    \\"parameters\\":{\\"from\\":\\"${parameters.from}\\"}}"`,
    python: `import os, uuid, requests

answer = requests.post(
    "${address}",
    headers={"Authorization": "Bearer " + os.environ["PRO_TALENT_TOKEN"]},
    json={
        "queryId": str(uuid.uuid4()),
        "text": "${text}",
        "parameters": {"from": "${parameters.from}"},
    },
)
answer.raise_for_status()
print(answer.json()["rows"])`,
    javascript: `const answer = await fetch("${address}", {
  method: "POST",
  headers: {
    authorization: \`Bearer \${process.env.PRO_TALENT_TOKEN}\`,
    "content-type": "application/json",
  },
  body: JSON.stringify({
    queryId: crypto.randomUUID(),
    text: "${text}",
    parameters: { from: "${parameters.from}" },
  }),
});
if (!answer.ok) throw new Error(await answer.text());
console.table((await answer.json()).rows);`,
    clickhouse: `curl ${origin}/api/v1/analytics/clickhouse \\
  -u "analyst:$PRO_TALENT_TOKEN" \\
  -d "SELECT channel, count() AS visits FROM sessions
    WHERE day >= '${parameters.from}' GROUP BY channel"`,
  } as const;
}

const languages = {
  curl: "curl",
  python: "Python",
  javascript: "JavaScript",
  clickhouse: "ClickHouse",
} as const;
const names = ["curl", "python", "javascript", "clickhouse"] as const;

/** What a program of an analyst sends, ready to be copied. */
export function AnalystUse() {
  const { t } = useTranslation("account-api");
  const [shown, setShown] = useState<string>("curl");
  const programs = snippets(location.origin);
  return (
    <section className="settings__part" aria-labelledby="api-analyst">
      <div className="settings__intro">
        <h2 id="api-analyst" className="settings__title">
          {t("analystUse.title")}
        </h2>
        <p className="settings__note">{t("analystUse.lead")}</p>
      </div>
      <div className="settings__content">
        <Tabs
          label={t("analystUse.languages")}
          selected={shown}
          onSelect={setShown}
          items={names.map((name) => ({
            id: name,
            title: languages[name],
            content: (
              <figure className="api-example">
                <pre className="api-example__text" dir="ltr">
                  {programs[name]}
                </pre>
                <CopyButton text={programs[name]} label={t("analystUse.copy")} />
              </figure>
            ),
          }))}
        />
      </div>
    </section>
  );
}
