import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";

/** Saves a text as a file of this browser. */
function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

const fileName = "pro-talent-recovery-codes.txt";

/** A button that copies; it says so when the browser has done it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation("account-security");
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    // Refused by the browser: the text can still be selected.
    await navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <Button onClick={() => void copy()}>
      <span aria-live="polite">{copied ? t("codes.copied") : label}</span>
    </Button>
  );
}

/** Recovery codes, shown once. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { t } = useTranslation("account-security");
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    title.current?.focus();
  }, []);
  const text = `${codes.join("\n")}\n`;
  return (
    <section className="codes" aria-labelledby="recovery-codes">
      <h3 ref={title} id="recovery-codes" className="settings__title" tabIndex={-1}>
        {t("codes.shown")}
      </h3>
      <p>{t("codes.shownBody")}</p>
      <ol className="codes__list">
        {codes.map((code) => (
          <li key={code}>
            <code dir="ltr">{code}</code>
          </li>
        ))}
      </ol>
      <div className="submission__actions">
        <CopyButton text={text} label={t("codes.copy")} />
        <Button onClick={() => download(fileName, text)}>{t("codes.download")}</Button>
        <Button variant="solid" onClick={onKept}>
          {t("codes.done")}
        </Button>
      </div>
    </section>
  );
}
