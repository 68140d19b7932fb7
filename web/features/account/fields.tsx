import { accountLimits as limit } from "@pro-talent/schemas/accounts/limits";
import { emailCharsMax } from "@pro-talent/schemas/primitives/email-limits";
import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { Combobox } from "../../ui/combobox/combobox.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import { textIn } from "../form-machine.ts";
import type { FieldState } from "../submission-form.tsx";
import type { AccountFault } from "../submission.machine.ts";
import type { zoneWords } from "./zone-words.ts";

/** What is wrong with the address in a form. */
export function emailFault(data: FormData): AccountFault | undefined {
  const email = textIn(data, "email").trim();
  if (email === "") return "emailRequired";
  return looksLikeEmail(email) ? undefined : "emailInvalid";
}

/** Characters as the server counts them: code points of the normalised text. */
const charsOf = (password: string): number => Array.from(password.normalize("NFKC")).length;

/** What is wrong with a password that is being chosen. Only the server knows the common ones. */
export function newPasswordFault(data: FormData): AccountFault | undefined {
  const chars = charsOf(textIn(data, "password"));
  if (chars === 0) return "passwordRequired";
  if (chars < limit.passwordCharsMin) return "passwordShort";
  return chars > limit.passwordCharsMax ? "passwordLong" : undefined;
}

/** What is missing where a value must be given. */
export const missing = (data: FormData, field: string, fault: AccountFault) =>
  textIn(data, field).trim() === "" ? fault : undefined;

type EmailFieldProps = { field: FieldState; label?: string; hint?: string; signIn?: boolean };

/** `signIn`: the browser offers stored passwords and passkeys. */
export function EmailField({ field, label, hint, signIn = false }: EmailFieldProps) {
  const { t } = useTranslation("account");
  return (
    <Field {...field("email")} label={label ?? t("fields.email")} hint={hint}>
      {(control) => (
        <input
          {...control}
          name="email"
          type="email"
          dir="ltr"
          inputMode="email"
          autoComplete={signIn ? "username webauthn" : "email"}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={emailCharsMax}
          aria-required
        />
      )}
    </Field>
  );
}

type PasswordFieldProps = {
  field: FieldState;
  name?: string;
  label: string;
  hint?: string;
  autoComplete: "current-password" | "new-password";
  onType?: (password: string) => void;
};

/** The password can be shown. It is hidden again when the form is sent, so that browsers offer to keep it. */
export function PasswordField(props: PasswordFieldProps) {
  const { field, name = "password", label, hint, autoComplete, onType } = props;
  const { t } = useTranslation("account");
  const [shown, setShown] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const form = input.current?.form;
    const hide = (): void => setShown(false);
    form?.addEventListener("submit", hide);
    return () => form?.removeEventListener("submit", hide);
  }, []);
  const { id, error } = field(name);
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {(control) => (
        <div className="password">
          <input
            {...control}
            ref={input}
            name={name}
            type={shown ? "text" : "password"}
            dir="auto"
            autoComplete={autoComplete}
            autoCapitalize="none"
            spellCheck={false}
            aria-required
            onChange={({ target }) => onType?.(target.value)}
          />
          <button
            type="button"
            className="password__show"
            aria-controls={id}
            aria-label={shown ? t("fields.hidePassword") : t("fields.showPassword")}
            onClick={() => setShown(!shown)}
          >
            {shown ? t("fields.hide") : t("fields.show")}
          </button>
        </div>
      )}
    </Field>
  );
}

/** Length is what protects a password; rules about its characters do not (NIST SP 800-63B). */
function Strength({ password }: { password: string }) {
  const { t } = useTranslation("account");
  const chars = charsOf(password);
  const drawn = [1, limit.passwordCharsMin, 12, 16].filter((least) => chars >= least).length;
  const texts = [
    t("password.empty"),
    t("password.short", { count: limit.passwordCharsMin - chars }),
    t("password.fair"),
    t("password.good"),
    t("password.strong"),
  ];
  return (
    <div className="strength">
      <span className="strength__marks" aria-hidden="true">
        {[1, 2, 3, 4].map((mark) => (
          <span key={mark} data-drawn={mark <= drawn} />
        ))}
      </span>
      <output aria-label={t("password.strength")}>{texts[drawn]}</output>
    </div>
  );
}

/** A password that is being chosen: its rules before, its strength while it is typed. */
export function NewPasswordField({ field, label }: { field: FieldState; label: string }) {
  const { t } = useTranslation("account");
  const [password, setPassword] = useState("");
  return (
    <>
      <PasswordField
        field={field}
        label={label}
        hint={t("password.rules")}
        autoComplete="new-password"
        onType={setPassword}
      />
      <Strength password={password} />
    </>
  );
}

type CodeFieldProps = { field: FieldState; label: string; hint?: string; recovery?: boolean };

/** A code of an authenticator, or a recovery code. */
export function CodeField({ field, label, hint, recovery = false }: CodeFieldProps) {
  return (
    <Field {...field("code")} label={label} hint={hint}>
      {(control) => (
        <input
          {...control}
          className={`${control.className} code-field`}
          name="code"
          dir="ltr"
          inputMode={recovery ? "text" : "numeric"}
          autoComplete={recovery ? "off" : "one-time-code"}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          aria-required
        />
      )}
    </Field>
  );
}

type LanguageFieldProps = { field: FieldState; label: string; chosen: string };

export function LanguageField({ field, label, chosen }: LanguageFieldProps) {
  const { t } = useTranslation("account");
  return (
    <Field {...field("language")} label={label}>
      {(control) => (
        <Select {...control} name="language" defaultValue={chosen}>
          <option value="en" lang="en">
            {t("fields.english")}
          </option>
          <option value="he" lang="he">
            {t("fields.hebrew")}
          </option>
        </Select>
      )}
    </Field>
  );
}

/** The zone of this browser; browsers without one use that of the product's first country. */
export const ownTimeZone = (): string =>
  new Intl.DateTimeFormat().resolvedOptions().timeZone || "Asia/Jerusalem";

/** All zones that this browser knows, and the chosen one, which may have an older name. */
function zonesOf(chosen: string): { id: string; text: string }[] {
  const zones = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", chosen]);
  return [...zones].map((id) => ({ id, text: id.replaceAll("_", " ").replaceAll("/", " / ") }));
}

/** What a clock there shows, with the name of the zone. */
const timeIn = (timeZone: string, language: string): string =>
  new Intl.DateTimeFormat(language, {
    timeZone,
    timeZoneName: "long",
    hour: "2-digit",
    minute: "2-digit",
  }).format(new Date());

type TimeZoneFieldProps = { field: FieldState; chosen: string; onChoose?: () => void };

export function TimeZoneField({ field, chosen, onChoose }: TimeZoneFieldProps) {
  const { t } = useTranslation("account");
  const language = useLanguage();
  const [zone, setZone] = useState<string | undefined>(chosen);
  const [words, setWords] = useState<{ of: typeof zoneWords }>();
  const options = useMemo(() => zonesOf(chosen), [chosen]);
  const now = zone === undefined ? "" : timeIn(zone, language);
  const { id, error } = field("timeZone");
  return (
    <div
      id={id}
      tabIndex={-1}
      onFocus={() => {
        if (words === undefined)
          void import("./zone-words.ts").then((loaded) => setWords({ of: loaded.zoneWords }));
      }}
    >
      <Combobox
        label={t("fields.timeZone")}
        hint={now === "" ? t("fields.timeZoneHint") : `${t("fields.timeZoneHint")} ${now}`}
        error={error}
        options={options}
        selected={zone}
        wordsOf={words && ((of) => words.of(of, language))}
        onSelect={(next) => {
          setZone(next);
          onChoose?.();
        }}
        texts={{ show: t("fields.allZones"), noMatch: t("fields.noZone") }}
      />
      <input type="hidden" name="timeZone" value={zone ?? ""} />
    </div>
  );
}
