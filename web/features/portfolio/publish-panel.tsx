import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { languages as allLanguages } from "../../i18n/languages.ts";
import { Button } from "../../ui/button/button.tsx";
import { Choice } from "../../ui/choice/choice.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { useAccount } from "../account-query.ts";
import { useEditing } from "../documents/edit/editing.ts";
import { put } from "../documents/edit/edits.ts";
import type { Portfolio, PortfolioDocument, PortfolioPage } from "./portfolio-queries.ts";
import { ReaderSettings } from "./reader-settings.tsx";
import { hasChanges, type Obstacle, obstaclesOf, shownLanguages } from "./status-of.ts";
import { PageAddress, useReaderWords } from "./status.tsx";
import type { Publishing } from "./use-publishing.ts";

type PublishPanelProps = {
  portfolio: Portfolio;
  /** The page that is edited: as it is saved, and as it is on the screen. */
  page: PortfolioPage;
  document: PortfolioDocument;
  publishing: Publishing;
  /** Leads to the form. */
  onWrite: () => void;
};

const states = ["published", "unlisted"] as const;
type Shown = (typeof states)[number];

type ObstaclesProps = { obstacles: readonly Obstacle[]; onWrite: () => void };

/** What has to be done first, each with the way to it. */
function Obstacles({ obstacles, onWrite }: ObstaclesProps) {
  const { t } = useTranslation("portfolio");
  const { edit } = useEditing();
  const way = (obstacle: Obstacle) => {
    switch (obstacle.kind) {
      case "not-included":
        return <Link to="/account/subscription">{t("publish.toPlan")}</Link>;
      case "no-handle":
        return <Link to="/account/profile">{t("publish.toHandle")}</Link>;
      case "look":
        return (
          <>
            <Link to="/account/subscription">{t("publish.toPlan")}</Link>
            <Button
              variant="text"
              onClick={() => edit(put("look", { theme: "folio", accent: "ink" }))}
            >
              {t("publish.useFolio")}
            </Button>
          </>
        );
      case "pictures":
        return (
          <Button variant="text" onClick={onWrite}>
            {t("publish.toPictures")}
          </Button>
        );
      case "taken-down":
        return <a href="/contact">{t("publish.toContact")}</a>;
      case "no-page":
        return null;
    }
  };
  return (
    <section className="pf-obstacles" aria-labelledby="pf-obstacles">
      <h3 id="pf-obstacles">{t("publish.first", { count: obstacles.length })}</h3>
      <ul>
        {obstacles.map((obstacle) => (
          <li key={obstacle.kind}>
            <span>
              {obstacle.kind === "pictures"
                ? t("publish.obstacles.pictures", { count: obstacle.count })
                : t(`publish.obstacles.${obstacle.kind}`)}
            </span>
            {way(obstacle)}
          </li>
        ))}
      </ul>
    </section>
  );
}

type ChoicesProps = {
  portfolio: Portfolio;
  state: Shown;
  onState: (state: Shown) => void;
  languages: readonly Locale[];
  onLanguages: (languages: readonly Locale[]) => void;
};

/** Who finds it, and in which languages. */
function Choices({ portfolio, state, onState, languages, onLanguages }: ChoicesProps) {
  const { t } = useTranslation("portfolio");
  const written = allLanguages.filter((one) =>
    portfolio.pages.some(({ language }) => language === one),
  );
  return (
    <>
      <fieldset className="cv-choices">
        <legend className="field__label">{t("publish.who")}</legend>
        {states.map((one) => (
          <Choice
            key={one}
            type="radio"
            id={`pf-state-${one}`}
            name="pf-state"
            value={one}
            label={t(`publish.states.${one}`)}
            hint={t(`publish.states.${one}Hint`)}
            checked={one === state}
            onChange={() => onState(one)}
          />
        ))}
      </fieldset>
      {written.length > 1 && (
        <fieldset className="cv-choices">
          <legend className="field__label">{t("publish.languages")}</legend>
          {written.map((one) => (
            <Choice
              key={one}
              type="checkbox"
              id={`pf-language-${one}`}
              name="pf-language"
              value={one}
              label={t(`languages.${one}`)}
              lang={one}
              checked={languages.includes(one)}
              onChange={() =>
                onLanguages(
                  languages.includes(one)
                    ? languages.filter((language) => language !== one)
                    : [...languages, one],
                )
              }
            />
          ))}
        </fieldset>
      )}
    </>
  );
}

/** What is chosen: at first what readers see and the edited page; before that, everything that there is. */
function useChosen(portfolio: Portfolio, edited: Locale) {
  const shown = shownLanguages(portfolio);
  const [state, setState] = useState<Shown>(
    portfolio.state === "draft" ? "published" : portfolio.state,
  );
  const [languages, setLanguages] = useState<readonly Locale[]>(
    shown.length > 0
      ? [...new Set([...shown, edited])]
      : portfolio.pages.map(({ language }) => language),
  );
  const isShown =
    portfolio.state === state &&
    shown.length === languages.length &&
    shown.every((language) => languages.includes(language)) &&
    !hasChanges(portfolio);
  return { state, setState, languages, setLanguages, isShown };
}

/** Which version readers see, and who finds it. */
function Publish(props: PublishPanelProps) {
  const { portfolio, page, document, publishing, onWrite } = props;
  const { t } = useTranslation("portfolio");
  const { handle } = useAccount().profile;
  const { state, setState, languages, setLanguages, isShown } = useChosen(portfolio, page.language);
  const words = useReaderWords(portfolio);
  // The edited page as it is on the screen: it is saved before it is published.
  const documents = portfolio.pages
    .filter(({ language }) => languages.includes(language))
    .map((one) => (one.language === page.language ? document : one.document));
  const obstacles = obstaclesOf(portfolio, handle, documents);
  return (
    <section className="cv-panel__part" aria-labelledby="pf-publish">
      <h2 id="pf-publish">{t("publish.title")}</h2>
      <Choices
        portfolio={portfolio}
        state={state}
        onState={setState}
        languages={languages}
        onLanguages={setLanguages}
      />
      {obstacles.length > 0 ? (
        <Obstacles obstacles={obstacles} onWrite={onWrite} />
      ) : (
        <div className="pf-outcome">
          <p>
            {t(isShown ? "publish.nothing" : "publish.will", {
              languages: words.languages(languages),
            })}{" "}
            {handle !== null && <PageAddress handle={handle} />}
          </p>
          <p className="cv-quiet">{words.rules(state)}</p>
        </div>
      )}
      <div className="cv-actions">
        {!isShown && (
          <Button
            variant="solid"
            disabled={publishing.busy || obstacles.length > 0}
            onClick={() => void publishing.publish(state, languages)}
          >
            {t(portfolio.state === "draft" ? "publish.now" : "publish.changes")}
          </Button>
        )}
        {portfolio.state !== "draft" && (
          <Button disabled={publishing.busy} onClick={() => void publishing.unpublish()}>
            {t("publish.stop")}
          </Button>
        )}
      </div>
    </section>
  );
}

/** Deletes the page that is edited. */
function Deletion({ page, publishing }: Pick<PublishPanelProps, "page" | "publishing">) {
  const { t } = useTranslation("portfolio");
  const [asked, setAsked] = useState(false);
  const { language, published } = page;
  return (
    <section className="cv-panel__part" aria-labelledby="pf-delete">
      <h2 id="pf-delete">{t("delete.title")}</h2>
      <div className="cv-actions">
        <Button variant="text" onClick={() => setAsked(true)}>
          {t(`delete.action.${language}`)}
        </Button>
      </div>
      {asked && (
        <ConfirmDialog
          title={t(`delete.ask.${language}`)}
          texts={{ confirm: t("delete.confirm"), keep: t("delete.keep"), close: t("close") }}
          busy={publishing.busy}
          onConfirm={() => void publishing.remove(language).then(() => setAsked(false))}
          onClose={() => setAsked(false)}
        >
          <p>{t(published === null ? "delete.body" : "delete.bodyShown")}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** Everything between the owner and readers. */
export function PublishPanel(props: PublishPanelProps) {
  const { portfolio, page, document, publishing } = props;
  return (
    <div className="cv-panel">
      <Publish {...props} />
      <ReaderSettings portfolio={portfolio} document={document} publishing={publishing} />
      <Deletion page={page} publishing={publishing} />
    </div>
  );
}
