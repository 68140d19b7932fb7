import { Button } from "../button/button.tsx";
import type { Example, ExampleText } from "../example.ts";
import { Skeleton } from "../skeleton/skeleton.tsx";
import { DataView } from "./data-view.tsx";
import type { QueryState } from "./view-of.ts";

type Rows = readonly string[];
type Shown = { text: ExampleText; state: Partial<QueryState<Rows>>; filtered?: boolean };

class DeniedError extends Error {}

const idle: QueryState<Rows> = {
  data: undefined,
  error: null,
  fetchStatus: "idle",
  dataUpdatedAt: Date.UTC(2026, 0, 13, 14, 21),
  isPlaceholderData: false,
};

const failureTitle = (text: ExampleText): string =>
  text("Your links could not be loaded", "לא הצלחנו לטעון את הקישורים");

function Links({ text, state, filtered = false }: Shown) {
  return (
    <DataView
      query={{ ...idle, ...state, refetch: () => Promise.resolve() }}
      texts={{
        loading: text("Your links are being loaded", "הקישורים נטענים"),
        retry: text("Try again", "לנסות שוב"),
        clearFilter: text("Clear the filter", "לנקות את הסינון"),
        outdated: (since) => {
          const time = since.toISOString().slice(11, 16);
          return text(`As of ${time}. It could not be updated.`, `נכון ל־${time}. העדכון נכשל.`);
        },
      }}
      skeleton={<Skeleton shape="row" count={2} />}
      isEmpty={(rows) => rows.length === 0}
      empty={{
        title: text("No share links yet", "עדיין אין קישורים לשיתוף"),
        body: text("Each employer gets a link of its own.", "לכל מעסיק קישור משלו."),
        action: <Button variant="solid">{text("Create a link", "ליצור קישור")}</Button>,
      }}
      filter={
        filtered
          ? {
              title: text("No link matches “Orion”", "אין קישור שמתאים ל־״Orion״"),
              onClear: () => undefined,
            }
          : undefined
      }
      describe={(cause) => {
        if (cause === "offline") return { title: text("There is no connection", "אין חיבור לרשת") };
        if (cause instanceof DeniedError)
          return {
            title: text("These links belong to another account", "הקישורים שייכים לחשבון אחר"),
            denied: true,
          };
        return {
          title: failureTitle(text),
          body: text("Nothing is lost.", "שום דבר לא אבד."),
          support: { label: text("Quote to support:", "מזהה לתמיכה:"), id: cause.message },
        };
      }}
      partial={(rows) =>
        rows.length > 2
          ? text("Opens of the last minutes are still missing.", "הפתיחות מהדקות האחרונות חסרות.")
          : undefined
      }
    >
      {(rows) => (
        <ul>
          {rows.map((row) => (
            <li key={row}>
              <bdi>{row}</bdi>
            </li>
          ))}
        </ul>
      )}
    </DataView>
  );
}

const rows = ["Acme", "Orion"];
const states: readonly (Omit<Shown, "text"> & { name: string })[] = [
  { name: "loading", state: { fetchStatus: "fetching" } },
  { name: "empty at first", state: { data: [] } },
  { name: "empty by a filter", state: { data: [] }, filtered: true },
  { name: "outdated", state: { data: rows, error: new Error("503") } },
  { name: "shown in part", state: { data: [...rows, "Vega"] } },
  { name: "the previous answer", state: { data: rows, isPlaceholderData: true } },
  { name: "failed", state: { error: new Error("7f3a-91c2") } },
  { name: "offline", state: { fetchStatus: "paused" } },
  { name: "not allowed", state: { error: new DeniedError("403") } },
];

export const examples: readonly Example[] = states.map(({ name, ...shown }) => ({
  name,
  draw: (text) => <Links text={text} {...shown} />,
}));
