import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { Button } from "../../../ui/button/button.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { Select } from "../../../ui/field/select.tsx";
import { cvsQuery, versionsQuery } from "../../cvs-query.ts";
import { linksQuery } from "../../link-opens.ts";
import { toaster } from "../../toaster.ts";
import type { Application } from "../queries.ts";
import { usePartActs } from "./part-acts.ts";

type Sent = Application["sent"];
type SentProps = { application: Application; readOnly: boolean };
type PartProps = { sent: Sent; readOnly: boolean; onChange: (sent: Sent) => void };

/** The links that were sent, and a choice of one more. */
function SentLinks({ sent, readOnly, onChange }: PartProps) {
  const { t } = useTranslation(["application", "applications"]);
  const id = useId();
  const { data } = useQuery(linksQuery);
  const links = data?.links ?? [];
  const left = links.filter(({ linkId }) => !sent.linkIds.includes(linkId));
  const labelOf = (linkId: string): string | undefined =>
    links.find((link) => link.linkId === linkId)?.label;
  return (
    <>
      <ul className="application__list">
        {sent.linkIds.map((linkId) => (
          <li key={linkId} className="stored-file">
            <Link to={`/links/${linkId}`}>
              <bdi>{labelOf(linkId) ?? t("sent.link")}</bdi>
            </Link>
            {!readOnly && (
              <Button
                variant="text"
                onClick={() =>
                  onChange({ ...sent, linkIds: sent.linkIds.filter((one) => one !== linkId) })
                }
              >
                {t("remove")} <span className="visually-hidden">{labelOf(linkId)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!readOnly && left.length > 0 && (
        <Field id={id} label={t("sent.addLink")}>
          {(control) => (
            <Select
              {...control}
              value=""
              onChange={({ target }) =>
                onChange({ ...sent, linkIds: [...sent.linkIds, target.value] })
              }
            >
              <option value="">{t("sent.choose")}</option>
              {left.map(({ linkId, label }) => (
                <option key={linkId} value={linkId}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </>
  );
}

/** Which version of the CV was sent: the one that is current when it is chosen, or another. */
function SentVersion({ sent, readOnly, onChange }: PartProps) {
  const { t } = useTranslation(["application", "applications"]);
  const id = useId();
  const { cv } = sent;
  const { data } = useQuery({ ...versionsQuery(cv?.cvId ?? ""), enabled: cv !== null });
  if (cv === null) return null;
  const version = cv.version ?? 0;
  const known = data?.versions ?? [];
  const isListed = known.some((one) => one.version === version);
  return (
    <Field id={id} label={t("sent.version")}>
      {(control) => (
        <Select
          {...control}
          value={version}
          disabled={readOnly}
          onChange={({ target }) =>
            onChange({ ...sent, cv: { ...cv, version: Number(target.value) || null } })
          }
        >
          <option value={0}>{t("sent.current")}</option>
          {!isListed && version > 0 && (
            <option value={version}>{t("sent.versionOf", { version })}</option>
          )}
          {known.map((one) => (
            <option key={one.version} value={one.version}>
              {t("sent.versionOf", { version: one.version })}
              {one.name === null ? "" : ` (${one.name})`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function SentCv(props: PartProps) {
  const { sent, readOnly, onChange } = props;
  const { t } = useTranslation(["application", "applications"]);
  const id = useId();
  const { data } = useQuery(cvsQuery);
  const cvs = data?.cvs ?? [];
  const isKnown = cvs.some(({ cvId }) => cvId === sent.cv?.cvId);
  const choose = (cvId: string): void => {
    const chosen = cvs.find((cv) => cv.cvId === cvId);
    const cv = chosen === undefined ? null : { cvId, version: chosen.version };
    onChange({ ...sent, cv });
  };
  return (
    <>
      <Field id={id} label={t("sent.cv")}>
        {(control) => (
          <Select
            {...control}
            value={sent.cv?.cvId ?? ""}
            disabled={readOnly}
            onChange={({ target }) => choose(target.value)}
          >
            <option value="">{t("sent.noCv")}</option>
            {sent.cv !== null && !isKnown && (
              <option value={sent.cv.cvId}>{t("sent.unknownCv")}</option>
            )}
            {cvs.map(({ cvId, title }) => (
              <option key={cvId} value={cvId}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <SentVersion {...props} />
    </>
  );
}

/** What was sent with the application: links and a version of a CV. */
export function SentWith({ application, readOnly }: SentProps) {
  const { t } = useTranslation(["application", "applications"]);
  const { patch } = usePartActs(application.applicationId);
  const change = async (sent: Sent): Promise<void> => {
    const result = await patch({ sent }).catch(() => undefined);
    if (result?.ok !== true) toaster.show({ text: t("applications:failed") });
  };
  const part = {
    sent: application.sent,
    readOnly,
    onChange: (sent: Sent) => void change(sent),
  };
  return (
    <section className="application__part" aria-labelledby="sent">
      <h2 id="sent">{t("sent.title")}</h2>
      <SentLinks {...part} />
      <SentCv {...part} />
    </section>
  );
}
