import { portfolioLimits as limit } from "@pro-talent/schemas/studio/limits";
import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import { Switch } from "../../ui/switch/switch.tsx";
import { useAccount } from "../account-query.ts";
import { todayIn } from "../days-in-query.ts";
import { useEditing } from "../documents/edit/editing.ts";
import { put } from "../documents/edit/edits.ts";
import { endOfDay, localTime } from "../local-time.ts";
import { cvsQuery, type Portfolio, type PortfolioDocument } from "./portfolio-queries.ts";
import type { Publishing } from "./use-publishing.ts";

type SettingsProps = { portfolio: Portfolio; publishing: Publishing };

/** The CV that readers may download with this page: as it is at that moment. */
function CvChoice({ document }: { document: PortfolioDocument }) {
  const { t } = useTranslation("portfolio");
  const { edit } = useEditing();
  const id = useId();
  const { cvId, language } = document;
  const cvs = useQuery(cvsQuery);
  const fitting = (cvs.data?.cvs ?? []).filter(
    (cv) => cv.cvId === cvId || (cv.language === language && cv.archivedAt === null),
  );
  const isGone = cvId !== null && cvs.isSuccess && !fitting.some((cv) => cv.cvId === cvId);
  return (
    <Field
      id={id}
      label={t("readers.cv")}
      hint={t(cvs.isError ? "readers.cvUnknown" : "readers.cvHint")}
      error={isGone ? t("readers.cvGone") : undefined}
    >
      {(control) => (
        <Select
          {...control}
          value={cvId ?? ""}
          disabled={!cvs.isSuccess}
          onChange={({ target }) => edit(put("cvId", target.value === "" ? null : target.value))}
        >
          <option value="">{t("readers.noCv")}</option>
          {fitting.map((cv) => (
            <option key={cv.cvId} value={cv.cvId}>
              {cv.title}
            </option>
          ))}
          {isGone && <option value={cvId}>{t("readers.goneCv")}</option>}
        </Select>
      )}
    </Field>
  );
}

/** Opens without a password, or with one, which no one can read afterwards. */
function Lock({ portfolio: { locked }, publishing }: SettingsProps) {
  const { t } = useTranslation("portfolio");
  const id = useId();
  const [fault, setFault] = useState(false);
  const set = async (event: SyntheticEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const password = new FormData(form).get("password");
    const fits = typeof password === "string" && password.length >= limit.passwordCharsMin;
    setFault(!fits);
    if (fits && (await publishing.change({ password }))) form.reset();
  };
  return (
    <form className="pf-line" noValidate onSubmit={(event) => void set(event)}>
      <Field
        id={id}
        label={t(locked ? "readers.otherPassword" : "readers.password")}
        hint={t(locked ? "readers.locked" : "readers.passwordHint")}
        error={fault ? t("readers.passwordShort", { count: limit.passwordCharsMin }) : undefined}
      >
        {(control) => (
          <input
            {...control}
            name="password"
            dir="auto"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={limit.passwordCharsMax}
          />
        )}
      </Field>
      <div className="cv-actions">
        <Button type="submit" disabled={publishing.busy}>
          {t(locked ? "readers.changePassword" : "readers.setPassword")}
        </Button>
        {locked && (
          <Button
            variant="text"
            disabled={publishing.busy}
            onClick={() => void publishing.change({ password: null })}
          >
            {t("readers.removePassword")}
          </Button>
        )}
      </div>
    </form>
  );
}

/** The last day on which readers see it. */
function Expiry({ portfolio: { expiresAt }, publishing }: SettingsProps) {
  const { t } = useTranslation("portfolio");
  const { timeZone } = useAccount().profile;
  const id = useId();
  const day = expiresAt === null ? "" : localTime(expiresAt, timeZone).day;
  const [chosen, setChosen] = useState(day);
  return (
    <div className="pf-line">
      <Field id={id} label={t("readers.until")} hint={t("readers.untilHint")}>
        {(control) => (
          <input
            {...control}
            type="date"
            min={todayIn(timeZone)}
            value={chosen}
            onChange={({ target }) => setChosen(target.value)}
          />
        )}
      </Field>
      <div className="cv-actions">
        <Button
          disabled={publishing.busy || chosen === day}
          onClick={() => void publishing.change({ expiresAt: endOfDay(chosen, timeZone) })}
        >
          {t("readers.saveDay")}
        </Button>
        {expiresAt !== null && (
          <Button
            variant="text"
            disabled={publishing.busy}
            onClick={() => {
              setChosen("");
              void publishing.change({ expiresAt: null });
            }}
          >
            {t("readers.noDay")}
          </Button>
        )}
      </div>
    </div>
  );
}

type ReaderSettingsProps = SettingsProps & { document: PortfolioDocument };

/** What readers can do, and who may read. What is chosen here holds at once. */
export function ReaderSettings({ portfolio, document, publishing }: ReaderSettingsProps) {
  const { t } = useTranslation("portfolio");
  const { inSearch, contactForm, locked, state } = portfolio;
  const searchBody = locked
    ? "searchLocked"
    : state === "unlisted"
      ? "searchUnlisted"
      : "searchBody";
  return (
    <>
      <section className="cv-panel__part pf-readers" aria-labelledby="pf-readers">
        <h2 id="pf-readers">{t("readers.title")}</h2>
        <Switch
          name={t("readers.contact")}
          body={t("readers.contactBody")}
          checked={contactForm}
          disabled={publishing.busy}
          onToggle={() => void publishing.change({ contactForm: !contactForm })}
        />
        <Switch
          name={t("readers.search")}
          body={t(`readers.${searchBody}`)}
          checked={inSearch}
          disabled={publishing.busy}
          onToggle={() => void publishing.change({ inSearch: !inSearch })}
        />
        <CvChoice document={document} />
        <p className="cv-quiet">
          {t("readers.link")} <Link to="/links">{t("readers.toLinks")}</Link>
        </p>
      </section>
      <section className="cv-panel__part pf-readers" aria-labelledby="pf-protect">
        <h2 id="pf-protect">{t("readers.protect")}</h2>
        <Lock portfolio={portfolio} publishing={publishing} />
        <Expiry key={portfolio.expiresAt} portfolio={portfolio} publishing={publishing} />
      </section>
    </>
  );
}
