import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router-dom";

import { CallFailure } from "../../api-client/query-answer.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { instantText } from "../instant-text.ts";
import { useViewTexts } from "../view-texts.ts";
import { type Reviewed, reviewQuery } from "./console-queries.ts";
import { CopyReviewActs } from "./copy-review-acts.tsx";
import { Entry } from "./copy-review-entry.tsx";
import {
  type Collected,
  collectedQuery,
  entriesQuery,
  type Redaction,
  type Store,
} from "./copy-review-queries.ts";

import "./privacy-console.css";
import "./copy-review.css";

/** A view whose failure may be that what was collected is lost. */
function useReviewTexts(loading: string) {
  const { t } = useTranslation("copy-review");
  const { texts, describe } = useViewTexts(loading);
  return {
    texts,
    describe: (cause: Error | "offline") =>
      cause instanceof CallFailure && cause.status === 410
        ? { title: t("lost"), body: t("errors.lost"), denied: true }
        : describe(cause),
  };
}

type EntriesProps = {
  requestId: string;
  collected: Collected;
  draft: readonly Redaction[];
  reason: Redaction["reason"];
  onDraft: ((draft: Redaction[]) => void) | undefined;
};

function StoreField({
  stores,
  chosen,
  onChoose,
}: Pick<Collected, "stores"> & { chosen: Store; onChoose: (store: Store) => void }) {
  const { t } = useTranslation(["copy-review", "account-privacy"]);
  return (
    <Field id="copy-review-store" label={t("store")} hint={t("storeHint")}>
      {(control) => (
        <Select
          {...control}
          value={chosen}
          onChange={({ target }) => {
            const one = stores.find(({ store }) => store === target.value);
            if (one !== undefined) onChoose(one.store);
          }}
        >
          {stores.map(({ store, entries, byOthers }) => (
            <option key={store} value={store}>
              {t(byOthers ? "storeByOthers" : "storeOwn", {
                name: t(`account-privacy:held.sections.${store}`),
                count: entries,
              })}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** What was collected of one store, some entries at a time. */
function Entries({ requestId, collected, draft, reason, onDraft }: EntriesProps) {
  const { t } = useTranslation("copy-review");
  const { stores } = collected;
  const first = stores.find(({ byOthers }) => byOthers) ?? stores[0];
  const [store, setStore] = useState<Store>(first?.store ?? "profile");
  const [pages, setPages] = useState<readonly number[]>([0]);
  const from = pages.at(-1) ?? 0;
  const query = useQuery(entriesQuery(requestId, collected.collected, store, from));
  const { texts, describe } = useReviewTexts(t("loading"));
  return (
    <>
      {stores.length > 0 && (
        <StoreField
          stores={stores}
          chosen={store}
          onChoose={(one) => {
            setStore(one);
            setPages([0]);
          }}
        />
      )}
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="block" count={2} />}
        isEmpty={({ entries }) => entries.length === 0}
        empty={{ title: t("empty") }}
        describe={describe}
        partial={({ next }) => (next === null && from === 0 ? undefined : t("some"))}
      >
        {({ entries, next }) => (
          <div className="copy-review">
            <ul className="copy-review__entries">
              {entries.map((entry) => (
                <Entry
                  key={`${store} ${entry.entry}`}
                  entry={entry}
                  marking={{ store, reason, redactions: draft, onChange: onDraft }}
                />
              ))}
            </ul>
            <div className="privacy-review__acts">
              {pages.length > 1 && (
                <Button onClick={() => setPages(pages.slice(0, -1))}>{t("before")}</Button>
              )}
              {next !== null && (
                <Button onClick={() => setPages([...pages, next])}>{t("after")}</Button>
              )}
            </div>
          </div>
        )}
      </DataView>
    </>
  );
}

/** The newest proposal, until this officer changes it. */
function useDraft(collected: Collected | undefined) {
  const [draft, setDraft] = useState<Redaction[]>([]);
  const proposed = collected?.proposal?.redactions;
  const number = `${collected?.collected} ${collected?.revision}`;
  useEffect(() => {
    setDraft(proposed ?? []);
    // Each proposal is taken over once: what is marked since stays.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the number names the proposal
  }, [number]);
  return [draft, setDraft] as const;
}

function Review({ request }: { request: Reviewed }) {
  const { t } = useTranslation("copy-review");
  const language = useLanguage();
  const { requestId } = request;
  const query = useQuery(collectedQuery(requestId));
  const [draft, setDraft] = useDraft(query.data);
  const [reason, setReason] = useState<Redaction["reason"]>("other-person");
  const { texts, describe } = useReviewTexts(t("loading"));
  const isMine = request.lease?.mine === true;
  return (
    <div className="privacy-review">
      <div className="privacy-review__main">
        <DataView
          query={query}
          texts={texts}
          skeleton={<Skeleton shape="block" count={2} />}
          isEmpty={({ stores }) => stores.length === 0}
          empty={{ title: t("nothing") }}
          describe={describe}
        >
          {(collected) => (
            <div className="copy-review">
              <p className="privacy-queue__quiet">
                {t("collectedAt", { date: instantText(language, collected.collectedAt) })}
              </p>
              <Entries
                requestId={requestId}
                collected={collected}
                draft={draft}
                reason={reason}
                onDraft={isMine ? setDraft : undefined}
              />
            </div>
          )}
        </DataView>
      </div>
      <CopyReviewActs
        request={request}
        collected={query.data}
        draft={draft}
        reason={reason}
        onReason={setReason}
        onDraft={setDraft}
      />
    </div>
  );
}

/** A collected copy, which officers look through for passages about other people. */
export function CopyReviewPage() {
  const { t } = useTranslation("copy-review");
  const { requestId = "" } = useParams();
  const query = useQuery(reviewQuery(requestId));
  const { texts, describe } = useViewTexts(t("loading"));
  return (
    <>
      <p className="privacy-review__back">
        <Link to={`/console/privacy/requests/${requestId}`}>{t("back")}</Link>
      </p>
      <PageHeader
        title={t("title", { number: `\u2066${requestId.slice(0, 8)}\u2069` })}
        lead={t("lead")}
      />
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="block" count={2} />}
        isEmpty={({ request }) => !request.inReview}
        empty={{ title: t("done") }}
        describe={describe}
      >
        {({ request }) => <Review request={request} />}
      </DataView>
    </>
  );
}
