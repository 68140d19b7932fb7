import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { OfficerWarning } from "@pro-talent/schemas/privacy/clocks";
import type { RequestType } from "@pro-talent/schemas/privacy/request";

type Texts = {
  readonly mails: Readonly<
    Record<OfficerWarning, { readonly subject: string; readonly text: string }>
  >;
  readonly types: Readonly<Record<RequestType, string>>;
  readonly number: string;
  readonly type: string;
  readonly received: string;
  readonly due: string;
  readonly see: string;
  readonly whyReceived: string;
};

/** Warnings for privacy officers: nothing in them says whose request it is. */
export const warningTexts: Readonly<Record<Locale, Texts>> = {
  en: {
    mails: {
      "day-14": {
        subject: "A privacy request is due in a week",
        text: "This request has waited for two weeks. Its answer must be decided and sent by the date below; no extension moves it.",
      },
      "day-18": {
        subject: "A privacy request is due in three days",
        text: "This request is still not answered. Its answer must be decided and sent by the date below; no extension moves it. Every officer gets this mail: the first who can takes the request.",
      },
      "day-20": {
        subject: "Urgent: a privacy request is due tomorrow",
        text: "No officer has answered this request, and the law demands it by the date below. Every officer gets this mail: take the request at once.",
      },
    },
    types: {
      access: "A copy of data",
      correct: "A correction",
      delete: "The deletion of an account",
      "cancel-deletion": "The end of a deletion",
    },
    number: "Number",
    type: "Request",
    received: "Received",
    due: "Due by",
    see: "Open the request",
    whyReceived: "You receive this mail because you are a privacy officer of Pro Talent.",
  },
  he: {
    mails: {
      "day-14": {
        subject: "בקשת פרטיות שמועד היעד שלה בעוד שבוע",
        text: "הבקשה ממתינה כבר שבועיים. יש להחליט בה ולשלוח תשובה עד המועד שלמטה; שום הארכה אינה מזיזה אותו.",
      },
      "day-18": {
        subject: "בקשת פרטיות שמועד היעד שלה בעוד שלושה ימים",
        text: "הבקשה עדיין לא נענתה. יש להחליט בה ולשלוח תשובה עד המועד שלמטה; שום הארכה אינה מזיזה אותו. ההודעה נשלחת לכל הממונים על הפרטיות, והבקשה פתוחה לטיפול של כל אחד מהם.",
      },
      "day-20": {
        subject: "דחוף: בקשת פרטיות שמועד היעד שלה מחר",
        text: "הבקשה לא נענתה, והחוק מחייב תשובה עד המועד שלמטה. ההודעה נשלחת לכל הממונים על הפרטיות, ויש לטפל בבקשה מייד.",
      },
    },
    types: {
      access: "עותק של נתונים",
      correct: "תיקון",
      delete: "מחיקת חשבון",
      "cancel-deletion": "ביטול מחיקה",
    },
    number: "מספר",
    type: "בקשה",
    received: "התקבלה",
    due: "מועד היעד",
    see: "לבקשה",
    whyReceived: "ההודעה נשלחה אליך במסגרת תפקידך כממונה על הפרטיות ב־Pro Talent.",
  },
};
