export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * The one text of a JSON value: members sorted by the UTF-16 code units of their names, no space,
 * strings and numbers as ECMAScript writes them. Source: RFC 8785 (JSON Canonicalization Scheme).
 * Stored and hashed texts are made here, so that equal values have equal bytes.
 * @throws TypeError on what JSON cannot say: undefined, functions, NaN, infinities, lone surrogates,
 *   objects that are not plain
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return canonicalNumber(value);
  if (typeof value === "string") return canonicalString(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (isPlainObject(value)) {
    const members = Object.keys(value)
      .toSorted()
      .map((name) => `${canonicalString(name)}:${canonicalJson(value[name])}`);
    return `{${members.join(",")}}`;
  }
  throw new TypeError(`JSON cannot say a ${typeof value}`);
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError("JSON has no NaN and no infinity");
  return JSON.stringify(value);
}

/** RFC 8785 §3.2.2.2: a lone surrogate has no UTF-8 form and must be refused. */
function canonicalString(value: string): string {
  if (!value.isWellFormed()) throw new TypeError("A string holds half a character");
  return JSON.stringify(value);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
