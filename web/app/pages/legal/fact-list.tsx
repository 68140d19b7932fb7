export type Fact = { term: string; detail: string };

/** The few facts of a legal text that most people come for. The text itself is what binds. */
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
