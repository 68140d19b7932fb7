import { linkLimits as limit } from "@pro-talent/schemas/links/limits";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Choice } from "../../ui/choice/choice.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { useAccount } from "../account-query.ts";
import { insightsKey, linksKey } from "../link-opens.ts";
import { type FieldState, SubmissionForm } from "../submission-form.tsx";
import type { CvTarget } from "./cv-target-fields.tsx";
import { CopyLink } from "./link-actions.tsx";
import { ExpiryField, LabelField, LinkPasswordField, NoteField } from "./link-fields.tsx";
import { addressOf, type ShareLink } from "./link-queries.ts";
import { faultsIn, makeLinks, recipientsIn } from "./link-writing.ts";
import { TargetFields } from "./target-fields.tsx";

/** A pasted list, and what would be made of it. */
function Recipients({ field }: { field: FieldState }) {
  const { t } = useTranslation("links");
  const [text, setText] = useState("");
  const recipients = recipientsIn(text);
  return (
    <>
      <Field {...field("recipients")} label={t("bulk.recipients")} hint={t("bulk.hint")}>
        {(control) => (
          <textarea
            {...control}
            name="recipients"
            dir="auto"
            rows={6}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <div aria-live="polite">
        {recipients.length > 0 && <p>{t("bulk.preview", { count: recipients.length })}</p>}
      </div>
      {recipients.length > 0 && (
        <ol className="links__preview" aria-label={t("bulk.recipients")}>
          {recipients.map((name) => (
            <li key={name}>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function Details({ field }: { field: FieldState }) {
  const { t } = useTranslation("links");
  return (
    <details className="links__more">
      <summary>{t("fields.more")}</summary>
      <div className="links__fields">
        <NoteField field={field} />
        <Field {...field("code")} label={t("fields.code")} hint={t("fields.codeHint")}>
          {(control) => (
            <input
              {...control}
              name="code"
              dir="ltr"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={limit.codeCharsMax}
            />
          )}
        </Field>
        <ExpiryField field={field} />
        <LinkPasswordField field={field} hint={t("fields.passwordHint")} />
      </div>
    </details>
  );
}

/** What was made, ready to be copied. */
function Made({ links, onClose }: { links: readonly ShareLink[]; onClose: () => void }) {
  const { t } = useTranslation("links");
  return (
    <div className="links__made">
      <output>{t("create.done", { count: links.length })}</output>
      <ul>
        {links.map((link) => (
          <li key={link.linkId}>
            <span>
              <bdi>{link.label}</bdi>
              <br />
              <bdi dir="ltr" className="links__quiet">
                {addressOf(link)}
              </bdi>
            </span>
            <CopyLink link={link} />
          </li>
        ))}
      </ul>
      <Button variant="solid" onClick={onClose}>
        {t("create.finish")}
      </Button>
    </div>
  );
}

/** Makes a link in one step, or many of a pasted list; to `cv`, unless something else is chosen. */
export function CreateLink({ cv, onClose }: { cv?: CvTarget; onClose: () => void }) {
  const { t } = useTranslation("links");
  const { timeZone } = useAccount().profile;
  const cache = useQueryClient();
  const [many, setMany] = useState(false);
  const [made, setMade] = useState<readonly ShareLink[]>();
  const send = async (data: FormData) => {
    const { links, refused } = await makeLinks(data, many, timeZone);
    if (refused !== undefined) return refused;
    await cache.invalidateQueries({ queryKey: linksKey });
    void cache.invalidateQueries({ queryKey: insightsKey });
    setMade(links);
    return undefined;
  };
  return (
    <Dialog
      title={t("create.title")}
      closeLabel={t("close")}
      onClose={onClose}
      // A press beside the form would lose what was typed.
      onBackdrop={() => undefined}
    >
      {made === undefined ? (
        <SubmissionForm
          submission={{ faultsIn: (data) => faultsIn(data, many), send }}
          submit={t(many ? "create.submitMany" : "create.submit")}
          sending={t("create.sending")}
        >
          {(field) => (
            <>
              <fieldset className="links__choices">
                <legend className="field__label">{t("create.mode")}</legend>
                {([false, true] as const).map((one) => (
                  <Choice
                    key={String(one)}
                    type="radio"
                    id={`mode-${String(one)}`}
                    name="mode"
                    value={String(one)}
                    label={t(one ? "create.many" : "create.one")}
                    checked={many === one}
                    onChange={() => setMany(one)}
                  />
                ))}
              </fieldset>
              {many ? <Recipients field={field} /> : <LabelField field={field} />}
              <TargetFields field={field} cv={cv} />
              {many ? <ExpiryField field={field} /> : <Details field={field} />}
            </>
          )}
        </SubmissionForm>
      ) : (
        <Made links={made} onClose={onClose} />
      )}
    </Dialog>
  );
}
