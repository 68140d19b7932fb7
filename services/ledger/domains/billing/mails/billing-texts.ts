import type { Notice } from "@pro-talent/schemas/billing/events";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

type Words = { readonly subject: string; readonly text: string };

const en: Readonly<Record<Notice, Words>> = {
  order: {
    subject: "Your Pro Talent subscription has begun",
    text: "Thank you. Your payment was received and your subscription has begun. It renews automatically at the price below until you cancel. You can cancel at any time, in two steps, on the page of your subscription or from the home page.",
  },
  changed: {
    subject: "Your plan was changed",
    text: "Your new plan is active now. What was left of the earlier payment was credited.",
  },
  downgrade: {
    subject: "Your plan will change",
    text: "Your plan stays as it is until the day below, and changes then. You can take this back until that day.",
  },
  cancelled: {
    subject: "Your subscription is cancelled",
    text: "This is the receipt for your cancellation. Nothing more will be charged. You keep access until the day below, and can resume the subscription until then.",
  },
  withdrawn: {
    subject: "Withdrawal confirmed: you receive a full refund",
    text: "This is the receipt for your withdrawal. Your subscription has ended, and everything that was paid under this contract is being returned to the card that paid.",
  },
  resumed: {
    subject: "Your subscription goes on",
    text: "The cancellation was taken back. Your subscription renews on the day below.",
  },
  "payment-failed": {
    subject: "Your payment failed",
    text: "The renewal of your subscription could not be charged. You keep access until the day below. Please store another card, or check the present one; we try again over the next days.",
  },
  "confirm-payment": {
    subject: "Please confirm your payment",
    text: "Your bank asks you to confirm the payment for the renewal of your subscription. You keep access until the day below.",
  },
  paid: {
    subject: "Your subscription was renewed",
    text: "The payment for the next period was received.",
  },
  ended: {
    subject: "Your subscription has ended",
    text: "Your account is on the Free plan now. Everything you saved stays; what the Free plan does not include is no longer public. You can subscribe again at any time.",
  },
  refunded: {
    subject: "Your refund is on its way",
    text: "The amount below was returned to the card that paid. Banks show it within a few days.",
  },
  "refund-failed": {
    subject: "Your refund could not be paid out",
    text: "The bank did not accept the refund below, usually because the card was closed. We still owe it to you and will contact you about another way.",
  },
  dispute: {
    subject: "A payment is disputed",
    text: "Your bank reported that a payment for your subscription is disputed. Until this is settled, the subscription is not renewed. If this was a mistake, please write to us.",
  },
  "annual-first": {
    subject: "Your annual subscription renews soon",
    text: "The year you paid for ends on the day below. Your subscription then renews for another year, unless you cancel before. You can cancel at any time without a reason.",
  },
  "annual-second": {
    subject: "Three weeks to the renewal of your annual subscription",
    text: "Your annual subscription renews on the day below, unless you cancel before.",
  },
  reminder: {
    subject: "Reminder: your subscription renews soon",
    text: "Your subscription renews automatically on the day below, and the amount below is charged to your card. If you do not want that, cancel before that day.",
  },
  "price-first": {
    subject: "The price of your plan will change",
    text: "From the renewal below on, your plan has a new price. Until then the old one applies. If you do not agree, you can cancel before that day.",
  },
  "price-second": {
    subject: "Reminder: the price of your plan changes",
    text: "As announced, your plan has a new price from the renewal below on. If you do not agree, you can cancel before that day.",
  },
};

const he: Readonly<Record<Notice, Words>> = {
  order: {
    subject: "המינוי ל-Pro Talent התחיל",
    text: "תודה. התשלום התקבל והמינוי התחיל. הוא מתחדש אוטומטית במחיר שלהלן עד לביטולו. אפשר לבטל בכל עת, בשני צעדים, בדף המינוי או מדף הבית.",
  },
  changed: {
    subject: "התוכנית שונתה",
    text: "התוכנית החדשה פעילה מעכשיו. יתרת התשלום הקודם נזקפה לזכותך.",
  },
  downgrade: {
    subject: "התוכנית עומדת להשתנות",
    text: "התוכנית נשארת כפי שהיא עד היום המצוין להלן, ומשתנה בו. עד אותו יום אפשר לחזור מהשינוי.",
  },
  cancelled: {
    subject: "המינוי בוטל",
    text: "זהו אישור על ביטול המינוי. לא יהיו חיובים נוספים. הגישה נשמרת עד היום המצוין להלן, ועד אז אפשר לחדש את המינוי.",
  },
  withdrawn: {
    subject: "ביטול העסקה אושר: החזר מלא בדרך",
    text: "זהו אישור על ביטול העסקה. המינוי הסתיים, וכל מה ששולם במסגרת ההתקשרות מוחזר לכרטיס ששילם.",
  },
  resumed: {
    subject: "המינוי ממשיך",
    text: "הביטול הוסר. המינוי מתחדש ביום המצוין להלן.",
  },
  "payment-failed": {
    subject: "התשלום נכשל",
    text: "לא ניתן היה לחייב את חידוש המינוי. הגישה נשמרת עד היום המצוין להלן. נא להזין כרטיס אחר או לבדוק את הכרטיס הנוכחי; בימים הקרובים ננסה שוב.",
  },
  "confirm-payment": {
    subject: "נדרש אישור לתשלום",
    text: "הבנק מבקש לאשר את התשלום על חידוש המינוי. הגישה נשמרת עד היום המצוין להלן.",
  },
  paid: {
    subject: "המינוי חודש",
    text: "התשלום על התקופה הבאה התקבל.",
  },
  ended: {
    subject: "המינוי הסתיים",
    text: "החשבון נמצא כעת בתוכנית החינם. כל מה שנשמר נשאר; מה שאינו כלול בתוכנית החינם אינו מפורסם עוד. אפשר להצטרף שוב בכל עת.",
  },
  refunded: {
    subject: "ההחזר בדרך",
    text: "הסכום שלהלן הוחזר לכרטיס ששילם. בדרך כלל הוא מופיע בחשבון הבנק בתוך ימים אחדים.",
  },
  "refund-failed": {
    subject: "ההחזר לא בוצע",
    text: "הבנק לא קיבל את ההחזר שלהלן, בדרך כלל משום שהכרטיס נסגר. הסכום עדיין מגיע לך, וניצור קשר כדי להעבירו בדרך אחרת.",
  },
  dispute: {
    subject: "תשלום הוכחש",
    text: "הבנק הודיע שתשלום על המינוי הוכחש. עד שהעניין ייסגר המינוי לא יחודש. אם זו טעות, נא לכתוב לנו.",
  },
  "annual-first": {
    subject: "המינוי השנתי עומד להתחדש",
    text: "השנה ששולמה מסתיימת ביום המצוין להלן. המינוי יתחדש אז לשנה נוספת, אלא אם יבוטל לפני כן. אפשר לבטל בכל עת וללא נימוק.",
  },
  "annual-second": {
    subject: "שלושה שבועות לחידוש המינוי השנתי",
    text: "המינוי השנתי מתחדש ביום המצוין להלן, אלא אם יבוטל לפני כן.",
  },
  reminder: {
    subject: "תזכורת: המינוי עומד להתחדש",
    text: "המינוי מתחדש אוטומטית ביום המצוין להלן, והכרטיס יחויב בסכום המצוין. כדי למנוע זאת יש לבטל לפני אותו יום.",
  },
  "price-first": {
    subject: "מחיר התוכנית עומד להשתנות",
    text: "החל מהחידוש המצוין להלן יחול מחיר חדש. עד אז חל המחיר הקודם. אם המחיר אינו מקובל, אפשר לבטל לפני אותו יום.",
  },
  "price-second": {
    subject: "תזכורת: מחיר התוכנית משתנה",
    text: "כפי שהודענו, החל מהחידוש המצוין להלן יחול מחיר חדש. אם המחיר אינו מקובל, אפשר לבטל לפני אותו יום.",
  },
};

/** Subject and text of each mail. */
export const noticeTexts: Readonly<Record<Locale, Readonly<Record<Notice, Words>>>> = { en, he };

/** Terms of facts, plans and buttons. */
export const billingTerms = {
  en: {
    plan: "Plan",
    price: "Price, taxes included",
    discount: (percent: number) => `Launch discount, ${percent}%`,
    included: (tax: string, percent: string) => `Of which ${tax} ${percent}`,
    nextCharge: "Next charge",
    renewal: "Renewal",
    amount: "Amount",
    from: "From",
    accessUntil: "Access until",
    accessUntilEnd: "Access until the end of",
    withdrawUntil: "Full refund until the end of",
    at: "Date and time",
    seller: "Seller",
    period: "Period",
    manage: "My subscription",
    whyReceived: "You receive this mail because you have a subscription with Pro Talent.",
    plans: { essential: "Essential", premium: "Premium" },
    cycles: { monthly: "monthly", annual: "annual" },
  },
  he: {
    plan: "תוכנית",
    price: "מחיר כולל מיסים",
    discount: (percent: number) => `הנחת השקה, ${percent}%`,
    included: (tax: string, percent: string) => `מתוך זה ${tax} ${percent}`,
    nextCharge: "החיוב הבא",
    renewal: "מועד החידוש",
    amount: "סכום",
    from: "החל מיום",
    accessUntil: "גישה עד",
    accessUntilEnd: "גישה עד סוף יום",
    withdrawUntil: "החזר מלא עד סוף יום",
    at: "תאריך ושעה",
    seller: "המוכר",
    period: "תקופה",
    manage: "המינוי שלי",
    whyReceived: "הודעה זו נשלחה בשל מינוי ל-Pro Talent.",
    plans: { essential: "בסיסי", premium: "פרימיום" },
    cycles: { monthly: "חודשי", annual: "שנתי" },
  },
} as const satisfies Readonly<Record<Locale, object>>;
