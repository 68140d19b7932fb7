import type { Holding } from "./classes.ts";

const STORES: Record<Holding["store"], string> = {
  postgres: "Postgres",
  clickhouse: "ClickHouse",
  spool: "Spool of the collector",
  log: "Logs",
};

function renderHolding({ name, purpose, retention, shows, fields }: Holding): string {
  const rows = Object.entries(fields)
    .toSorted(([left], [right]) => left.localeCompare(right, "en"))
    .map(([field, entry]) => `| \`${field}\` | ${entry.class} | ${entry.purpose} |`);
  const source = shows === undefined ? "" : ` Shows \`${shows}\`.`;
  return [
    `### ${name}`,
    "",
    `${purpose}.${source} Kept: ${retention.charAt(0).toLowerCase()}${retention.slice(1)}.`,
    "",
    "| field | class | purpose |",
    "| --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

/** The register as a document, one table per holding. */
export function renderRegister(holdings: readonly Holding[]): string {
  const sections = Object.entries(STORES).map(([store, title]) => {
    const own = holdings.filter((holding) => holding.store === store);
    return [`## ${title}`, "", ...own.map(renderHolding)].join("\n");
  });
  return [
    "# Store register",
    "",
    "<!-- Written by `npm run register`; change infra/quality/register instead. -->",
    "",
    "What is stored where, why and for how long. A test compares this register with the columns of",
    "the migrated databases: a column that is not classified here fails the build. The classes are",
    "identifier, pseudonym, coarse, content, operational and secret; no holding has an identifier.",
    "",
    ...sections,
  ].join("\n");
}
