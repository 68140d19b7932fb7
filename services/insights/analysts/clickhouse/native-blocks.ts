import { pipeline, type Readable, Transform } from "node:stream";

/** Since this version of the protocol each column says whether its values are laid out in a way of their own. */
const statesLayout = 54_454;
/** Two numbered fields and an end: the block is not overflown and of no bucket. */
const blockInfo = Buffer.from([1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0]);
const usualLayout = Buffer.from([0]);

/** Types by the bytes of a value. */
const widths: readonly (readonly [number, RegExp])[] = [
  [1, /^(?:Bool|Nothing|U?Int8|Enum8)$/u],
  [2, /^(?:U?Int16|Enum16|Date)$/u],
  [4, /^(?:U?Int32|Float32|Date32|DateTime|IPv4)$/u],
  [8, /^(?:U?Int64|Float64|DateTime64|Interval\w+)$/u],
  [16, /^(?:U?Int128|UUID|IPv6)$/u],
  [32, /^U?Int256$/u],
];

/** The block is not there in full yet. */
class Unfinished extends Error {}

/** A place in bytes, which moves behind what is read. */
class Cursor {
  at = 0;
  readonly #bytes: Buffer;
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }
  skip(count: number): void {
    this.at += count;
    if (this.at > this.#bytes.length) throw new Unfinished();
  }
  number(): number {
    for (let value = 0, factor = 1; ; factor *= 128) {
      this.skip(1);
      const byte = this.#bytes[this.at - 1] ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  }
  text(): string {
    const length = this.number();
    this.skip(length);
    return this.#bytes.toString("utf8", this.at - length, this.at);
  }
  /** Of 64 bits. */
  size(): number {
    this.skip(8);
    return Number(this.#bytes.readBigUInt64LE(this.at - 8));
  }
}

/** What stands in the brackets of a type, without the names that elements of a tuple may have. */
function withinOf(type: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const [token] of type
    .slice(type.indexOf("(") + 1, -1)
    .matchAll(/'(?:[^'\\]|\\.)*'|`[^`]*`|[^]/gu)) {
    depth += token === "(" ? 1 : token === ")" ? -1 : 0;
    if (token === "," && depth === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + token);
  }
  return parts.map((part) => part.trim().replace(/^(?:\w+|`[^`]*`) (?=[A-Z])/u, ""));
}

/** Bytes of a value of a type whose values have the same. */
function widthOf(name: string, first: string): number {
  if (name === "FixedString") return Number(first);
  // By the number of its digits.
  if (name === "Decimal")
    return [9, 18, 38].reduce((at, digits) => (Number(first) > digits ? at * 2 : at), 4);
  const width = widths.find(([, names]) => names.test(name))?.[0];
  if (width === undefined) throw new Error(`Values of the type ${name} are not known`);
  return width;
}

/** Elements of some arrays together: where the last one ends. */
function elementsOf(cursor: Cursor, rows: number): number {
  if (rows === 0) return 0;
  cursor.skip((rows - 1) * 8);
  return cursor.size();
}

/** Different values, and which of them each row has, by a number as wide as need be. */
function skipDictionary(cursor: Cursor, type: string): void {
  const indexWidth = 2 ** (cursor.size() % 256);
  skipValues(cursor, type.replace(/^Nullable\((.*)\)$/u, "$1"), cursor.size());
  cursor.skip(cursor.size() * indexWidth);
}

/** Moves behind the values of a column. */
function skipValues(cursor: Cursor, type: string, rows: number): void {
  const name = /^\w+/u.exec(type)?.[0] ?? "";
  const within = type.endsWith(")") ? withinOf(type) : [];
  const skipEach = (count: number): void => within.forEach((one) => skipValues(cursor, one, count));
  switch (name) {
    case "String":
      for (let row = 0; row < rows; row += 1) cursor.skip(cursor.number());
      return;
    case "Array":
    case "Map":
      return skipEach(elementsOf(cursor, rows));
    case "LowCardinality":
      return rows === 0 ? undefined : skipDictionary(cursor, within[0] ?? "");
    case "Tuple":
      return skipEach(rows);
    case "Nullable":
      cursor.skip(rows);
      return skipEach(rows);
    default:
      cursor.skip(rows * widthOf(name, within[0] ?? ""));
  }
}

/** The block at the beginning of the bytes, as a version of the protocol has it. @throws Unfinished */
function blockIn(bytes: Buffer, version: number): { readonly parts: Buffer[]; length: number } {
  const cursor = new Cursor(bytes);
  const parts: Buffer[] = [blockInfo];
  const columns = cursor.number();
  const rows = cursor.number();
  let from = 0;
  for (let column = 0; column < columns; column += 1) {
    cursor.text();
    const type = cursor.text();
    parts.push(bytes.subarray(from, cursor.at));
    if (version >= statesLayout) parts.push(usualLayout);
    from = cursor.at;
    if (rows === 0) continue;
    // Dictionaries state their version first, wherever in the column they are.
    cursor.skip(8 * (type.match(/\bLowCardinality\(/gu)?.length ?? 0));
    skipValues(cursor, type, rows);
  }
  parts.push(bytes.subarray(from, cursor.at));
  return { parts, length: cursor.at };
}

/**
 * A result in the format `Native` as a client reads it that stated a version of ClickHouse's protocol: it expects a head
 * before each block and a mark in each column. The engine behind HTTP is asked by the service, which states none.
 */
export function nativeBlocks(result: Readable, version: number): Readable {
  let held: Buffer[] = [];
  let size = 0;
  /** A block is read again from its beginning once there is half as much again. */
  let next = 0;
  const read = (blocks: Transform): void => {
    let bytes: Buffer = Buffer.concat(held);
    try {
      while (bytes.length > 0) {
        const { parts, length } = blockIn(bytes, version);
        blocks.push(Buffer.concat(parts));
        bytes = bytes.subarray(length);
      }
      next = 0;
    } catch (error) {
      if (!(error instanceof Unfinished)) throw error;
      next = bytes.length * 1.5;
    }
    [held, size] = [[bytes], bytes.length];
  };
  const blocks = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      held.push(chunk);
      size += chunk.length;
      try {
        if (size >= next) read(this);
        done();
      } catch (error) {
        done(error instanceof Error ? error : null);
      }
    },
    flush(done) {
      // Of a part of a block nothing is left to wait for.
      if (size > 0) read(this);
      done(size === 0 ? null : new Error("The result ends within a block"));
    },
  });
  // What becomes of either becomes of the other.
  return pipeline(result, blocks, () => undefined);
}
