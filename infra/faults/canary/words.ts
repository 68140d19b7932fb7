import { gzipSync } from "node:zlib";

import { spellingsOf } from "@pro-talent/platform/search/spellings";

const latin = "abcdefghijkmnopqrstuvwxyz";
const hebrew = "אבגדהוזחטיכלמנסעפצקרשת";

/**
 * Unique words of one person, each for one field, in the forms in which people write: Hebrew, both
 * directions in one line, upper and lower case, characters with combining marks. All are remembered.
 */
export class PersonalWords {
  readonly #random: () => number;
  /** The field of each word. */
  readonly fields = new Map<string, string>();

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Twelve characters: found by chance nowhere. */
  latin(field: string): string {
    return this.#keep(field, this.#characters(latin, 12));
  }

  hebrew(field: string): string {
    return this.#keep(field, this.#characters(hebrew, 12));
  }

  upper(field: string): string {
    const word = this.#characters(latin, 12);
    return this.#keep(field, word.slice(0, 6).toUpperCase() + word.slice(6));
  }

  /** Vowels with an acute accent each, as two characters that may be stored as one. */
  combining(field: string): string {
    return this.#keep(
      field,
      Array.from(this.#characters("aeiouy", 10), (one) => `${one}\u0301`).join(""),
    );
  }

  /** Words in both directions, with the marks that keep them apart. */
  mixed(field: string): string {
    return `${this.hebrew(field)} \u2066${this.upper(field)}\u2069 ${this.combining(field)}`;
  }

  /** A telephone number, which may be stored as its digits. */
  digits(field: string): string {
    return this.#keep(field, `+97250${this.#characters("0123456789", 9)}`);
  }

  /** A word that is transported compressed: in base64 of gzip. */
  compressed(field: string): string {
    return gzipSync(`${this.latin(field)} ${this.hebrew(field)}`.repeat(3)).toString("base64");
  }

  #characters(alphabet: string, count: number): string {
    const characters = Array.from(alphabet);
    return Array.from(
      { length: count },
      () => characters[Math.floor(this.#random() * characters.length)] ?? "",
    ).join("");
  }

  #keep(field: string, word: string): string {
    this.fields.set(word, field);
    return word;
  }
}

/** How a word may lie in a store: of each of its normal forms, every spelling. */
export function storedSpellings(word: string): string[] {
  const forms = [word, word.normalize("NFC"), word.normalize("NFD"), word.toUpperCase()];
  return [...new Set(forms.flatMap((form) => [...spellingsOf(form), ...moreSpellings(form)]))];
}

/** Escapes of JSON, HTML and mails, which leave ASCII as it is. */
function moreSpellings(form: string): string[] {
  const bytes = Buffer.from(form);
  const escaped = (write: (code: number) => string): string =>
    Array.from({ length: form.length }, (_, at) => {
      const code = form.charCodeAt(at);
      return code < 128 ? form.charAt(at) : write(code);
    }).join("");
  const quoted = [...bytes]
    .map((byte) =>
      byte < 128
        ? String.fromCharCode(byte)
        : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .join("");
  return [
    escaped((code) => `\\u${code.toString(16).padStart(4, "0")}`),
    escaped((code) => `&#${code};`),
    escaped((code) => `&#x${code.toString(16)};`),
    quoted,
  ];
}
