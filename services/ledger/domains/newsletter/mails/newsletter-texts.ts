import { newsletterPromises } from "@pro-talent/schemas/newsletter/consent-texts";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { launch } from "@pro-talent/schemas/site/launch";

const promise = newsletterPromises[launch.state];

const en = {
  confirmNewsletter: {
    subject: "Please confirm your address",
    title: "One step left",
    preheader: "Confirm your address to receive the Pro Talent newsletter.",
    asked:
      "This address was entered for the Pro Talent newsletter. Please confirm that it is yours.",
    button: "Confirm my address",
  },
  confirmWaitlist: {
    subject: "Confirm your place on the waitlist",
    title: "One step left",
    preheader: "Confirm your address to join the Pro Talent waitlist.",
    asked: "This address was entered for the Pro Talent waitlist. Please confirm that it is yours.",
    button: "Confirm my place",
  },
  expires: (hours: number) =>
    `The link works once, for ${hours} hours. After that, the page it opens can send a new one.`,
  agreedTo: "This text was agreed to:",
  notYou: (days: number) =>
    `If you did not ask for this, you can ignore this email. Without a confirmation we send nothing more, and we delete the address after ${days} days.`,
  never: "Never write to this address again",
  welcomeNewsletter: {
    subject: "Welcome to the Pro Talent newsletter",
    title: "Your address is confirmed",
    preheader: "What you will hear from us, and how often.",
    opening: "Thank you. From now on you receive the Pro Talent newsletter.",
    steps: [
      "What is new in Pro Talent, and what we are building.",
      "Short advice on CVs, applicant tracking systems and applications.",
      "One email on the day we open.",
    ],
  },
  welcomeWaitlist: {
    subject: "You are on the Pro Talent waitlist",
    title: "You are on the list",
    preheader: "What happens between now and the day we open.",
    opening: "Thank you. Your place on the Pro Talent waitlist is confirmed.",
    steps: [
      "One email on the day we open.",
      "Early-bird discounts, before anyone else hears about them.",
      "Invitations to try the product before it opens.",
    ],
  },
  preferencesLink: {
    subject: "Your newsletter preferences",
    title: "Your link",
    preheader: "Change what you receive from Pro Talent, or unsubscribe.",
    asked:
      "A new link to the preferences of this address was requested. It changes how often we write, about what and in which language, or ends the newsletter.",
    button: "Open my preferences",
  },
  notYouLink: "If you did not ask for this, you can ignore this email: nothing has changed.",
  next: "What comes next:",
  rhythm: {
    weekly: promise.en,
    monthly: "We write about once a month.",
  },
  whyReceived: "You receive this because you confirmed this address on the Pro Talent site.",
  manage: "Change what you receive, or unsubscribe",
};

const he: typeof en = {
  confirmNewsletter: {
    subject: "נותר לאשר את הכתובת",
    title: "נשאר צעד אחד",
    preheader: "אישור הכתובת, והניוזלטר של Pro Talent בדרך.",
    asked: "הכתובת הזאת הוזנה לקבלת הניוזלטר של Pro Talent. נותר לאשר שהיא שלכם.",
    button: "אישור הכתובת",
  },
  confirmWaitlist: {
    subject: "נותר לאשר את המקום ברשימת ההמתנה",
    title: "נשאר צעד אחד",
    preheader: "אישור הכתובת, והמקום ברשימת ההמתנה של Pro Talent שמור.",
    asked: "הכתובת הזאת הוזנה לרשימת ההמתנה של Pro Talent. נותר לאשר שהיא שלכם.",
    button: "אישור ההצטרפות",
  },
  expires: (hours) =>
    `הקישור פועל פעם אחת, במשך ${hours} שעות. אחרי כן אפשר לבקש קישור חדש בעמוד שהוא פותח.`,
  agreedTo: "הנוסח שאושר בעת ההרשמה:",
  notYou: (days) =>
    `לא אתם נרשמתם? אין צורך לעשות דבר: בלי אישור לא נכתוב שוב, והכתובת תימחק אחרי ${days} יום.`,
  never: "לא לכתוב שוב לכתובת הזאת, לעולם",
  welcomeNewsletter: {
    subject: "ברוכים הבאים לניוזלטר של Pro Talent",
    title: "הכתובת אושרה",
    preheader: "על מה נכתוב, ובאיזו תדירות.",
    opening: "תודה. מעכשיו הניוזלטר של Pro Talent יגיע לכתובת הזאת.",
    steps: [
      "מה חדש ב־Pro Talent, ומה בדרך.",
      "עצות קצרות על קורות חיים, מערכות גיוס והגשת מועמדות.",
      "הודעה אחת ביום הפתיחה.",
    ],
  },
  welcomeWaitlist: {
    subject: "אישור הצטרפות לרשימת ההמתנה של Pro Talent",
    title: "אתם ברשימה",
    preheader: "מה קורה מעכשיו ועד יום הפתיחה.",
    opening: "תודה. המקום ברשימת ההמתנה של Pro Talent אושר.",
    steps: [
      "הודעה אחת ביום הפתיחה.",
      "הנחות למצטרפים הראשונים, לפני כולם.",
      "הזמנות לנסות את המוצר עוד לפני הפתיחה.",
    ],
  },
  preferencesLink: {
    subject: "ההעדפות של הניוזלטר",
    title: "הקישור להעדפות",
    preheader: "שינוי המכתבים מ־Pro Talent, או הסרה מהרשימה.",
    asked:
      "התבקש קישור חדש להעדפות של הכתובת הזאת. בעמוד שהוא פותח אפשר לבחור באיזו תדירות נכתוב, על מה ובאיזו שפה, או להפסיק את המכתבים.",
    button: "לעמוד ההעדפות",
  },
  notYouLink: "לא אתם ביקשתם? אין צורך לעשות דבר: שום דבר לא השתנה.",
  next: "מה צפוי:",
  rhythm: {
    weekly: promise.he,
    monthly: "נכתוב בערך פעם בחודש.",
  },
  whyReceived: "ההודעה נשלחה משום שהכתובת הזאת אושרה באתר Pro Talent.",
  manage: "שינוי ההעדפות או הסרה מהרשימה",
};

/** The texts of the confirmation and the welcome mail in every language. */
export const newsletterTexts: Readonly<Record<Locale, typeof en>> = { en, he };
