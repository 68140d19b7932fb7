import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

import { CallFailure, queryAnswer } from "../../api-client/query-answer.ts";
import { siteApi } from "../../api-client/request.ts";
import { startArea } from "../../app/signed-in/start.tsx";
import type { PageTexts } from "../../i18n/translations.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { DataView, type FailureText } from "../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";

/** The signed-in area with features of its own: what the journeys need before the product has them. */
const text = (english: string, hebrew: string): string =>
  document.documentElement.lang === "he" ? hebrew : english;

const receiptId = "0f8fad5b-d9cb-469f-a165-70867728950e";

function describe(cause: Error | "offline"): FailureText {
  if (cause === "offline") return { title: text("There is no connection", "אין חיבור לרשת") };
  if (cause instanceof CallFailure && cause.status === 403) {
    return { title: text("Not your decisions", "ההחלטות של מישהו אחר"), denied: true };
  }
  return { title: text("The decisions could not be loaded", "לא הצלחנו לטעון את ההחלטות") };
}

function Decisions({ withdrawn, onClear }: { withdrawn: boolean; onClear: () => void }) {
  const query = useQuery({
    queryKey: ["decisions"],
    queryFn: () =>
      queryAnswer(siteApi().call("GET /api/consent/history/:receiptId", { params: { receiptId } })),
    select: ({ entries }) =>
      entries.filter(({ decision }) => !withdrawn || decision === "withdrawn"),
  });
  return (
    <DataView
      query={query}
      texts={{
        loading: text("The decisions are being loaded", "ההחלטות נטענות"),
        retry: text("Try again", "לנסות שוב"),
        clearFilter: text("Clear the filter", "לנקות את הסינון"),
        outdated: (since) => text(`As of ${since.toISOString()}`, `נכון ל־${since.toISOString()}`),
      }}
      skeleton={<Skeleton shape="row" count={2} />}
      isEmpty={(entries) => entries.length === 0}
      empty={{ title: text("No decisions yet", "אין עדיין החלטות") }}
      filter={
        withdrawn
          ? { title: text("Nothing was withdrawn", "אין החלטות שבוטלו"), onClear }
          : undefined
      }
      describe={describe}
      partial={(entries) =>
        entries.some(({ notice }) => notice === null)
          ? text("Some texts are missing", "חלק מהנוסחים חסרים")
          : undefined
      }
    >
      {(entries) => (
        <ul>
          {entries.map((entry) => (
            <li key={entry.receiptId}>{`${entry.decision} ${entry.position}`}</li>
          ))}
        </ul>
      )}
    </DataView>
  );
}

/** Asks for something too, so that its call may be refused. */
function SignInPage() {
  return (
    <>
      <PageHeader title={text("Sign in", "כניסה")} />
      <Decisions withdrawn={false} onClear={() => undefined} />
    </>
  );
}

function DecisionsPage() {
  const [withdrawn, setWithdrawn] = useState(false);
  return (
    <>
      <PageHeader
        title={text("Decisions", "החלטות")}
        actions={
          <Button aria-pressed={withdrawn} onClick={() => setWithdrawn(true)}>
            {text("Only withdrawn", "רק מה שבוטל")}
          </Button>
        }
      />
      <Decisions withdrawn={withdrawn} onClear={() => setWithdrawn(false)} />
    </>
  );
}

function page(path: string, title: string, content: () => ReactNode) {
  const handle: PageTexts = { namespaces: ["account"], title: () => title };
  return { path, Component: content, handle };
}

const plain = (path: string, title: string) =>
  page(path, title, () => <PageHeader title={title} />);

startArea({
  open: [page("/login", text("Sign in", "כניסה"), SignInPage)],
  guarded: [
    page("/links", text("Decisions", "החלטות"), DecisionsPage),
    plain("/cv", text("CVs", "קורות חיים")),
    plain("/cv/:id", text("One CV", "קורות חיים אחד")),
    plain("/account/privacy", text("Privacy", "פרטיות")),
  ],
  navigation: [
    { path: "/links", icon: "link", label: () => text("Decisions", "החלטות") },
    { path: "/cv", icon: "document", label: () => text("CVs", "קורות חיים") },
    { path: "/account/privacy", icon: "shield", label: () => text("Privacy", "פרטיות") },
  ],
});
