/** A column of a result, with its type as ClickHouse names it. */
export type ResultColumn = { readonly name: string; readonly type: string };
/** A value of a cell. Arrays and tuples are kept as their JSON. */
export type ResultValue = string | number | boolean | null;
export type ResultOrder = { readonly column: number; readonly descending: boolean };
/** Rows in their present order and columns, both from 0; the ends are excluded. */
export type ResultRange = {
  readonly fromRow: number;
  readonly toRow: number;
  readonly fromColumn: number;
  readonly toColumn: number;
};
/** `chars`: of each column, about as many characters as its values have. */
export type ResultShape = {
  readonly columns: readonly ResultColumn[];
  readonly count: number;
  readonly chars: readonly number[];
};

/** The type without what says that it may be null or is stored as a dictionary. */
export function plainType(type: string): string {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/u.exec(type)?.[1];
  return inner === undefined ? type : plainType(inner);
}
export const isNumeric = (type: string): boolean =>
  /^(?:U?Int|Float|Decimal|BFloat)/u.test(plainType(type));
export const isTime = (type: string): boolean => plainType(type).startsWith("Date");

/** The text of a value: what is shown, compared and copied. */
export const textOf = (value: ResultValue | undefined): string =>
  value === null || value === undefined ? "" : String(value);

const measuredRows = 200;
const charsMax = 60;
/** Equal texts of a column are kept once, up to so many different ones. */
const knownMax = 10_000;

/**
 * The rows of a result by columns, in the order of the query or sorted. A million rows are a few arrays: numbers
 * without boxes, and repeated texts once.
 */
export class ResultRows {
  #columns: readonly ResultColumn[] = [];
  #values: ResultValue[][] = [];
  #known: Map<ResultValue, ResultValue>[] = [];
  #chars: number[] = [];
  #order: Uint32Array | undefined;
  #count = 0;

  begin(columns: readonly ResultColumn[]): void {
    this.#columns = columns;
    this.#values = columns.map(() => []);
    this.#known = columns.map(() => new Map<ResultValue, ResultValue>());
    this.#chars = columns.map(() => 0);
    this.#order = undefined;
    this.#count = 0;
  }

  append(row: readonly unknown[]): void {
    for (const [at, values] of this.#values.entries()) {
      const value = this.#keep(at, row[at]);
      values.push(value);
      if (this.#count < measuredRows)
        this.#chars[at] = Math.min(charsMax, Math.max(this.#chars[at] ?? 0, textOf(value).length));
    }
    this.#count += 1;
  }

  #keep(column: number, given: unknown): ResultValue {
    if (given === null || given === undefined) return null;
    if (typeof given === "number" || typeof given === "boolean") return given;
    const text = typeof given === "string" ? given : JSON.stringify(given);
    const known = this.#known[column];
    const before = known?.get(text);
    if (before !== undefined) return before;
    if (known !== undefined && known.size < knownMax) known.set(text, text);
    return text;
  }

  get shape(): ResultShape {
    return { columns: this.#columns, count: this.#count, chars: [...this.#chars] };
  }

  /** Sorts by a column: numbers by size, texts by their characters, null at the end. Undefined: as the query did. */
  sort(order: ResultOrder | undefined): void {
    const values = order === undefined ? undefined : this.#values[order.column];
    const type = this.#columns[order?.column ?? 0]?.type ?? "";
    if (order === undefined || values === undefined) {
      this.#order = undefined;
      return;
    }
    const sign = order.descending ? -1 : 1;
    const compare = isNumeric(type) ? byNumber(values, sign) : byText(values, sign);
    // Rows that are equal stay in the order of the query.
    this.#order = Uint32Array.from({ length: this.#count }, (_, at) => at).toSorted(
      (one, other) => compare(one, other) || one - other,
    );
  }

  /** The rows of a range, as far as there are any. */
  read({ fromRow, toRow, fromColumn, toColumn }: ResultRange): ResultValue[][] {
    const columns = this.#values.slice(fromColumn, toColumn);
    const end = Math.min(toRow, this.#count);
    return Array.from({ length: Math.max(0, end - fromRow) }, (_, at) => {
      const row = this.#order?.[fromRow + at] ?? fromRow + at;
      return columns.map((values) => values[row] ?? null);
    });
  }

  /** A range as text for other programs: tabs between cells, one row on each line. */
  text(range: ResultRange, withHeader: boolean): string {
    const plain = (text: string): string => text.replaceAll(/[\t\r\n]+/gu, " ");
    const header = this.#columns.slice(range.fromColumn, range.toColumn).map(({ name }) => name);
    const rows = this.read(range).map((row) => row.map(textOf));
    const lines = withHeader ? [header, ...rows] : rows;
    return lines.map((cells) => cells.map(plain).join("\t")).join("\n");
  }
}

type Compare = (one: number, other: number) => number;

/** Numbers of 64 bits arrive as texts. */
function byNumber(values: readonly ResultValue[], sign: number): Compare {
  const numbers = Float64Array.from(values, (value) =>
    value === null ? Number.NaN : Number(value),
  );
  return (one, other) => {
    const [left = Number.NaN, right = Number.NaN] = [numbers[one], numbers[other]];
    if (Number.isNaN(left) || Number.isNaN(right))
      return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    return left === right ? 0 : (left < right ? -1 : 1) * sign;
  };
}

function byText(values: readonly ResultValue[], sign: number): Compare {
  return (one, other) => {
    const [left = null, right = null] = [values[one], values[other]];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    const [before, after] = [String(left), String(right)];
    return before === after ? 0 : (before < after ? -1 : 1) * sign;
  };
}
