import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { type FormRequestMail, requestMailTexts } from "../mail-texts.ts";

/**
 * Mails to the sender of a form; `code` verifies the address, `package-code` opens the package; `link` is for
 * a sender who asks again.
 */
export type FormMail = FormRequestMail | "code" | "package-code" | "link";

type Texts = {
  readonly mails: Readonly<
    Record<FormMail, { readonly subject: string; readonly text: readonly string[] }>
  >;
  readonly code: string;
  readonly types: Readonly<Record<"access" | "delete" | "correct", string>>;
  readonly see: string;
  readonly enter: string;
  readonly link: string;
  readonly certificate: string;
  readonly whyReceived: string;
  readonly notYou: string;
};

/**
 * None repeats what was entered: a form must not carry a stranger's words to a mailbox. Where nothing is said of
 * an account, the texts are those of a holder's request.
 */
export const formMailTexts: Readonly<Record<Locale, Texts>> = {
  en: {
    mails: {
      code: {
        subject: "Your code for a privacy request",
        text: [
          "A privacy request was sent to us with this address. To show that the address is yours, open the page of the request and enter this code.",
          "Nothing is decided or sent before that. The code can be entered within 14 days of the request; after five wrong ones the request ends.",
        ],
      },
      "package-code": {
        subject: "Your code to download your data",
        text: [
          "Enter this code on the page of your request to download the package. It works once, for 30 minutes.",
        ],
      },
      link: {
        subject: "Your privacy request is open",
        text: [
          "You asked us before, and that request is open. The page below shows where it stands.",
        ],
      },
      received: {
        subject: "We have received your privacy request",
        text: [
          "Your address is verified. A privacy officer decides about the request, at the latest on the date below.",
        ],
      },
      ready: {
        subject: "The copy of your data is ready",
        text: [
          "Everything that the request covers is in one package: readable pages, and JSON and CSV for programs.",
          "It can be downloaded five times until the date below, each time with a new code that we mail to this address. After that it is destroyed.",
        ],
      },
      corrected: {
        subject: "The correction is done",
        text: [
          "What you asked for is stored, and was read again to be sure. Messages that you sent us stay as you wrote them; a statement is kept with them.",
        ],
      },
      denied: requestMailTexts.en.mails.denied,
      extended: requestMailTexts.en.mails.extended,
      held: {
        subject: "The deletion of your data has to wait",
        text: [
          "A law obliges us to keep some of the data for now. The deletion stays scheduled and goes on as soon as that ends.",
        ],
      },
      "hold-released": {
        subject: "The deletion of your data goes on",
        text: [
          "Nothing obliges us any more to keep the data. The deletion follows on the date below, or at once if that has passed.",
        ],
      },
      scheduled: {
        subject: "Your data will be deleted",
        text: [
          "Until the date below nothing is erased, and you can cancel on the page of the request.",
          "After that everything that the request covers is erased for good, and so is this address.",
        ],
      },
      cancelled: {
        subject: "Your data will not be deleted",
        text: ["The deletion was cancelled. Everything stays as it was, and nothing was erased."],
      },
      withdrawn: {
        subject: "Your privacy request was withdrawn",
        text: [
          "The request has ended, and nothing was changed. You can send a new one at any time.",
        ],
      },
      "nothing-held": {
        subject: "We hold nothing about this address",
        text: [
          "We have looked for this address among subscribers, people on the waitlist, and those who wrote to us. There is nothing. Your request has ended, and what you entered in it is destroyed after this mail.",
        ],
      },
      "asked-for-you": {
        subject: "A privacy request was made about you",
        text: [
          "Without signing in, a request about data that belongs to you was sent to us. Nothing is decided for seven days from this mail.",
          "If you know of it, you need not do anything. If you do not, object on the page below: then the request ends.",
        ],
      },
      begun: {
        subject: "Your data is being erased",
        text: [
          "The time in which the deletion could be cancelled is over. Everything that the request covers is being erased now.",
          "This is our last mail about it: your address is erased as well.",
        ],
      },
    },
    code: "Code",
    types: {
      access: "A copy of your data",
      delete: "The deletion of your data",
      correct: "A correction",
    },
    see: "See your request",
    enter: "Enter the code",
    link: "Object on this page",
    certificate: "See the certificate",
    whyReceived: "You receive this mail because a privacy request names this address.",
    notYou: "Was it not you? Ignore this mail: without the code nothing happens.",
  },
  he: {
    mails: {
      code: {
        subject: "הקוד שלך לבקשת פרטיות",
        text: [
          "בקשת פרטיות נשלחה אלינו עם הכתובת הזאת. כדי להראות שהכתובת שלך, יש לפתוח את דף הבקשה ולהזין את הקוד.",
          "דבר לא מוחלט ולא נשלח לפני כן. אפשר להזין את הקוד בתוך 14 ימים ממועד הבקשה; לאחר חמישה קודים שגויים הבקשה מסתיימת.",
        ],
      },
      "package-code": {
        subject: "הקוד שלך להורדת הנתונים",
        text: ["יש להזין את הקוד בדף הבקשה כדי להוריד את החבילה. הקוד תקף לפעם אחת, במשך 30 דקות."],
      },
      link: {
        subject: "בקשת הפרטיות שלך פתוחה",
        text: ["כבר ביקשת זאת, והבקשה פתוחה. הדף שלמטה מראה היכן היא עומדת."],
      },
      received: {
        subject: "בקשת הפרטיות שלך התקבלה",
        text: ["הכתובת שלך אומתה. ממונה על הפרטיות יחליט בבקשה, לכל המאוחר במועד שלמטה."],
      },
      ready: {
        subject: "העותק של הנתונים שלך מוכן",
        text: [
          "כל מה שהבקשה כוללת נמצא בחבילה אחת: עמודים לקריאה, וגם JSON ו־CSV לתוכנות.",
          "אפשר להוריד אותה חמש פעמים עד המועד שלמטה, ובכל פעם עם קוד חדש שנשלח לכתובת הזאת. לאחר מכן היא מושמדת.",
        ],
      },
      corrected: {
        subject: "התיקון בוצע",
        text: [
          "מה שביקשת נשמר, ונקרא שוב לבדיקה. הודעות ששלחת אלינו נשארות כפי שנכתבו; ההצהרה נשמרת לצידן.",
        ],
      },
      denied: requestMailTexts.he.mails.denied,
      extended: requestMailTexts.he.mails.extended,
      held: {
        subject: "מחיקת הנתונים שלך צריכה להמתין",
        text: [
          "חוק מחייב אותנו לשמור חלק מהנתונים לעת עתה. המחיקה נשארת מתוזמנת ותימשך כשהחובה תסתיים.",
        ],
      },
      "hold-released": {
        subject: "מחיקת הנתונים שלך נמשכת",
        text: ["אין עוד חובה לשמור את הנתונים. המחיקה תתבצע במועד שלמטה, או מייד אם הוא עבר."],
      },
      scheduled: {
        subject: "הנתונים שלך יימחקו",
        text: [
          "עד המועד שלמטה דבר לא נמחק, ואפשר לבטל בדף הבקשה.",
          "לאחר מכן כל מה שהבקשה כוללת נמחק לצמיתות, וגם הכתובת הזאת.",
        ],
      },
      cancelled: {
        subject: "הנתונים שלך לא יימחקו",
        text: ["המחיקה בוטלה. הכול נשאר כפי שהיה, ודבר לא נמחק."],
      },
      withdrawn: {
        subject: "בקשת הפרטיות שלך נמשכה",
        text: ["הבקשה הסתיימה, ודבר לא השתנה. אפשר לשלוח בקשה חדשה בכל עת."],
      },
      "nothing-held": {
        subject: "אין אצלנו דבר על הכתובת הזאת",
        text: [
          "חיפשנו את הכתובת בין הרשומים לניוזלטר, ברשימת ההמתנה ובין מי שכתבו אלינו, ולא נמצא דבר. הבקשה הסתיימה, ומה שהוזן בה מושמד לאחר ההודעה הזאת.",
        ],
      },
      "asked-for-you": {
        subject: "הוגשה בקשת פרטיות שנוגעת לך",
        text: [
          "בלי התחברות לחשבון נשלחה אלינו בקשה לגבי נתונים ששייכים לך. דבר לא מוחלט במשך שבעה ימים מההודעה הזאת.",
          "אם הבקשה ידועה לך, אין צורך לעשות דבר. אם לא, אפשר להתנגד בדף שלמטה, והבקשה תסתיים.",
        ],
      },
      begun: {
        subject: "הנתונים שלך נמחקים כעת",
        text: [
          "הזמן שבו אפשר היה לבטל את המחיקה עבר. כל מה שהבקשה כוללת נמחק כעת.",
          "זו ההודעה האחרונה שלנו בנושא: גם הכתובת שלך נמחקת.",
        ],
      },
    },
    code: "קוד",
    types: {
      access: "עותק של הנתונים שלך",
      delete: "מחיקת הנתונים שלך",
      correct: "תיקון",
    },
    see: "לדף הבקשה",
    enter: "להזנת הקוד",
    link: "להתנגדות בדף הזה",
    certificate: "לאישור המחיקה",
    whyReceived: "ההודעה נשלחה כי בקשת פרטיות כוללת את הכתובת הזאת.",
    notYou: "לא ביקשת? אפשר להתעלם מההודעה: בלי הקוד לא קורה דבר.",
  },
};
