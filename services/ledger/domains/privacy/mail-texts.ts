import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { HolderNotice } from "@pro-talent/schemas/privacy/events";
import type { denialReasons } from "@pro-talent/schemas/privacy/reasons";
import type { RequestType } from "@pro-talent/schemas/privacy/request";

/** Notices that have other words for some requests: an account that was not used, fields that were denied. */
type Variant = "scheduled-unused" | "corrected-in-part";

/** Mails about privacy requests; `begun` is the last one of an account. */
export type RequestMail = HolderNotice | "begun" | Variant;

/** Of requests by the public form, which corrects nothing. */
export type FormRequestMail = Exclude<RequestMail, Variant>;

type Texts = {
  readonly mails: Readonly<
    Record<RequestMail, { readonly subject: string; readonly text: readonly string[] }>
  >;
  readonly types: Readonly<Record<RequestType, string>>;
  readonly reasons: Readonly<Record<(typeof denialReasons)[number], string>>;
  readonly request: string;
  readonly requested: string;
  readonly due: string;
  readonly until: string;
  readonly erased: string;
  readonly backups: string;
  /** What to do when another person asked. */
  readonly notYou: Partial<Readonly<Record<RequestMail, string>>>;
  readonly see: string;
  /** Of the certificate, which a number leads to. */
  readonly certificate: string;
  readonly number: string;
  readonly whyReceived: string;
};

export const requestMailTexts: Readonly<Record<Locale, Texts>> = {
  en: {
    mails: {
      received: {
        subject: "We have received your privacy request",
        text: [
          "Your request has arrived, and it is certain that it comes from you. A privacy officer decides about it, at the latest on the date below.",
        ],
      },
      ready: {
        subject: "The copy of your data is ready",
        text: [
          "Everything that we hold about you is in one package: readable pages, and JSON and CSV for programs.",
          "It can be downloaded five times until the date below. After that it is destroyed; you can ask for a new one at any time. You will be asked for your password.",
        ],
      },
      corrected: {
        subject: "Your data has been corrected",
        text: [
          "The values that you asked for are stored, and were read again to be sure. Everything we send from now on uses them. Invoices that were issued stay as they are: tax law demands it.",
        ],
      },
      "corrected-in-part": {
        subject: "Your data has been corrected in part",
        text: [
          "Some of the values that you asked for are stored, and were read again to be sure. Others we have decided not to change: each is named below with the reason.",
          "You can write to us about it, and you can complain to the authority for the protection of privacy where you live, or go to court.",
        ],
      },
      denied: {
        subject: "Your privacy request was denied",
        text: [
          "We have decided not to do what you asked for. You can write to us, and you can complain to the authority for the protection of privacy where you live, or go to court.",
        ],
      },
      extended: {
        subject: "Your privacy request needs more time",
        text: [
          "The law permits us to take longer than usual, and this is the notice of it, in good time. We still mean to decide by the date below.",
        ],
      },
      held: {
        subject: "The deletion of your account has to wait",
        text: [
          "A law obliges us to keep some of your data for now. The deletion stays scheduled and goes on as soon as that ends; until then your data is kept and not used. You can still cancel.",
        ],
      },
      "hold-released": {
        subject: "The deletion of your account goes on",
        text: [
          "Nothing obliges us any more to keep your data. The deletion follows on the date below, or at once if that has passed.",
        ],
      },
      scheduled: {
        subject: "Your account will be deleted",
        text: [
          "You asked us to delete your Pro Talent account. Until the date below nothing is erased, and you can cancel at any time: sign in and open the privacy page.",
          "From now on your data is kept and not used. Your links and your public page answer as not available, no open is recorded, the newsletter, mails about opens and webhooks stop, and no renewal is charged. If you cancel, everything works again as it was.",
          "After that your profile, links, files, figures and messages are erased for good. Invoices are kept only for as long as tax law demands.",
        ],
      },
      "scheduled-unused": {
        subject: "Your account will be deleted because it is not used",
        text: [
          "Your Pro Talent account has not been used for three years, and we wrote to you about it twice. Until the date below nothing is erased. To keep the account, sign in before then: that alone cancels the deletion.",
          "After that your profile, links, files, figures and messages are erased for good. Invoices are kept only for as long as tax law demands.",
        ],
      },
      cancelled: {
        subject: "Your account will not be deleted",
        text: [
          "The deletion of your Pro Talent account was cancelled. Everything stays as it was, and nothing was erased.",
        ],
      },
      "asked-for-you": {
        subject: "A privacy request was made for your account",
        text: [
          "Without signing in, a request about your Pro Talent account was sent to us by our public form, with a code that was mailed to this address. For seven days from this mail nothing is decided.",
          "If it was you, you need not do anything. If it was not, sign in and withdraw the request on the privacy page: then it ends.",
        ],
      },
      withdrawn: {
        subject: "Your privacy request was withdrawn",
        text: ["The request has ended, and nothing was changed."],
      },
      "nothing-held": {
        subject: "We hold nothing about this address",
        text: ["Your request has ended: nothing is held that it is about."],
      },
      begun: {
        subject: "Your account is being erased",
        text: [
          "The time in which the deletion could be cancelled is over. Your account is closed, and everything that belongs to it is being erased now.",
          "This is our last mail to you: your address is erased as well. Invoices are kept only for as long as tax law demands.",
          "Keep this mail: its number leads to a signed certificate as soon as everything is erased. The certificate names no person, and anyone who has the number can see it.",
        ],
      },
    },
    types: {
      access: "A copy of your data",
      correct: "A correction",
      delete: "The deletion of your account",
      "cancel-deletion": "The end of a deletion",
    },
    reasons: {
      "insufficient-verification": "The reason: it could not be verified who asked.",
      "no-match": "The reason: we hold nothing that the request is about.",
      "claim-not-covered": "The reason: the law does not cover what you asked for.",
      "outside-jurisdiction": "The reason: the law does not apply where you live.",
      "too-many-requests": "The reason: the same was asked too often.",
      "suspected-fraud": "The reason: the request may not have come from you.",
      other: "Write to us, and we explain the reason.",
    },
    request: "You asked for",
    requested: "Requested on",
    due: "Decided by",
    until: "Available until",
    erased: "Erased from",
    backups: "No backup holds your data after",
    notYou: {
      scheduled:
        "Was it not you? Sign in, cancel the deletion on the privacy page, and change your password.",
      received:
        "Was it not you? Sign in, withdraw the request on the privacy page, and change your password.",
      ready: "Was it not you? Sign in, and change your password at once.",
    },
    see: "Open the privacy page",
    certificate: "Open the certificate",
    number: "Number",
    whyReceived: "You receive this mail because the request concerns your Pro Talent account.",
  },
  he: {
    mails: {
      received: {
        subject: "בקשת הפרטיות שלך התקבלה",
        text: ["הבקשה הגיעה, וזהותך אומתה. ממונה על הפרטיות יחליט בה, לכל המאוחר במועד שלמטה."],
      },
      ready: {
        subject: "העותק של הנתונים שלך מוכן",
        text: [
          "כל מה ששמור אצלנו עליך נמצא בחבילה אחת: עמודים לקריאה, וגם JSON ו־CSV לתוכנות.",
          "אפשר להוריד אותה חמש פעמים עד המועד שלמטה. לאחר מכן היא מושמדת, ואפשר לבקש חדשה בכל עת. לפני ההורדה תידרש הסיסמה שלך.",
        ],
      },
      corrected: {
        subject: "הנתונים שלך תוקנו",
        text: [
          "הערכים שביקשת נשמרו, ונקראו שוב לבדיקה. מעכשיו כל מה שנשלח ישתמש בהם. חשבוניות שכבר הופקו נשארות כפי שהן: דיני המס מחייבים זאת.",
        ],
      },
      "corrected-in-part": {
        subject: "הנתונים שלך תוקנו חלקית",
        text: [
          "חלק מהערכים שביקשת נשמרו, ונקראו שוב לבדיקה. ערכים אחרים החלטנו שלא לשנות: כל אחד מהם מופיע למטה עם הסיבה.",
          "אפשר לכתוב לנו על כך, ואפשר גם להתלונן ברשות להגנת הפרטיות במקום מגוריך או לפנות לבית המשפט.",
        ],
      },
      denied: {
        subject: "בקשת הפרטיות שלך נדחתה",
        text: [
          "החלטנו שלא לבצע את מה שביקשת. אפשר לכתוב לנו, ואפשר גם להתלונן ברשות להגנת הפרטיות במקום מגוריך או לפנות לבית המשפט.",
        ],
      },
      extended: {
        subject: "בקשת הפרטיות שלך דורשת עוד זמן",
        text: [
          "החוק מתיר לנו זמן ארוך מהרגיל, ואנחנו מודיעים על כך בזמן. בכוונתנו להחליט עדיין עד המועד שלמטה.",
        ],
      },
      held: {
        subject: "מחיקת החשבון שלך צריכה להמתין",
        text: [
          "חוק מחייב אותנו לשמור חלק מהנתונים שלך לעת עתה. המחיקה נשארת מתוזמנת ותימשך כשהחובה תסתיים; עד אז הנתונים שלך נשמרים ואיננו משתמשים בהם. עדיין אפשר לבטל.",
        ],
      },
      "hold-released": {
        subject: "מחיקת החשבון שלך נמשכת",
        text: ["אין עוד חובה לשמור את הנתונים שלך. המחיקה תתבצע במועד שלמטה, או מייד אם הוא עבר."],
      },
      scheduled: {
        subject: "החשבון שלך יימחק",
        text: [
          "התקבלה בקשה למחוק את החשבון שלך ב־Pro Talent. עד המועד שלמטה דבר לא נמחק, ואפשר לבטל בכל רגע: מתחברים ופותחים את דף הפרטיות.",
          "מעכשיו הנתונים שלך נשמרים ואיננו משתמשים בהם. הקישורים והעמוד הציבורי שלך אינם זמינים, פתיחות אינן נרשמות, הניוזלטר, הודעות הדוא״ל על פתיחות וה־webhooks מופסקים, ושום חידוש אינו מחויב. לאחר ביטול הכול פועל שוב כפי שהיה.",
          "לאחר מכן הפרופיל, הקישורים, הקבצים, הנתונים וההודעות שלך נמחקים לצמיתות. חשבוניות נשמרות רק כל עוד דיני המס מחייבים זאת.",
        ],
      },
      "scheduled-unused": {
        subject: "החשבון שלך יימחק כי אינו בשימוש",
        text: [
          "שלוש שנים לא נעשה שימוש בחשבון שלך ב־Pro Talent, ועל כך נשלחו אליך שתי הודעות. עד המועד שלמטה דבר לא נמחק. כדי לשמור על החשבון די להתחבר לפני כן: הכניסה עצמה מבטלת את המחיקה.",
          "לאחר מכן הפרופיל, הקישורים, הקבצים, הנתונים וההודעות שלך נמחקים לצמיתות. חשבוניות נשמרות רק כל עוד דיני המס מחייבים זאת.",
        ],
      },
      cancelled: {
        subject: "החשבון שלך לא יימחק",
        text: ["מחיקת החשבון שלך ב־Pro Talent בוטלה. הכול נשאר כפי שהיה, ודבר לא נמחק."],
      },
      "asked-for-you": {
        subject: "הוגשה בקשת פרטיות לגבי החשבון שלך",
        text: [
          "בלי התחברות נשלחה אלינו, בטופס הציבורי, בקשה לגבי החשבון שלך ב־Pro Talent, עם קוד שנשלח לכתובת הזאת. במשך שבעה ימים מההודעה הזאת דבר לא מוחלט.",
          "אם הבקשה שלך, אין צורך לעשות דבר. אם לא, יש להתחבר ולמשוך את הבקשה בדף הפרטיות, והיא תסתיים.",
        ],
      },
      withdrawn: {
        subject: "בקשת הפרטיות שלך נמשכה",
        text: ["הבקשה הסתיימה, ודבר לא השתנה."],
      },
      "nothing-held": {
        subject: "אין אצלנו דבר על הכתובת הזאת",
        text: ["הבקשה הסתיימה: לא שמור אצלנו דבר שהיא נוגעת לו."],
      },
      begun: {
        subject: "החשבון שלך נמחק כעת",
        text: [
          "הזמן שבו אפשר היה לבטל את המחיקה עבר. החשבון סגור, וכל מה ששייך אליו נמחק כעת.",
          "זו ההודעה האחרונה שלנו אליך: גם הכתובת שלך נמחקת. חשבוניות נשמרות רק כל עוד דיני המס מחייבים זאת.",
          "כדאי לשמור הודעה זו: המספר שבה מוביל לאישור חתום ברגע שהכול נמחק. באישור לא מופיע שם, וכל מי שהמספר בידו יכול לראות אותו.",
        ],
      },
    },
    types: {
      access: "עותק של הנתונים שלך",
      correct: "תיקון",
      delete: "מחיקת החשבון שלך",
      "cancel-deletion": "ביטול מחיקה",
    },
    reasons: {
      "insufficient-verification": "הסיבה: לא היה אפשר לאמת מי ביקש.",
      "no-match": "הסיבה: לא שמור אצלנו דבר שהבקשה נוגעת לו.",
      "claim-not-covered": "הסיבה: החוק אינו חל על מה שביקשת.",
      "outside-jurisdiction": "הסיבה: החוק אינו חל במקום מגוריך.",
      "too-many-requests": "הסיבה: אותה בקשה הוגשה פעמים רבות מדי.",
      "suspected-fraud": "הסיבה: ייתכן שהבקשה לא הגיעה ממך.",
      other: "אפשר לכתוב לנו, ונסביר את הסיבה.",
    },
    request: "ביקשת",
    requested: "מועד הבקשה",
    due: "החלטה עד",
    until: "זמין עד",
    erased: "מועד המחיקה",
    backups: "שום גיבוי לא מכיל את הנתונים שלך לאחר",
    notYou: {
      scheduled: "לא ביקשת זאת? יש להתחבר, לבטל את המחיקה בדף הפרטיות ולהחליף סיסמה.",
      received: "לא ביקשת זאת? יש להתחבר, למשוך את הבקשה בדף הפרטיות ולהחליף סיסמה.",
      ready: "לא ביקשת זאת? יש להתחבר ולהחליף סיסמה מייד.",
    },
    see: "לדף הפרטיות",
    certificate: "לאישור המחיקה",
    number: "מספר",
    whyReceived: "ההודעה נשלחה כי הבקשה נוגעת לחשבון שלך ב־Pro Talent.",
  },
};
