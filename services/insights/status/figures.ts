/** One line of a process's figures: a name, its labels, a value. */
export type Figure = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Reads Prometheus text. What is no figure is left out, so that one strange line costs none of the others. */
export function readFigures(text: string): Figure[] {
  return text.split("\n").flatMap((row) => {
    const [, name, inner = "", written = ""] = line.exec(row) ?? [];
    const value = Number(written);
    if (name === undefined || Number.isNaN(value)) return [];
    const labels = [...inner.matchAll(label)].map(([, key = "", quoted = ""]): [string, string] => [
      key,
      quoted.replaceAll(/\\(.)/g, (_, sign: string) => (sign === "n" ? "\n" : sign)),
    ]);
    return [{ name, labels: Object.fromEntries<string>(labels), value }];
  });
}
