/**
 * Addresses of the product with a part that names a person or opens something: design, account
 * routes. Their parts are never stored; in statistics the address is the pattern.
 */
const patterns = ["/p/:handle", "/l/:code", "/links/:id", "/cv/:id", "/join/:token"].map(
  (pattern) => pattern.slice(1).split("/"),
);

/**
 * The parts of an address as statistics store them, when it is one of those with a variable part.
 * What follows a variable part is not part of the product, and left out.
 */
export function matchOwnPath(parts: readonly string[]): readonly string[] | undefined {
  return patterns.find(
    (pattern) =>
      parts.length >= pattern.length &&
      pattern.every((name, at) => name.startsWith(":") || name === parts[at]?.toLowerCase()),
  );
}
