import { readExternalUrl } from "@pro-talent/schemas/links/external-url";
import { linkLimits as limit } from "@pro-talent/schemas/links/limits";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import type { CallInput } from "../../api-client/request.ts";
import { Button } from "../../ui/button/button.tsx";
import { Choice } from "../../ui/choice/choice.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { useAccount } from "../account-query.ts";
import { missing } from "../account/fields.tsx";
import { type FieldState, SubmissionForm } from "../account/submission-form.tsx";
import { type Faults, refusalIn } from "../account/submission.machine.ts";
import { textIn } from "../form-machine.ts";
import { CopyLink } from "./link-actions.tsx";
import {
  endOfDay,
  ExpiryField,
  LabelField,
  linkPasswordFault,
  LinkPasswordField,
  NoteField,
} from "./link-fields.tsx";
import { addressOf, insightsKey, linksKey, type ShareLink } from "./link-queries.ts";

type Target = NonNullable<CallInput<"POST /api/links">["body"]>["target"];
const targets = ["file", "external", "profile"] as const;
type TargetKind = (typeof targets)[number];

/** The recipients of a pasted list, one a line; each is taken once. */
export const recipientsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/\r?\n/u)
      .map((line) => line.replaceAll(/\s+/gu, " ").trim().slice(0, limit.labelCharsMax))
      .filter((line) => line !== ""),
  ),
];

/** The content of a file in base64. */
const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const text = typeof reader.result === "string" ? reader.result : "";
      resolve(text.slice(text.indexOf(",") + 1));
    });
    reader.addEventListener("error", () => reject(new TypeError("The file cannot be read")));
    reader.readAsDataURL(file);
  });

const fileIn = (data: FormData): File | undefined => {
  const file = data.get("file");
  return file instanceof File && file.size > 0 ? file : undefined;
};

async function targetIn(data: FormData): Promise<Target> {
  const file = fileIn(data);
  if (textIn(data, "target") === "external") {
    const read = readExternalUrl(textIn(data, "url"));
    return { kind: "external", url: "url" in read ? read.url : "" };
  }
  if (file === undefined) return { kind: "profile" };
  const name = file.name.slice(-limit.fileNameCharsMax);
  return { kind: "file", name, content: await base64Of(file) };
}

function targetFaults(data: FormData): Faults {
  const kind = textIn(data, "target");
  if (kind === "external" && !("url" in readExternalUrl(textIn(data, "url"))))
    return { url: "urlInvalid" };
  if (kind !== "file") return {};
  const file = fileIn(data);
  if (file === undefined) return { file: "fileRequired" };
  return file.size > limit.fileBytesMax ? { file: "fileLarge" } : {};
}

const codeShape = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;

function codeFault(data: FormData): Faults[string] {
  const code = textIn(data, "code").trim().toLowerCase();
  const fits = code.length >= limit.codeCharsMin && code.length <= limit.codeCharsMax;
  return code === "" || (fits && codeShape.test(code)) ? undefined : "codeInvalid";
}

function faultsIn(data: FormData, many: boolean): Faults {
  if (!many)
    return {
      label: missing(data, "label", "linkLabelRequired"),
      ...targetFaults(data),
      code: codeFault(data),
      password: linkPasswordFault(data),
    };
  const { length } = recipientsIn(textIn(data, "recipients"));
  const fault = length === 0 ? "recipientsRequired" : undefined;
  const recipients = length > limit.recipientsMax ? "recipientsMany" : fault;
  return { recipients, ...targetFaults(data) };
}

const fieldsOfCodes = {
  code_taken: "code",
  expiry_past: "expiresAt",
  file_unreadable: "file",
  file_protected: "file",
  file_too_large: "file",
};

/** A file can be chosen, or dropped on the field: browsers take it as chosen. */
function TargetFields({ field }: { field: FieldState }) {
  const { t } = useTranslation("links");
  const [kind, setKind] = useState<TargetKind>("file");
  return (
    <>
      <fieldset className="links__choices">
        <legend className="field__label">{t("fields.target")}</legend>
        {targets.map((one) => (
          <Choice
            key={one}
            type="radio"
            id={`target-${one}`}
            name="target"
            value={one}
            label={t(`fields.targets.${one}`)}
            checked={one === kind}
            onChange={() => setKind(one)}
          />
        ))}
      </fieldset>
      {kind === "file" && (
        <Field {...field("file")} label={t("fields.file")} hint={t("fields.fileHint")}>
          {({ className, ...control }) => (
            <input
              {...control}
              className={`${className} links__drop`}
              name="file"
              type="file"
              accept=".pdf,.docx,application/pdf,application/vnd.openxmlformats-officedocument.wordprocessingml.document"
            />
          )}
        </Field>
      )}
      {kind === "external" && (
        <Field {...field("url")} label={t("fields.url")} hint={t("fields.urlHint")}>
          {(control) => (
            <input
              {...control}
              name="url"
              dir="ltr"
              inputMode="url"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={limit.urlCharsMax}
            />
          )}
        </Field>
      )}
    </>
  );
}

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
      <p role="status">{t("create.done", { count: links.length })}</p>
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

/** Sends the form: one link, or one for each recipient. */
async function make(data: FormData, many: boolean, zone: string) {
  const target = await targetIn(data);
  const expiresAt = endOfDay(textIn(data, "expiresAt"), zone);
  if (many) {
    const recipients = recipientsIn(textIn(data, "recipients"));
    const body = { recipients, target, expiresAt };
    const result = await accountApi().call("POST /api/links/bulk", { body });
    const links = result.ok ? (result.answer?.links ?? []) : [];
    return { links, refused: refusalIn(result, fieldsOfCodes) };
  }
  const orNull = (name: string) => textIn(data, name).trim() || null;
  const body = {
    label: textIn(data, "label"),
    note: textIn(data, "note"),
    target,
    code: orNull("code"),
    expiresAt,
    password: textIn(data, "password") || null,
  };
  const result = await accountApi().call("POST /api/links", { body });
  const link = result.ok ? result.answer?.link : undefined;
  return { links: link === undefined ? [] : [link], refused: refusalIn(result, fieldsOfCodes) };
}

/** Makes a link in one step, or many of a pasted list. */
export function CreateLink({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("links");
  const { timeZone } = useAccount().profile;
  const cache = useQueryClient();
  const [many, setMany] = useState(false);
  const [made, setMade] = useState<readonly ShareLink[]>();
  const send = async (data: FormData) => {
    const { links, refused } = await make(data, many, timeZone);
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
              <TargetFields field={field} />
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
