import type { Locale } from "@pro-talent/schemas/primitives/locale";

/** Mails about the deletion of an account. */
export type DeletionMail = "scheduled" | "cancelled" | "begun";

type Texts = {
  readonly mails: Readonly<
    Record<DeletionMail, { readonly subject: string; readonly text: readonly string[] }>
  >;
  readonly requested: string;
  readonly erased: string;
  readonly backups: string;
  readonly notYou: string;
  readonly see: string;
  readonly whyReceived: string;
};

export const deletionMailTexts: Readonly<Record<Locale, Texts>> = {
  en: {
    mails: {
      scheduled: {
        subject: "Your account will be deleted",
        text: [
          "You asked us to delete your Pro Talent account. Until the date below nothing is erased, and you can cancel at any time: sign in and open the privacy page.",
          "After that your profile, links, files, figures and messages are erased for good. Invoices are kept only for as long as tax law demands.",
        ],
      },
      cancelled: {
        subject: "Your account will not be deleted",
        text: [
          "The deletion of your Pro Talent account was cancelled. Everything stays as it was, and nothing was erased.",
        ],
      },
      begun: {
        subject: "Your account is being erased",
        text: [
          "The time in which the deletion could be cancelled is over. Your account is closed, and everything that belongs to it is being erased now.",
          "This is our last mail to you: your address is erased as well. Invoices are kept only for as long as tax law demands.",
        ],
      },
    },
    requested: "Requested on",
    erased: "Erased from",
    backups: "No backup holds your data after",
    notYou:
      "Was it not you? Sign in, cancel the deletion on the privacy page, and change your password.",
    see: "Open the privacy page",
    whyReceived: "You receive this mail because the deletion concerns your Pro Talent account.",
  },
  he: {
    mails: {
      scheduled: {
        subject: "החשבון שלך יימחק",
        text: [
          "התקבלה בקשה למחוק את החשבון שלך ב־Pro Talent. עד המועד שלמטה דבר לא נמחק, ואפשר לבטל בכל רגע: מתחברים ופותחים את דף הפרטיות.",
          "לאחר מכן הפרופיל, הקישורים, הקבצים, הנתונים וההודעות שלך נמחקים לצמיתות. חשבוניות נשמרות רק כל עוד דיני המס מחייבים זאת.",
        ],
      },
      cancelled: {
        subject: "החשבון שלך לא יימחק",
        text: ["מחיקת החשבון שלך ב־Pro Talent בוטלה. הכול נשאר כפי שהיה, ודבר לא נמחק."],
      },
      begun: {
        subject: "החשבון שלך נמחק כעת",
        text: [
          "הזמן שבו אפשר היה לבטל את המחיקה עבר. החשבון סגור, וכל מה ששייך אליו נמחק כעת.",
          "זו ההודעה האחרונה שלנו אליך: גם הכתובת שלך נמחקת. חשבוניות נשמרות רק כל עוד דיני המס מחייבים זאת.",
        ],
      },
    },
    requested: "מועד הבקשה",
    erased: "מועד המחיקה",
    backups: "שום גיבוי לא מכיל את הנתונים שלך לאחר",
    notYou: "לא ביקשת זאת? יש להתחבר, לבטל את המחיקה בדף הפרטיות ולהחליף סיסמה.",
    see: "לדף הפרטיות",
    whyReceived: "ההודעה נשלחה כי המחיקה נוגעת לחשבון שלך ב־Pro Talent.",
  },
};
