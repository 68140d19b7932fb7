/**
 * Cities by which a zone is looked for in Hebrew, where CLDR names the zone by its country alone: the
 * other zones are named by their city.
 */
const hebrewCities: Readonly<Record<string, string>> = {
  "Asia/Jerusalem": "ירושלים תל אביב חיפה באר שבע",
  "Europe/London": "לונדון",
  "Europe/Paris": "פריז פריס",
  "Europe/Berlin": "ברלין מינכן פרנקפורט",
  "Europe/Rome": "רומא מילאנו",
  "Europe/Vienna": "וינה",
  "Europe/Zurich": "ציריך ז׳נבה",
  "Europe/Brussels": "בריסל",
  "Europe/Amsterdam": "אמסטרדם",
  "Europe/Copenhagen": "קופנהגן",
  "Europe/Stockholm": "סטוקהולם",
  "Europe/Oslo": "אוסלו",
  "Europe/Helsinki": "הלסינקי",
  "Europe/Dublin": "דבלין",
  "Europe/Athens": "אתונה",
  "Europe/Budapest": "בודפשט",
  "Europe/Prague": "פראג",
  "Europe/Warsaw": "ורשה",
  "Europe/Bucharest": "בוקרשט",
  "Europe/Sofia": "סופיה",
  "Europe/Belgrade": "בלגרד",
  "Europe/Istanbul": "איסטנבול",
  "Asia/Nicosia": "ניקוסיה לרנקה",
  "Asia/Tbilisi": "טביליסי",
  "Asia/Baku": "באקו",
  "Asia/Amman": "עמאן",
  "Asia/Dubai": "דובאי אבו דאבי",
  "Asia/Riyadh": "ריאד",
  "Africa/Cairo": "קהיר",
  "Africa/Casablanca": "קזבלנקה",
  "Africa/Addis_Ababa": "אדיס אבבה",
  "Africa/Nairobi": "ניירובי",
  "Africa/Johannesburg": "יוהנסבורג קייפטאון",
  "Asia/Kolkata": "מומבאי דלהי בנגלור",
  "Asia/Calcutta": "מומבאי דלהי בנגלור",
  "Asia/Bangkok": "בנגקוק",
  "Asia/Singapore": "סינגפור",
  "Asia/Hong_Kong": "הונג קונג",
  "Asia/Tokyo": "טוקיו",
  "Asia/Seoul": "סיאול",
  "Asia/Taipei": "טאיפיי",
  "Asia/Manila": "מנילה",
  "America/Bogota": "בוגוטה",
  "America/Lima": "לימה",
  "America/New_York": "ניו יורק בוסטון מיאמי וושינגטון",
  "America/Chicago": "שיקגו יוסטון דאלאס",
  "America/Los_Angeles": "לוס אנג׳לס סן פרנסיסקו סיאטל",
  "America/Toronto": "טורונטו מונטריאול",
  "Australia/Sydney": "סידני",
  "Australia/Melbourne": "מלבורן",
};

const known = new Map<string, string>();

/** Other words for a zone in a language: its city or country as CLDR names it, and cities of it. */
export function zoneWords(timeZone: string, language: string): string {
  const key = `${language} ${timeZone}`;
  const words = known.get(key);
  if (words !== undefined) return words;
  const named = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: "shortGeneric" });
  const name = named.formatToParts(0).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const found = language === "he" ? `${name} ${hebrewCities[timeZone] ?? ""}` : name;
  known.set(key, found);
  return found;
}
