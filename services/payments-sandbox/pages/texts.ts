import type { TestCardName } from "@pro-talent/schemas/payments-sandbox/cards";
import type { SandboxFailure } from "@pro-talent/schemas/payments-sandbox/objects";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { z } from "zod";

/** In the order of the page. */
export const cardGroups = ["succeeds", "declined", "challenge", "later"] as const;
export type CardGroup = (typeof cardGroups)[number];

type Texts = {
  readonly title: string;
  readonly testPage: string;
  readonly toPay: string;
  readonly storeCard: string;
  readonly chooseCard: string;
  readonly cancel: string;
  readonly otherLanguage: string;
  readonly ended: string;
  readonly endedExplained: string;
  readonly back: string;
  readonly challengeTitle: string;
  readonly challengeExplained: string;
  readonly approve: string;
  readonly refuse: string;
  readonly leave: string;
  readonly answered: string;
  readonly answeredExplained: string;
  readonly failures: Readonly<Record<z.infer<typeof SandboxFailure>["reason"], string>>;
  readonly groups: Readonly<Record<CardGroup, string>>;
  readonly cards: Readonly<Record<TestCardName, string>>;
};

export const texts: Readonly<Record<Locale, Texts>> = {
  en: {
    title: "Test payment",
    testPage: "This is a test page. No money moves, and no real card can be entered.",
    toPay: "Amount to pay",
    storeCard: "Nothing is paid now. The card is stored for later payments.",
    chooseCard: "Choose a test card",
    cancel: "Cancel and go back",
    otherLanguage: "עברית",
    ended: "This payment page has ended",
    endedExplained:
      "It was completed, or it is older than a day. Nothing further can be paid here.",
    back: "Back to Pro Talent",
    challengeTitle: "Confirm with the bank",
    challengeExplained: "The bank of the test card asks whether to allow this payment.",
    approve: "Allow",
    refuse: "Refuse",
    leave: "Leave without an answer",
    answered: "There is nothing to confirm",
    answeredExplained: "The question was already answered, or it is no longer valid.",
    failures: {
      declined: "The card was declined. Choose another card.",
      "insufficient-funds": "The card has too little money. Choose another card.",
      "expired-card": "The card has expired. Choose another card.",
      "challenge-failed": "The bank did not allow the payment. Try again or choose another card.",
      other: "The payment did not succeed. Choose another card.",
    },
    groups: {
      succeeds: "Succeeds",
      declined: "Declined now",
      challenge: "The bank asks first",
      later: "Succeeds now, trouble later",
    },
    cards: {
      success: "Every payment succeeds",
      "declines-later": "Declined at each renewal",
      "no-funds-later": "Too little money at each renewal",
      declined: "Declined; may be tried again",
      "insufficient-funds": "Too little money",
      stolen: "Declined for good: reported stolen",
      challenge: "Asks now, not at renewals",
      "challenge-always": "Asks at every payment",
      expired: "Expired last month",
      "expires-soon": "Expires this month",
      disputed: "The holder disputes the payment",
      "refund-fails": "A refund fails an hour later",
      "answer-lost": "The answer to each renewal is lost",
      slow: "The answer to each renewal is late",
    },
  },
  he: {
    title: "תשלום לבדיקה",
    testPage: "זהו דף לבדיקות. לא עובר כאן כסף, ואי אפשר להזין כרטיס אמיתי.",
    toPay: "סכום לתשלום",
    storeCard: "לא יתבצע חיוב עכשיו. הכרטיס יישמר לתשלומים הבאים.",
    chooseCard: "בחירת כרטיס בדיקה",
    cancel: "ביטול וחזרה",
    otherLanguage: "English",
    ended: "דף התשלום הזה הסתיים",
    endedExplained: "התשלום הושלם, או שעברה יממה מאז שנפתח הדף. אי אפשר לשלם כאן יותר.",
    back: "חזרה ל-Pro Talent",
    challengeTitle: "אישור מול הבנק",
    challengeExplained: "הבנק של כרטיס הבדיקה שואל אם לאשר את התשלום.",
    approve: "אישור התשלום",
    refuse: "דחיית התשלום",
    leave: "יציאה בלי לענות",
    answered: "אין מה לאשר",
    answeredExplained: "כבר ניתנה תשובה, או שהבקשה אינה בתוקף עוד.",
    failures: {
      declined: "הכרטיס נדחה. אפשר לבחור כרטיס אחר.",
      "insufficient-funds": "אין די כסף בכרטיס. אפשר לבחור כרטיס אחר.",
      "expired-card": "תוקף הכרטיס פג. אפשר לבחור כרטיס אחר.",
      "challenge-failed": "הבנק לא אישר את התשלום. אפשר לנסות שוב או לבחור כרטיס אחר.",
      other: "התשלום לא הצליח. אפשר לבחור כרטיס אחר.",
    },
    groups: {
      succeeds: "התשלום מצליח",
      declined: "התשלום נדחה",
      challenge: "הבנק מבקש אישור",
      later: "מצליח עכשיו, תקלה בהמשך",
    },
    cards: {
      success: "כל תשלום מצליח",
      "declines-later": "נדחה בכל חידוש",
      "no-funds-later": "אין די כסף בכל חידוש",
      declined: "נדחה; אפשר לנסות שוב",
      "insufficient-funds": "אין די כסף",
      stolen: "נדחה לצמיתות: דווח כגנוב",
      challenge: "אישור נדרש עכשיו, לא בחידושים",
      "challenge-always": "אישור נדרש בכל תשלום",
      expired: "התוקף פג בחודש שעבר",
      "expires-soon": "התוקף פג החודש",
      disputed: "מוגשת הכחשת עסקה",
      "refund-fails": "החזר כספי נכשל כעבור שעה",
      "answer-lost": "התשובה על כל חידוש הולכת לאיבוד",
      slow: "התשובה על כל חידוש מתעכבת",
    },
  },
};
