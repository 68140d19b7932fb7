/** Rules of check digits; each takes the characters without separators. */

const digitsOf = (text: string): number[] => Array.from(text, Number);

function weighted(text: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * Number(text.charAt(at)), 0);
}

/** Cards, Israel, Sweden, South Africa, Canada: ISO/IEC 7812-1, annex B. */
export function luhn(digits: string): boolean {
  const sum = digitsOf(digits)
    .reverse()
    .reduce((total, digit, at) => {
      const part = at % 2 === 0 ? digit : 2 * digit;
      return total + (part > 9 ? part - 9 : part);
    }, 0);
  return sum % 10 === 0 && /[1-9]/.test(digits);
}

/** Remainder of a number of any length, in which A counts 10, B 11 and so on. */
function remainder(text: string, divisor: number): number {
  return Array.from(text).reduce((rest, character) => {
    const value = parseInt(character, 36);
    return (rest * (value > 9 ? 100 : 10) + value) % divisor;
  }, 0);
}

/** ISO 13616-1 over ISO/IEC 7064 MOD 97-10. */
export function ibanCheck(iban: string): boolean {
  return remainder(iban.slice(4) + iban.slice(0, 4), 97) === 1;
}

const verhoeffPermutation = digitsOf("1576283094");
const verhoeffProduct = (a: number, b: number): number => {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5);
  return b < 5 ? 5 + ((a - b) % 5) : (5 + a - b) % 5;
};

/** India, Aadhaar: J. Verhoeff, Error Detecting Decimal Codes (1969), dihedral group of order ten. */
export function verhoeff(digits: string): boolean {
  const check = digitsOf(digits)
    .reverse()
    .reduce((code, digit, at) => {
      let permuted = digit;
      for (let n = at % 8; n > 0; n -= 1) permuted = verhoeffPermutation[permuted] ?? 0;
      return verhoeffProduct(code, permuted);
    }, 0);
  return check === 0;
}

/** Brazil, CPF: two digits, each modulo 11 over those before it. */
export function cpf(digits: string): boolean {
  if (/^(\d)\1+$/.test(digits)) return false;
  return [9, 10].every((length) => {
    const weights = Array.from({ length }, (_none, at) => length + 1 - at);
    return ((weighted(digits, weights) * 10) % 11) % 10 === Number(digits.charAt(length));
  });
}

/** Poland, PESEL: weights 1, 3, 7, 9; the month carries the century. */
export function pesel(digits: string): boolean {
  const month = Number(digits.slice(2, 4)) % 20;
  const day = Number(digits.slice(4, 6));
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  return weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
}

/** Türkiye, T.C. kimlik no: two digits. */
export function tckn(digits: string): boolean {
  if (digits.startsWith("0")) return false;
  const odd = weighted(digits, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
  const even = weighted(digits, [0, 1, 0, 1, 0, 1, 0, 1]);
  const tenth = (((odd * 7 - even) % 10) + 10) % 10;
  const sum = weighted(digits, Array<number>(10).fill(1));
  return tenth === Number(digits.charAt(9)) && sum % 10 === Number(digits.charAt(10));
}

/** France, NIR: 97 minus the remainder; 2A and 2B (Corsica) count as 19 and 18. */
export function nir(text: string): boolean {
  const number = text.slice(0, 13).replace(/2A/i, "19").replace(/2B/i, "18");
  return /^\d{13}$/.test(number) && 97 - remainder(number, 97) === Number(text.slice(13));
}

/** Spain: DNI, and NIE whose X, Y or Z counts as 0, 1 or 2; the last character is modulo 23. */
export function dni(text: string): boolean {
  const number = Number(
    text.slice(0, -1).replace(/^[XYZ]/, (first) => String("XYZ".indexOf(first))),
  );
  return "TRWAGMYFPDXBNJZSQVHLCKE".charAt(number % 23) === text.slice(-1);
}

/** Italy, codice fiscale: values of the characters at odd places, in the order 0-9 and A-Z. */
const odd = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

export function codiceFiscale(text: string): boolean {
  const sum = Array.from(text.slice(0, 15)).reduce((total, character, at) => {
    const value = /\d/.test(character) ? Number(character) : parseInt(character, 36) - 10;
    return total + (at % 2 === 0 ? (odd[value] ?? 0) : value);
  }, 0);
  return String.fromCharCode(65 + (sum % 26)) === text.slice(15);
}

/** China, resident identity card: ISO/IEC 7064 MOD 11-2. */
export function residentCard(text: string): boolean {
  const sum = weighted(text, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
  return "10X98765432".charAt(sum % 11) === text.slice(17);
}

/** Finland, henkilötunnus: modulo 31. */
export function hetu(text: string): boolean {
  const number = Number(text.slice(0, 6) + text.slice(-4, -1));
  return "0123456789ABCDEFHJKLMNPRSTUVWXY".charAt(number % 31) === text.slice(-1);
}

/** Whether two digits are a month and two a day. */
export function isDay(month: string, day: string): boolean {
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
}

/** Sweden: a birth date and a Luhn digit; days of coordination numbers are 60 more. */
export function personnummer(digits: string): boolean {
  const ten = digits.slice(-10);
  const day = Number(ten.slice(4, 6)) % 60;
  return isDay(ten.slice(2, 4), String(day)) && luhn(ten);
}

/** South Africa: a birth date, citizenship 0 or 1, and a Luhn digit. */
export function southAfrican(digits: string): boolean {
  return (
    /^\d{10}[012][89]\d$/.test(digits) &&
    isDay(digits.slice(2, 4), digits.slice(4, 6)) &&
    luhn(digits)
  );
}
