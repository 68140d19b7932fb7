import { useTranslation } from "react-i18next";

import type { CallAnswer } from "../../api-client/request.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { ReadingTable } from "../../ui/reading-table/reading-table.tsx";

type Status = CallAnswer<"GET /api/console/status">;
type StatusProps = { status: Status };

const minuteSeconds = 60;
const hourSeconds = 60 * minuteSeconds;
const daySeconds = 24 * hourSeconds;
const steps = [
  ["day", daySeconds],
  ["hour", hourSeconds],
  ["minute", minuteSeconds],
  ["second", 1],
] as const;

/** Numbers, sizes and spans of time; what is not known is said. */
function useFormats() {
  const { t } = useTranslation("status");
  const language = useLanguage();
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const bytes = new Intl.NumberFormat(language, {
    style: "unit",
    unit: "megabyte",
    maximumFractionDigits: 1,
  });
  const orUnknown = (format: (value: number) => string) => (value: number | null) =>
    value === null ? t("unknown") : format(value);
  return {
    number: orUnknown((value) => number.format(value)),
    bytes: orUnknown((value) => bytes.format(value / 1_000_000)),
    span: orUnknown((value) => {
      const [unit, seconds] = steps.find(([, least]) => value >= least) ?? ["second", 1];
      const format = {
        style: "unit",
        unit,
        unitDisplay: "long",
        maximumFractionDigits: 0,
      } as const;
      return new Intl.NumberFormat(language, format).format(value / seconds);
    }),
  };
}

/** Whether anything needs a person, in a sentence. */
function Summary({ status: { processes, spool, ledger } }: StatusProps) {
  const { t } = useTranslation("status");
  const troubled = processes.filter(({ state }) => state !== "ready").length;
  const late = (ledger.dutiesOverdue ?? 0) + (ledger.messagesGivenUp ?? 0);
  const isWell = troubled === 0 && late === 0 && spool.shipping !== false;
  return <p className="status__sentence">{isWell ? t("well") : t("troubled")}</p>;
}

type FiguresProps = { title: string; id: string; figures: readonly (readonly [string, string])[] };

function Figures({ title, id, figures }: FiguresProps) {
  return (
    <section className="status__part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <dl className="status__figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Processes({ status: { processes } }: StatusProps) {
  const { t } = useTranslation("status");
  return (
    <section className="status__part" aria-labelledby="processes">
      <h2 id="processes">{t("processes.title")}</h2>
      <ReadingTable
        caption={t("processes.title")}
        columns={[
          { id: "name", header: t("processes.name") },
          { id: "state", header: t("processes.state") },
          { id: "missing", header: t("processes.missing") },
        ]}
        rows={processes.map(({ name, state, missing }) => ({
          id: name,
          cells: {
            name: <code dir="ltr">{name}</code>,
            state: t(`processes.states.${state}`),
            missing:
              missing.length === 0 ? (
                t("processes.none")
              ) : (
                <code dir="ltr">{missing.join(", ")}</code>
              ),
          },
        }))}
      />
    </section>
  );
}

function Queues({ status: { queues } }: StatusProps) {
  const { t } = useTranslation("status");
  const { number } = useFormats();
  const states = ["waiting", "active", "delayed", "failed"] as const;
  return (
    <section className="status__part" aria-labelledby="queues">
      <h2 id="queues">{t("queues.title")}</h2>
      <ReadingTable
        caption={t("queues.title")}
        columns={[
          { id: "service", header: t("queues.service") },
          ...states.map((id) => ({ id, header: t(`queues.${id}`), numeric: true })),
        ]}
        rows={queues.map(({ service, ...counts }) => ({
          id: service,
          cells: {
            service: <code dir="ltr">{service}</code>,
            waiting: number(counts.waiting),
            active: number(counts.active),
            delayed: number(counts.delayed),
            failed: number(counts.failed),
          },
        }))}
      />
    </section>
  );
}

function Drops({ status: { drops } }: StatusProps) {
  const { t } = useTranslation("status");
  const { number } = useFormats();
  return (
    <section className="status__part" aria-labelledby="drops">
      <h2 id="drops">{t("drops.title")}</h2>
      {drops.length === 0 ? (
        <p className="status__nothing">{t("drops.none")}</p>
      ) : (
        <ReadingTable
          caption={t("drops.title")}
          columns={[
            { id: "reason", header: t("drops.reason") },
            { id: "count", header: t("drops.count"), numeric: true },
          ]}
          rows={drops.map(({ reason, count }) => ({
            id: reason,
            cells: { reason: <code dir="ltr">{reason}</code>, count: number(count) },
          }))}
        />
      )}
    </section>
  );
}

/** Everything that is known of the product's processes. */
export function StatusView({ status }: StatusProps) {
  const { t } = useTranslation("status");
  const { number, bytes, span } = useFormats();
  const { spool, ledger, backups } = status;
  const shipping = spool.shipping === null ? "unknown" : spool.shipping ? "yes" : "no";
  return (
    <div className="status">
      <Summary status={status} />
      <Processes status={status} />
      <Figures
        id="ledger"
        title={t("ledger.title")}
        figures={[
          [t("ledger.head"), number(ledger.head)],
          [t("ledger.behind"), number(ledger.eventsBehind)],
          [t("ledger.timers"), number(ledger.timersLate)],
          [t("ledger.duties"), number(ledger.dutiesOverdue)],
          [t("ledger.givenUp"), number(ledger.messagesGivenUp)],
          [t("ledger.oldest"), span(ledger.oldestMessageSeconds)],
        ]}
      />
      <Figures
        id="spool"
        title={t("spool.title")}
        figures={[
          [t("spool.shipping"), t(`spool.${shipping}`)],
          [t("spool.bytes"), bytes(spool.bytes)],
          [t("spool.oldest"), span(spool.oldestSeconds)],
        ]}
      />
      <Figures
        id="backups"
        title={t("backups.title")}
        figures={[
          [t("backups.newest"), span(backups.newestSeconds)],
          [t("backups.restored"), span(backups.restoredSeconds)],
          [t("backups.archived"), span(backups.archivedSeconds)],
        ]}
      />
      <Queues status={status} />
      <Drops status={status} />
    </div>
  );
}
