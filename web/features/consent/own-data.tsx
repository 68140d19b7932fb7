import { useMachine } from "@xstate/react";
import { useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";

import { anonymousIdKey } from "../../analytics/identity-store.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { type OwnData, ownDataMachine } from "./own-data.machine.ts";

/** The id under which something may be stored; undefined when this browser keeps none. */
export function storedAnonymousId(): string | undefined {
  try {
    return localStorage.getItem(anonymousIdKey) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Saves the answer as a file, exactly as it came. */
function save(data: OwnData): void {
  const address = URL.createObjectURL(
    new Blob([JSON.stringify(data, undefined, 2)], { type: "application/json" }),
  );
  const link = document.createElement("a");
  link.href = address;
  link.download = "pro-talent-analytics.json";
  link.click();
  URL.revokeObjectURL(address);
}

/** Visits and opens of shared links in one list, the newest first. */
function recordsOf({ events, opens }: OwnData) {
  const visited = events.map((event) => ({
    id: event.event_id,
    kind: event.kind,
    page: event.page,
    at: event.occurred_at,
    place: [event.city, event.country],
    device: [event.browser, event.os],
  }));
  const opened = opens.map((open, index) => ({
    id: `open-${index}`,
    kind: "open" as const,
    page: "",
    at: open.occurred_at,
    place: [open.city, open.country],
    device: [open.browser, open.os],
  }));
  return [...visited, ...opened].toSorted((one, other) => (one.at < other.at ? 1 : -1));
}

/** A region that scrolls has to be reached by the keyboard. */
const scrollRegion = { role: "region", tabIndex: 0 } as const;

function Stored({ data }: { data: OwnData }) {
  const { t } = useTranslation("consent-settings");
  const language = useLanguage();
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const number = new Intl.NumberFormat(language);
  const records = recordsOf(data);
  const count = data.eventsStored + data.opens.length;
  const first = [data.firstAt ?? undefined, data.opens.at(-1)?.occurred_at]
    .filter((at) => at !== undefined)
    .toSorted();
  if (first[0] === undefined) return <p>{t("own.nothing")}</p>;
  return (
    <>
      <p>
        {t("own.summary", {
          count,
          shown: number.format(count),
          since: time.format(Date.parse(first[0])),
        })}
      </p>
      <div className="own-data__scroll" aria-label={t("own.table")} {...scrollRegion}>
        <table>
          <thead>
            <tr>
              {(["at", "kind", "page", "place", "device"] as const).map((column) => (
                <th key={column} scope="col">
                  {t(`own.columns.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {records.map(({ id, kind, page, at, place, device }) => (
              <tr key={id}>
                <th scope="row">{time.format(Date.parse(at))}</th>
                <td>{t(`own.kinds.${kind}`)}</td>
                <td>
                  <bdi dir="ltr">{page}</bdi>
                </td>
                <td>
                  <bdi>{place.filter((part) => part !== "").join(", ")}</bdi>
                </td>
                <td>
                  <bdi>{device.filter((part) => part !== "").join(", ")}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Button onClick={() => save(data)}>{t("own.save")}</Button>
    </>
  );
}

type OwnDataProps = { anonymousId: string; onErased: () => void };

/** What was collected in this browser: shown, saved as a file, erased. */
export function OwnDataSection({ anonymousId, onErased }: OwnDataProps) {
  const { t } = useTranslation("consent-settings");
  const [snapshot, send] = useMachine(ownDataMachine, { input: { anonymousId } });
  const id = useId();
  const place = useRef<HTMLElement>(null);
  const state = snapshot.value;
  useEffect(() => {
    if (state === "erased") onErased();
    // The button that was pressed is gone.
    if (state !== "closed") place.current?.focus();
  }, [state, onErased]);
  const isAsking = state === "asking" || state === "erasing" || state === "unerased";
  const isBusy = state === "erasing" || state === "reading";
  return (
    <section ref={place} className="own-data" tabIndex={-1} aria-labelledby={id} aria-busy={isBusy}>
      <h3 id={id}>{t("own.title")}</h3>
      <Notice kind="success">{state === "erased" && t("own.erased")}</Notice>
      <Notice kind="error">{state === "unread" && t("own.unread")}</Notice>
      <Notice kind="error">{state === "unerased" && t("own.unerased")}</Notice>
      {state === "closed" && <p>{t("own.body")}</p>}
      {state === "shown" && snapshot.context.data && <Stored data={snapshot.context.data} />}
      {isAsking && <p>{t("own.ask")}</p>}
      {state !== "erased" && (
        <div className="own-data__acts">
          {isAsking ? (
            <>
              <Button disabled={isBusy} onClick={() => send({ type: "confirm" })}>
                {t("own.confirm")}
              </Button>
              <Button variant="text" disabled={isBusy} onClick={() => send({ type: "keep" })}>
                {t("own.keep")}
              </Button>
            </>
          ) : (
            <>
              {state !== "shown" && (
                <Button disabled={isBusy} onClick={() => send({ type: "show" })}>
                  {t("own.show")}
                </Button>
              )}
              <Button variant="text" disabled={isBusy} onClick={() => send({ type: "erase" })}>
                {t("own.erase")}
              </Button>
            </>
          )}
        </div>
      )}
    </section>
  );
}
