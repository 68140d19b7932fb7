/**
 * How a value may have been stored: as written, decoded up to twice, in small and in capital letters;
 * and each of these within JSON, HTML, a path, a query or a form, encoded once or twice, without
 * separators, in hexadecimal and base 64.
 */
export function spellingsOf(value: string): string[] {
  const forms = new Set<string>();
  let text = value;
  for (let pass = 0; pass < 3; pass += 1) {
    for (const form of [text, text.normalize("NFKC"), text.normalize("NFD")])
      forms.add(form).add(form.toLowerCase()).add(form.toUpperCase());
    text = decoded(text);
  }
  return [...new Set([...forms].flatMap(encodingsOf))];
}

/** A text with a stray percent sign is none that was encoded. */
function decoded(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function encodingsOf(form: string): string[] {
  const bytes = Buffer.from(form);
  const encoded = encodeURIComponent(form);
  const digits = form.replaceAll(/[ ().-]/g, "");
  const quoted = JSON.stringify(form).slice(1, -1);
  return [
    form,
    encoded,
    encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    encodeURIComponent(encoded),
    encoded.replaceAll("%20", "+"),
    quoted,
    // Programs that write JSON in ASCII alone.
    quoted.replaceAll(/[^ -~]/g, unicodeEscape),
    form.replaceAll("&", "&amp;").replaceAll("@", "&#64;"),
    // A number may have been stored as one.
    ...(/^\+?\d{8,}$/.test(digits) ? [digits, digits.replace("+", "")] : []),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...base64Within(bytes),
  ];
}

const unicodeEscape = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** What stays of some bytes in the base 64 of any text that they are a part of (RFC 4648 §4, §5). */
function base64Within(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64url");
    // Characters at both ends hold bits of the neighbours.
    const middle = text.slice(before === 0 ? 0 : before + 1, -1);
    const standard = middle.replaceAll("-", "+").replaceAll("_", "/");
    return bytes.length < 9 ? [] : [middle, standard];
  });
}
