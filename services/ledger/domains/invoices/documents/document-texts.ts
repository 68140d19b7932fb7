import type { BillingCycle } from "@pro-talent/schemas/billing/calendar";
import type { PaidPlan } from "@pro-talent/schemas/billing/prices";
import type { DocumentKind, DocumentLine } from "@pro-talent/schemas/invoices/document";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

type PlanLine = Exclude<DocumentLine["kind"], "return" | "discount">;

/** The texts of documents in one language. */
export type DocumentTexts = {
  readonly direction: "ltr" | "rtl";
  /** With taxes, and without: a seller who charges none issues no tax invoice. */
  readonly titles: Readonly<Record<DocumentKind, { taxed: string; untaxed: string }>>;
  readonly original: string;
  readonly sample: string;
  readonly sampleNote: string;
  /** Before the number in the title. */
  readonly number: string;
  readonly issued: string;
  readonly paid: Readonly<Record<DocumentKind, string>>;
  readonly method: string;
  readonly card: string;
  readonly corrects: string;
  readonly correctedOn: string;
  readonly allocation: string;
  readonly seller: string;
  readonly buyer: string;
  readonly taxId: string;
  readonly unknownBuyer: string;
  readonly columns: {
    readonly description: string;
    readonly net: string;
    readonly tax: string;
    readonly gross: string;
  };
  readonly lines: Readonly<Record<PlanLine, (plan: string, cycle: string) => string>>;
  readonly discount: (percent: string) => string;
  readonly returned: string;
  readonly plans: Readonly<Record<PaidPlan, string>>;
  readonly cycles: Readonly<Record<BillingCycle, string>>;
  readonly net: string;
  readonly total: Readonly<Record<DocumentKind, string>>;
  readonly taxes: Readonly<Record<string, string>>;
  readonly tax: (name: string, percent: string) => string;
  readonly noTax: string;
  readonly settled: Readonly<Record<DocumentKind, (day: string) => string>>;
  readonly shekels: {
    readonly heading: string;
    readonly total: string;
    readonly tax: string;
    readonly rate: string;
    readonly on: string;
  };
  readonly computer: string;
  readonly page: readonly [string, string];
};

const en: DocumentTexts = {
  direction: "ltr",
  titles: {
    invoice: { taxed: "Tax invoice / receipt", untaxed: "Invoice / receipt" },
    "credit-note": { taxed: "Credit tax invoice", untaxed: "Credit note" },
  },
  original: "Original",
  sample: "Sample",
  sampleNote: "Sample: the seller's registration is not configured. This is not a tax document.",
  number: "No.",
  issued: "Issued on",
  paid: { invoice: "Paid on", "credit-note": "Returned on" },
  method: "Payment method",
  card: "Card",
  corrects: "Corrects invoice",
  correctedOn: "Date of that invoice",
  allocation: "Allocation number",
  seller: "Seller",
  buyer: "Billed to",
  taxId: "Tax registration",
  unknownBuyer: "Name not available",
  columns: {
    description: "Description",
    net: "Net",
    tax: "Tax",
    gross: "Total",
  },
  lines: {
    plan: (plan, cycle) => `${plan} plan, ${cycle}`,
    credit: (plan) => `Credit for unused days, ${plan} plan`,
  },
  discount: (percent) => `Launch discount, ${percent}`,
  returned: "Returned payment",
  plans: { essential: "Essential", premium: "Premium" },
  cycles: { monthly: "monthly", annual: "annual" },
  net: "Net amount",
  total: { invoice: "Total paid", "credit-note": "Total returned" },
  taxes: { VAT: "VAT" },
  tax: (name, percent) => `${name} ${percent}`,
  noTax: "No tax is charged.",
  settled: {
    invoice: (day) => `Received in full by card on ${day}. Nothing is due.`,
    "credit-note": (day) => `Returned to the card on ${day}.`,
  },
  shekels: {
    heading: "Value in new shekels",
    total: "Total",
    tax: "Of which tax",
    rate: "Exchange rate",
    on: "Rate of",
  },
  computer: "Computer-generated document",
  page: ["Page", "of"],
};

const he: DocumentTexts = {
  direction: "rtl",
  titles: {
    invoice: { taxed: "חשבונית מס/קבלה", untaxed: "קבלה" },
    "credit-note": { taxed: "חשבונית מס זיכוי", untaxed: "הודעת זיכוי" },
  },
  original: "מקור",
  sample: "דוגמה",
  sampleNote: "דוגמה בלבד: פרטי הרישום של המוכר לא הוגדרו. זה אינו מסמך לצורכי מס.",
  number: "מס׳",
  issued: "תאריך הפקה",
  paid: { invoice: "תאריך תשלום", "credit-note": "תאריך החזר" },
  method: "אמצעי תשלום",
  card: "כרטיס אשראי",
  corrects: "זיכוי בגין חשבונית",
  correctedOn: "תאריך החשבונית",
  allocation: "מספר הקצאה",
  seller: "המוכר",
  buyer: "לכבוד",
  taxId: "מס׳ עוסק מורשה / ח״פ",
  unknownBuyer: "השם אינו זמין",
  columns: {
    description: "תיאור",
    net: "לפני מס",
    tax: "מס",
    gross: "סה״כ",
  },
  lines: {
    plan: (plan, cycle) => `מסלול ${plan}, ${cycle}`,
    credit: (plan) => `זיכוי על ימים שלא נוצלו, מסלול ${plan}`,
  },
  discount: (percent) => `הנחת השקה, ${percent}`,
  returned: "החזר תשלום",
  plans: { essential: "בסיסי", premium: "פרימיום" },
  cycles: { monthly: "חיוב חודשי", annual: "חיוב שנתי" },
  net: "סכום לפני מס",
  total: { invoice: "סה״כ שולם", "credit-note": "סה״כ הוחזר" },
  taxes: { VAT: "מע״מ" },
  tax: (name, percent) => `${name} ${percent}`,
  noTax: "לא נגבה מס.",
  settled: {
    invoice: (day) => `התקבל במלואו בכרטיס אשראי בתאריך ${day}. אין יתרה לתשלום.`,
    "credit-note": (day) => `הוחזר לכרטיס האשראי בתאריך ${day}.`,
  },
  shekels: {
    heading: "שווי בשקלים חדשים",
    total: "סה״כ",
    tax: "מזה מס",
    rate: "שער חליפין",
    on: "תאריך השער",
  },
  computer: "מסמך ממוחשב",
  page: ["עמוד", "מתוך"],
};

export const documentTexts: Readonly<Record<Locale, DocumentTexts>> = { en, he };
