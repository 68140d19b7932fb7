/**
 * Characters that often follow each one in words, from the English texts of the product and of its
 * packages' descriptions (11,416 words): 300 pairs, which are 97 % of the pairs in words and 44 % of
 * those in random text.
 */
const followers = Object.fromEntries(
  "abcdfgiklmnprstuvwxyz baeilorsuy cacehiklorstuy dabdegilorsuy eabcdefghiklmnopqrstuvwxy faefilortuy gaeghilnorstu haeiorstuy iabcdefglmnoprstvxz jaeiou kaeiy labdeilostuvy mabeimopsu nacdefgiklnoprstuvy oabcdfgiklmnoprstuvw paehiloprstu qu racdefgiklmnoprstuvy sacefhiklmnoprstuwy tacdefhilmnoprstuy uabcdefgilmnprst vaeio waehinors xceipt yaeimnops zaei"
    .split(" ")
    .map((row) => [row.charAt(0), row.slice(1)]),
);

const partOf = /[a-z0-9]+/gi;
/** Words of camel case, abbreviations, numbers. */
const runOf = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;

type Shape = {
  chars: number;
  /** Borders between a number, a word and an abbreviation that two words would not have. */
  borders: number;
  /** Characters that belong to no word. */
  odd: number;
};

/**
 * Whether text without spaces was made by chance and not by a person: hexadecimal, base 36, 62 or
 * 64, such as ids, keys and codes of links. Words in Latin script, numbers beside them and names in
 * camel case are not; other scripts never are. Eight characters are enough mostly, six or seven in
 * part (`npm run measure:scrub` prints how well).
 */
export function looksRandom(text: string): boolean {
  const shapes: Shape[] = [];
  for (const [part] of text.matchAll(partOf)) {
    const shape = shapeOf(part);
    if (isRandomPart(part, shape)) return true;
    shapes.push(shape);
  }
  const total = (key: keyof Shape): number => shapes.reduce((sum, shape) => sum + shape[key], 0);
  const [chars, borders, odd] = [total("chars"), total("borders"), total("odd")];
  // Base 64 for addresses contains hyphens and underscores.
  if (chars < 10 || borders < 3 || odd < 0.6 * chars) return false;
  return classesOf(text) === 3 || (borders >= 4 && odd >= 0.75 * chars);
}

function shapeOf(part: string): Shape {
  const runs = part.match(runOf) ?? [];
  let borders = 0;
  let odd = 0;
  let wordBefore = true;
  for (const [at, run] of runs.entries()) {
    const word = isWord(run);
    if (at > 0 && !(word && wordBefore)) borders += 1;
    if (!word) odd += run.length;
    wordBefore = word;
  }
  return { chars: part.length, borders, odd };
}

function isRandomPart(part: string, shape: Shape): boolean {
  const { chars, borders, odd } = shape;
  if (chars < 6 || borders === 0) return chars >= 12 && isGibberish(part);
  if (chars >= 8 && isHexadecimal(part)) return !isMarkedDay(part);
  // Names in camel case, `ZoomerTedJackson`, whose words are none of English.
  if (chars >= 5 * (borders + 1) && !/\d/.test(part)) return false;
  if (chars >= 12 && odd >= 0.35 * chars && borders >= Math.max(4, 0.25 * chars)) return true;
  return odd >= 0.6 * chars && hasBorders(part, shape);
}

/** As many borders as its length and characters make unlikely in a name; `1920x1080` is a size. */
function hasBorders(part: string, { chars, borders, odd }: Shape): boolean {
  const mixed = classesOf(part) === 3;
  if (chars < 8) return odd === chars && borders >= (mixed && chars === 7 ? 3 : 4);
  if (borders !== 2) return borders > 2;
  return (mixed ? odd >= 0.75 * chars : chars >= 10) && !/^\d+x\d+$/i.test(part);
}

function isHexadecimal(part: string): boolean {
  return /^(?=.*\d)(?=.*[a-f])[\da-f]+$/i.test(part);
}

/** How many there are of digits, lower and upper case. */
function classesOf(text: string): number {
  return [/\d/, /[a-z]/, /[A-Z]/].filter((kind) => kind.test(text)).length;
}

/** `20240512a`, `feed2024` */
function isMarkedDay(part: string): boolean {
  return /^(?:(?:19|20)\d\d[01]\d[0-3]\d[a-f]|[a-f]{3,5}(?:19|20)\d\d)$/i.test(part);
}

function isWord(run: string): boolean {
  if (run.length < 3 || !/[aeiouy]/i.test(run)) return false;
  return uncommonPairs(run) <= (run.length >= 8 ? 1 : 0);
}

/** A long run with pairs that words of no language have so often. */
function isGibberish(part: string): boolean {
  if (!/^[a-z]+$/i.test(part) || new Set(part).size < 6) return false;
  return uncommonPairs(part) >= 0.6 * (part.length - 1);
}

function uncommonPairs(word: string): number {
  const lower = word.toLowerCase();
  let uncommon = 0;
  for (let at = 1; at < lower.length; at += 1)
    if (!followers[lower.charAt(at - 1)]?.includes(lower.charAt(at))) uncommon += 1;
  return uncommon;
}
