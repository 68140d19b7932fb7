import type { SubjectCategory } from "@pro-talent/schemas/contact/categories";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

type ContactTexts = typeof en & { readonly categories: Readonly<Record<SubjectCategory, string>> };

const en = {
  categories: {
    general: "General question",
    support: "Support",
    billing: "Billing",
    feature: "Idea for a feature",
    bug: "Something does not work",
    partnership: "Partnership",
    other: "Something else",
  },
  facts: {
    reference: "Reference",
    category: "About",
    subject: "Subject",
    name: "Name",
    address: "Address",
    received: "Received",
    note: "Note",
  },
  suspected: "Sent faster than people type. It may come from a program.",
  support: {
    title: "A new message",
    acknowledged: "An acknowledgement was mailed to the sender.",
    notAcknowledged: "No acknowledgement was mailed to the sender.",
    reply: "A reply to this mail goes to the sender.",
    noReply: "Mail programs do not accept the sender's address.",
  },
  acknowledgement: {
    subject: (reference: string) => `We have your message (${reference})`,
    title: "Your message has arrived",
    preheader: "A person answers within 24-48 hours.",
    promise: "Thank you for writing to us. A person answers within 24-48 hours, at this address.",
    quoting: "If you write again about this, please quote the reference, or answer this mail.",
    reason: "You get this one mail because this address was entered in our contact form.",
    notYou: "If that was not you, there is nothing to do.",
    site: "Pro Talent",
  },
};

const he: ContactTexts = {
  categories: {
    general: "שאלה כללית",
    support: "תמיכה",
    billing: "חיובים",
    feature: "רעיון לשיפור",
    bug: "דיווח על תקלה",
    partnership: "שיתוף פעולה",
    other: "נושא אחר",
  },
  facts: {
    reference: "מספר פנייה",
    category: "בעניין",
    subject: "נושא",
    name: "שם",
    address: "כתובת",
    received: "התקבלה",
    note: "הערה",
  },
  suspected: "הפנייה נשלחה מהר יותר מכפי שאדם כותב. ייתכן ששלחה אותה תוכנה.",
  support: {
    title: "פנייה חדשה",
    acknowledged: "נשלח לפונה אישור שהפנייה הגיעה.",
    notAcknowledged: "לא נשלח לפונה אישור שהפנייה הגיעה.",
    reply: "תשובה להודעה הזאת תישלח אל הפונה.",
    noReply: "תוכנות דואר לא מקבלות את כתובת הפונה כפי שנכתבה.",
  },
  acknowledgement: {
    subject: (reference) => `הפנייה הגיעה אלינו (${reference})`,
    title: "הפנייה הגיעה",
    preheader: "תשובה מאדם תגיע בתוך 24-48 שעות.",
    promise: "תודה על הפנייה. תשובה מאדם תישלח לכתובת הזאת בתוך 24-48 שעות.",
    quoting: "בפנייה נוספת באותו עניין כדאי לציין את מספר הפנייה, או להשיב להודעה הזאת.",
    reason: "ההודעה היחידה הזאת נשלחה כי הכתובת הזאת הוזנה בטופס יצירת הקשר שלנו.",
    notYou: "אם הפנייה לא נשלחה על ידך, אין צורך לעשות דבר.",
    site: "Pro Talent",
  },
};

/** The texts of the contact mails in every language. */
export const contactTexts: Readonly<Record<Locale, ContactTexts>> = { en, he };
