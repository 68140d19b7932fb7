export type Fact = { term: string; detail: string };

/** Summary of a legal text. The text itself is binding. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="legal-facts">
      {facts.map(({ term, detail }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{detail}</dd>
        </div>
      ))}
    </dl>
  );
}
