import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { clockNames } from "@pro-talent/schemas/privacy/evidence";
import type {
  Outcome,
  PartReason,
  PublicStatus,
  RequestType,
} from "@pro-talent/schemas/privacy/request";

type Words<Key extends string> = Readonly<Record<Key, string>>;
type Texts = {
  readonly title: string;
  readonly lead: string;
  readonly none: string;
  readonly parts: Words<
    | "request"
    | "clocks"
    | "stores"
    | "holds"
    | "notices"
    | "scans"
    | "outside"
    | "copies"
    | "epochs"
    | "events"
    | "heads"
  >;
  readonly terms: Words<
    | "number"
    | "type"
    | "status"
    | "outcome"
    | "who"
    | "identity"
    | "reason"
    | "store"
    | "found"
    | "left"
    | "failures"
    | "law"
    | "placed"
    | "review"
    | "released"
    | "journal"
    | "backups"
    | "overdue"
    | "destroyed"
    | "inUse"
    | "registerAtDecision"
    | "registerNow"
    | "actor"
    | "data"
    | "position"
    | "signed"
  >;
  readonly types: Words<RequestType>;
  readonly statuses: Words<PublicStatus>;
  readonly outcomes: Words<Outcome>;
  readonly partReasons: Words<PartReason>;
  readonly scan: Words<"clean" | "hit">;
  readonly clocks: Readonly<
    Record<(typeof clockNames)[number], { readonly name: string; readonly reason: string }>
  >;
  readonly verify: readonly string[];
};

/** The words of an evidence pack. */
export const evidenceTexts: Readonly<Record<Locale, Texts>> = {
  en: {
    title: "Evidence of a privacy request",
    lead: "Everything that was recorded about this request, without personal data: people are named by random numbers that lead to no person once their data is erased. VERIFY.txt says how it is verified without us.",
    none: "None",
    parts: {
      request: "Request",
      clocks: "Dates and their reasons",
      stores: "Stores",
      holds: "Legal holds",
      notices: "Notices",
      scans: "Scans",
      outside: "Outside the databases",
      copies: "Backups that could hold the data, and the keys that alone opened them",
      epochs: "Keys of the time of the erasure",
      events: "Events",
      heads: "Signed heads of the ledger",
    },
    terms: {
      number: "Number",
      type: "Type",
      status: "Status",
      outcome: "Outcome",
      who: "Asked by (pseudonym)",
      identity: "Identity check",
      reason: "Reason",
      store: "Store",
      found: "Found",
      left: "Left",
      failures: "Failed attempts",
      law: "Law",
      placed: "Placed",
      review: "Review by",
      released: "Released",
      journal: "Entry of the erasure journal",
      backups: "Oldest backup that could be restored (recorded)",
      overdue: "Overdue: nothing is recorded that shows that the backups are gone",
      destroyed: "Destroyed",
      inUse: "In use for others",
      registerAtDecision: "Record of processing, at the decision",
      registerNow: "Record of processing, now",
      actor: "By",
      data: "Content",
      position: "Position and hash",
      signed: "Signed, key",
    },
    types: {
      access: "Copy of data",
      correct: "Correction",
      delete: "Deletion",
      "cancel-deletion": "End of a deletion",
    },
    statuses: {
      pending: "Pending",
      scheduled: "Scheduled",
      failed: "Failed",
      completed: "Completed",
    },
    outcomes: {
      fulfilled: "Fulfilled",
      denied: "Denied",
      cancelled: "Cancelled",
      withdrawn: "Withdrawn",
      expired: "Expired",
      erased: "Ended with its account",
      "nothing-held": "Nothing was held",
    },
    partReasons: {
      "kept-by-law": "in part: a law demands that some of it is kept",
      withheld: "in part: what is about other people was withheld",
      "fields-denied": "in part: some of the fields were denied",
    },
    scan: { clean: "Nothing found", hit: "Data found: every store is erased anew" },
    clocks: {
      identity: {
        name: "Identity verified by",
        reason: "14 days from receipt; the due date runs on meanwhile",
      },
      due: {
        name: "Decision due",
        reason:
          "The end of the 21st day after receipt, by the law of Israel; shorter than the 45 days of 11 CCR §7021(b)",
      },
      erase: { name: "Erased from", reason: "30 days from receipt; only a legal hold delays it" },
      "erase-waived": {
        name: "Erased from, brought forward",
        reason: "The subject gave up the rest of the 30 days",
      },
      backups: {
        name: "Backups gone by",
        reason: "90 days from receipt, together with the keys of key epochs that open them",
      },
      "hold-review": {
        name: "Review of a hold",
        reason: "At most 90 days from the hold or its last review",
      },
      package: { name: "Package available until", reason: "14 days from its completion" },
    },
    verify: [
      "manifest.json holds two members: entry and signature. The signature (Ed25519, RFC 8032, in hexadecimal) covers the line “pro-talent evidence pack”, a line feed, and the bytes of entry as they stand in the file.",
      "The public key is named by keyId. Compare it with the keys at /api/privacy/keys of the site; compare the keys of heads.jsonl with those at /api/ledger/heads, or with heads that you received by mail.",
      "With Node.js and this folder: node verify.mjs manifest.json <public key>. The program names every file that was changed, is missing, or was added, computes the hash of each event anew, and leads it to the signed head that covers it (Merkle tree, RFC 6962).",
      "An event with “proof”: null was recorded after the newest head, or before heads had trees. Then the ledger itself shows that it leads to the head: npm run ledger:verify -- --head heads.jsonl.",
      "journal.jsonl and backups.jsonl are lines of the erasure journal and of the records of backups, signed by their own keys. The event JournalWritten has the SHA-256 of the line of the journal; the event BackupsAged names the key of the records, the oldest backup that could be restored, each copy that could hold the data, and when the key was destroyed that alone opened it. The program compares them.",
    ],
  },
  he: {
    title: "ראיות על בקשת פרטיות",
    lead: "כל מה שתועד על הבקשה, ללא נתונים אישיים: אנשים מצוינים במספרים אקראיים, שאינם מובילים לאיש לאחר מחיקת הנתונים. בקובץ VERIFY.txt מוסבר כיצד לאמת בלעדינו.",
    none: "אין",
    parts: {
      request: "הבקשה",
      clocks: "מועדים והסיבות להם",
      stores: "מאגרים",
      holds: "עיכובים משפטיים",
      notices: "הודעות",
      scans: "סריקות",
      outside: "מחוץ למסדי הנתונים",
      copies: "גיבויים שיכלו להכיל את הנתונים, והמפתחות שרק הם פתחו אותם",
      epochs: "המפתחות של תקופת המחיקה",
      events: "אירועים",
      heads: "ראשים חתומים של היומן",
    },
    terms: {
      number: "מספר",
      type: "סוג",
      status: "מצב",
      outcome: "תוצאה",
      who: "הוגשה על ידי (שם בדוי)",
      identity: "אימות זהות",
      reason: "סיבה",
      store: "מאגר",
      found: "נמצאו",
      left: "נותרו",
      failures: "ניסיונות שנכשלו",
      law: "חוק",
      placed: "הוטל",
      review: "בחינה מחדש עד",
      released: "הוסר",
      journal: "רשומה ביומן המחיקות",
      backups: "הגיבוי הישן ביותר שניתן היה לשחזר (תועד)",
      overdue: "באיחור: לא תועד דבר שמראה שהגיבויים אינם עוד",
      destroyed: "הושמד",
      inUse: "בשימוש עבור אחרים",
      registerAtDecision: "מרשם העיבוד, בעת ההחלטה",
      registerNow: "מרשם העיבוד, כעת",
      actor: "על ידי",
      data: "תוכן",
      position: "מיקום וגיבוב",
      signed: "נחתם, מפתח",
    },
    types: {
      access: "עותק של הנתונים",
      correct: "תיקון",
      delete: "מחיקה",
      "cancel-deletion": "ביטול מחיקה",
    },
    statuses: {
      pending: "בטיפול",
      scheduled: "מתוזמנת",
      failed: "נכשלה",
      completed: "הושלמה",
    },
    outcomes: {
      fulfilled: "בוצעה",
      denied: "נדחתה",
      cancelled: "בוטלה",
      withdrawn: "נמשכה",
      expired: "פגה",
      erased: "הסתיימה עם מחיקת החשבון",
      "nothing-held": "לא נמצא דבר",
    },
    partReasons: {
      "kept-by-law": "חלקית: חוק מחייב לשמור חלק מהנתונים",
      withheld: "חלקית: מה שנוגע לאנשים אחרים לא נמסר",
      "fields-denied": "חלקית: חלק מהשדות נדחו",
    },
    scan: { clean: "לא נמצא דבר", hit: "נמצאו נתונים: כל המאגרים נמחקים שוב" },
    clocks: {
      identity: {
        name: "אימות הזהות עד",
        reason: "14 ימים מהקבלה; מועד ההחלטה ממשיך לרוץ בינתיים",
      },
      due: {
        name: "מועד אחרון להחלטה",
        reason: "סוף היום ה־21 לאחר הקבלה, לפי הדין בישראל; קצר מ־45 הימים של 11 CCR §7021(b)",
      },
      erase: { name: "מחיקה החל מ־", reason: "30 ימים מהקבלה; רק עיכוב משפטי דוחה אותה" },
      "erase-waived": {
        name: "מחיקה החל מ־, לאחר הקדמה",
        reason: "התקבל ויתור על יתרת 30 הימים",
      },
      backups: {
        name: "הגיבויים אינם עוד עד",
        reason: "90 ימים מהקבלה, יחד עם המפתחות התקופתיים שפותחים אותם",
      },
      "hold-review": {
        name: "בחינה מחדש של עיכוב",
        reason: "לכל היותר 90 ימים מהטלת העיכוב או מהבחינה האחרונה",
      },
      package: { name: "החבילה זמינה עד", reason: "14 ימים מהשלמתה" },
    },
    verify: [
      "בקובץ manifest.json שני איברים: entry ו־signature. החתימה (Ed25519, RFC 8032, הקסדצימלית) חלה על השורה “pro-talent evidence pack”, על מעבר שורה ועל הבתים של entry כפי שהם בקובץ.",
      "המפתח הציבורי מצוין ב־keyId. יש להשוות אותו למפתחות שבכתובת /api/privacy/keys באתר, ואת המפתחות שב־heads.jsonl לאלה שבכתובת /api/ledger/heads או לראשים שהתקבלו בדואר.",
      "עם Node.js ועם תיקייה זו: node verify.mjs manifest.json <public key>. התוכנית מציינת כל קובץ ששונה, חסר או נוסף, מחשבת מחדש את הגיבוב של כל אירוע ומובילה אותו אל הראש החתום שמכסה אותו (עץ מרקל, RFC 6962).",
      "אירוע שבו “proof”: null תועד לאחר הראש האחרון, או לפני שלראשים היו עצים. במקרה כזה היומן עצמו מראה שהאירוע מוביל אל הראש: npm run ledger:verify -- --head heads.jsonl.",
      "הקבצים journal.jsonl ו־backups.jsonl הם שורות מיומן המחיקות ומרישומי הגיבויים, חתומות במפתחות משלהן. ערך SHA-256 של שורת היומן נמצא באירוע JournalWritten. באירוע BackupsAged מצוינים המפתח של הרישומים, הגיבוי הישן ביותר שניתן היה לשחזר, כל עותק שיכול היה להכיל את הנתונים, ומתי הושמד המפתח שרק הוא פתח אותו. התוכנית משווה ביניהם.",
    ],
  },
};
