import { type Finding, matches } from "./finding.ts";
import { looksRandom } from "./random-text.ts";

const token = "[token]";

/** Keys and tokens whose makers begin them with a name of their own. */
const issued =
  /(?<![a-z\d])(?:(?:AKIA|ASIA|AROA|AIDA)[A-Z\d]{16}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|(?:[sprw]k|whsec|rk)_(?:live_|test_)?[a-z\d]{16,}|sk-[\w-]{16,}|xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}|AIza[\w-]{30,}|ya29\.[\w-]{16,}|GOCSPX-[\w-]{16,}|SG\.[\w-]{16,}\.[\w-]{16,}|npm_[a-z\d]{30,}|pypi-[\w-]{16,}|shp(?:at|ss|ca|pa)_[\da-f]{32}|hf_[a-z\d]{30,}|do[opr]_v1_[\da-f]{32,}|key-[\da-f]{32}|EAA[a-z\d]{40,}|\d{8,10}:AA[\w-]{32,})(?![a-z\d])/gi;
const jwt = /(?<![\w-])eyJ[\w-]{6,}(?:\.[\w-]*){1,4}/g;
const uuid = /(?<![\da-f])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-f])/gi;
const privateKey = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,30}-----)?/g;
const credentials = /(?<=:\/\/)[^\s/?#@"'<>]{1,256}:[^\s/?#@"'<>]{0,256}(?=@)/g;
const scheme =
  /(?<=(?<![a-z])(?:bearer|basic|token|apikey|api-key)[ :=]{1,3})(?=[\w.~+/-]{0,200}[\d=])[\w.~+/-]{12,}=*/gi;
/** Words are no tokens; text of a key, hash or code is one run of these characters. */
const run = /[\w+/=-]{12,}/g;

const secretName =
  /(?<![a-z])(?:[a-z]+[_-]?)?(?:token|secret|passw(?:or)?d|passphrase|pwd|api[_-]?key|access[_-]?key|private[_-]?key|signature|authorization|credentials?|cookie|session[_-]?id|jsessionid|phpsessid|sessid|csrf|xsrf|otp|jwt|סיסמה|סיסמא)$/iu;

/** Whether a field of this name holds a secret, whatever its value looks like. */
export function namesSecret(name: string): boolean {
  return secretName.test(name);
}

/** Keys, tokens, and passwords in addresses and parameters, by the form that they have. */
export function* secrets(text: string): Iterable<Finding> {
  yield* matches("[secret]", text, credentials);
  yield* parameters(text);
  for (const pattern of [privateKey, jwt, issued, scheme]) yield* matches(token, text, pattern);
  yield* matches("[uuid]", text, uuid);
}

/** Other keys and tokens: text that was made by chance. */
export function* randomTexts(text: string): Iterable<Finding> {
  for (const { 0: word, index: from } of text.matchAll(run)) {
    // A domain of another script in its ASCII form (RFC 3492) only looks random.
    if (word.startsWith("xn--")) continue;
    // Paths of words are no base 64, which has plus and equals signs as well.
    const pieces = /[+=]/.test(word) ? [word] : word.split("/");
    if (pieces.some((piece) => piece.length >= 12 && looksRandom(piece)))
      yield { mark: token, from, to: from + word.length };
  }
}

const named = /(?<![\w-])(?:[\w-]{2,40}|[\u05d0-\u05ea]{4,12})(?=["' ]{0,2}[=:])/g;
const stated = /["' ]{0,2}([=:])["' ]{0,2}([^\s&#"'<>,;[\]]{3,256})/y;

/** `name=value`, and `name: value` where the value is not a word. */
function* parameters(text: string): Iterable<Finding> {
  let done = 0;
  for (const { 0: name, index } of text.matchAll(named)) {
    if (index < done || !namesSecret(name)) continue;
    stated.lastIndex = index + name.length;
    const [whole = "", sign, value = ""] = stated.exec(text) ?? [];
    const isWord = !/\d/.test(value) || !/[\p{L}_!$%^*-]/u.test(value) || value.length < 6;
    if (value === "" || (sign === ":" && isWord)) continue;
    done = index + name.length + whole.length;
    yield { mark: "[secret]", from: done - value.length, to: done };
  }
}
