import { Accordion } from "../ui/accordion/accordion.tsx";

type Questions = Readonly<Record<string, { question: string; answer: string }>>;

/** Questions with plain answers, below a heading of level 2. */
export function Questions({ items }: { items: Questions }) {
  const list = Object.entries(items).map(([id, { question, answer }]) => ({
    id,
    title: question,
    content: <p>{answer}</p>,
  }));
  return <Accordion items={list} headingLevel={3} />;
}
