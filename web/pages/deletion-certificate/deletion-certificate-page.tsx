import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import { type CallAnswer, siteApi } from "../../api-client/request.ts";
import { useLocation } from "../../app/routing.ts";
import { saveFile } from "../../features/save-file.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { useHydrated } from "../../ui/hydration/use-hydrated.ts";
import { Notice } from "../../ui/notice/notice.tsx";

import "./deletion-certificate-page.css";

const call = "GET /api/privacy/certificates/:requestId";
type Certified = CallAnswer<typeof call>;
type Found = Certified | "loading" | "unknown" | "failed";

async function loadCertificate(requestId: string): Promise<Found> {
  try {
    const result = await siteApi().call(call, { params: { requestId } });
    if (result.ok) return result.answer ?? "failed";
    return result.status === 404 ? "unknown" : "failed";
  } catch {
    return "failed";
  }
}

/** The certificate of a number; `retry` asks again after a failure. */
function useCertificate(number: string): { found: Found; retry: () => void } {
  const [found, setFound] = useState<Found>("loading");
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    let wanted = true;
    void loadCertificate(number).then((answer) => {
      if (wanted) setFound(answer);
    });
    return () => {
      wanted = false;
    };
  }, [number, attempt]);
  const retry = () => {
    setFound("loading");
    setAttempt(attempt + 1);
  };
  return { found, retry };
}

const stores = [
  "notice",
  "requests",
  "billing",
  "invoices",
  "payment-provider",
  "links",
  "webhooks",
  "open-mails",
  "newsletter",
  "contact",
  "analytics",
  "accounts",
  "search",
  "subject-key",
] as const;

/** What was found and erased, store by store. */
function Stores({ certificate }: Pick<Certified, "certificate">) {
  const { t } = useTranslation("deletion-certificate");
  const language = useLanguage();
  const nameOf = (name: string): ReactNode => {
    const known = stores.find((one) => one === name);
    return known === undefined ? <code dir="ltr">{name}</code> : t(`stores.${known}`);
  };
  return (
    <table className="certificate__stores">
      <caption>{t("storesCaption")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("store")}</th>
          <th scope="col">{t("found")}</th>
          <th scope="col">{t("left")}</th>
        </tr>
      </thead>
      <tbody>
        {certificate.stores.map(({ store, found, left }) => (
          <tr key={store}>
            <th scope="row">{nameOf(store)}</th>
            <td>{found.toLocaleString(language)}</td>
            <td>{left.toLocaleString(language)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Dates({ certificate }: Pick<Certified, "certificate">) {
  const { t } = useTranslation("deletion-certificate");
  const format = new Intl.DateTimeFormat(useLanguage(), { dateStyle: "long", timeStyle: "short" });
  const { requestId, receivedAt, erasedAt, backups, position, keyId } = certificate;
  const time = (at: string) => <time dateTime={at}>{format.format(Date.parse(at))}</time>;
  const facts: readonly { term: string; value: ReactNode }[] = [
    { term: t("number"), value: <code dir="ltr">{requestId}</code> },
    { term: t("received"), value: time(receivedAt) },
    { term: t("erased"), value: time(erasedAt) },
    backups.goneAt === null
      ? { term: t("backupsBy"), value: time(backups.goneBy) }
      : { term: t("backupsGone"), value: time(backups.goneAt) },
    ...(backups.oldestRestorableAt === null
      ? []
      : [{ term: t("backups.oldest"), value: time(backups.oldestRestorableAt) }]),
    { term: t("position"), value: <code dir="ltr">{position}</code> },
    { term: t("key"), value: <code dir="ltr">{keyId}</code> },
  ];
  return (
    <dl className="certificate__facts">
      {facts.map(({ term, value }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type Destroyed = { readonly epoch: string; readonly destroyedAt: string | null };

/** Keys, by what each alone opened, and when it was destroyed: hundreds, where a set is taken every six hours. */
function Keys({
  title,
  keys,
}: {
  title: string;
  keys: readonly (Destroyed & { copy?: string })[];
}) {
  const { t } = useTranslation("deletion-certificate");
  const language = useLanguage();
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
  return (
    <details className="certificate__keys">
      <summary>
        {title} ({keys.length.toLocaleString(language)})
      </summary>
      <table className="certificate__stores" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{t("backups.epoch")}</th>
            <th scope="col">{t("backups.destroyed")}</th>
          </tr>
        </thead>
        <tbody>
          {keys.map(({ copy = "", epoch, destroyedAt }) => (
            <tr key={`${copy} ${epoch}`}>
              <th scope="row">
                <code dir="ltr">{copy === "" ? epoch : `${copy} · ${epoch}`}</code>
              </th>
              <td>
                {destroyedAt === null ? (
                  t("backups.inUse")
                ) : (
                  <time dateTime={destroyedAt}>{format.format(Date.parse(destroyedAt))}</time>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** Backups and the keys that open them: one clock. */
function Backups({ backups }: Pick<Certified["certificate"], "backups">) {
  const { t } = useTranslation("deletion-certificate");
  const { goneAt, keyStoreDays, overdue, proof } = backups;
  return (
    <>
      <h2>{t("backups.title")}</h2>
      {overdue ? (
        <Notice kind="error">{t("backups.overdue")}</Notice>
      ) : (
        <p>{t(goneAt === null ? "backups.pending" : "backups.purged")}</p>
      )}
      <p>{t("backups.keys", { count: keyStoreDays })}</p>
      {proof !== null && proof.purged.length > 0 && (
        <Keys title={t("backups.copies")} keys={proof.purged} />
      )}
      {proof !== null && proof.epochKeys.length > 0 && (
        <Keys title={t("backups.epochs")} keys={proof.epochKeys} />
      )}
    </>
  );
}

/** The same in every language. */
const verifyCommand = "node verify.mjs certificate.json <key>";

/** The certificate in words; what is signed is saved as a file. */
function Certificate({ certificate, document }: Certified) {
  const { t } = useTranslation("deletion-certificate");
  const { kept, requestId } = certificate;
  const save = () =>
    saveFile(
      new Blob([document], { type: "application/json" }),
      `deletion-${requestId.slice(0, 8)}.json`,
    );
  return (
    <div className="certificate__document">
      <Dates certificate={certificate} />
      <Stores certificate={certificate} />
      <Backups backups={certificate.backups} />
      <h2>{t("kept.title")}</h2>
      <p>{t(kept.length === 0 ? "kept.nothing" : "kept.invoices")}</p>
      <h2>{t("beyond.title")}</h2>
      <p>{t("beyond.body")}</p>
      <h2>{t("verify.title")}</h2>
      <p>{t("verify.body")}</p>
      <p>
        <code dir="ltr">{verifyCommand}</code>
      </p>
      <Button variant="solid" onClick={save}>
        {t("save")}
      </Button>
    </div>
  );
}

function Looked({ number }: { number: string }) {
  const { t } = useTranslation("deletion-certificate");
  const { found, retry } = useCertificate(number);
  if (found === "loading") return <output>{t("loading")}</output>;
  if (found === "unknown") return <p role="alert">{t("unknown")}</p>;
  if (found !== "failed") return <Certificate {...found} />;
  return (
    <div role="alert">
      <p>{t("failed")}</p>
      <Button onClick={retry}>{t("retry")}</Button>
    </div>
  );
}

const numberPattern = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

/**
 * The certificate of a deletion, by the number that the last mail of the account names: by then the
 * account is erased.
 */
export function Page() {
  const { t } = useTranslation("deletion-certificate");
  const { search } = useLocation();
  const asked = useHydrated() ? new URLSearchParams(search).get("number")?.trim() : undefined;
  const number = new RegExp(`^${numberPattern}$`).test(asked ?? "") ? asked : undefined;
  return (
    <div className="certificate page-width">
      <h1 tabIndex={-1}>{t("title")}</h1>
      <p className="certificate__lead">{t("lead")}</p>
      <form className="certificate__find" method="get">
        {/* As a Field has it: the component here would enlarge what every public page loads. */}
        <div className="field">
          <label className="field__label" htmlFor="certificate-number">
            {t("number")}
          </label>
          <p className="field__hint" id="certificate-hint">
            {t("numberHint")}
          </p>
          <input
            className="field__control"
            id="certificate-number"
            key={number}
            name="number"
            dir="ltr"
            required
            autoComplete="off"
            spellCheck={false}
            maxLength={36}
            pattern={numberPattern}
            title={t("numberHint")}
            aria-describedby="certificate-hint"
            defaultValue={number}
          />
        </div>
        <Button type="submit">{t("find")}</Button>
      </form>
      {number !== undefined && <Looked key={number} number={number.toLowerCase()} />}
    </div>
  );
}
