import type { IncomingHttpHeaders } from "node:http";

import type { DeviceClass } from "@pro-talent/schemas/analytics/row";

const desktops =
  /Windows|Macintosh|Mac OS X(?! *\))|Mac_PowerPC|X11|Linux|CrOS|OS\/2|BeOS|Haiku|Amiga|SunOS|RISC OS|(?:Free|Open|Net)BSD/;

/** Phones before Android, by their Java, their browsers and systems, and their makers. */
const featurePhones = new RegExp(
  [
    "MIDP|CLDC|J2ME|BREW|Symbian|Series ?60|SonyEricsson|MAUI|MRE[/\\d]|[Ww][Aa][Pp][ _-]?[Bb]rowser|UP\\.Browser|Obigo|Teleca|jig browser|MobileExplorer",
    "Opera (?:Mini|Mobi)|UCWEB|IEMobile|WPDesktop|Windows (?:CE|Phone|Mobile)|Palm(?:OS|Source)|webOS/[12]|Maemo|MeeGo|Puffin|Bada/|BlackBerry|KAIOS|Minimo",
    "^(?:DoCoMo|KDDI|SoftBank|Vodafone|J-PHONE|Nokia|Ericsson|SAMSUNG-|LG|MOT-|Huawei|Philips|Sanyo|SAGEM)|WILLCOM",
  ].join("|"),
);

const parsedTypes: Readonly<Record<string, DeviceClass>> = {
  mobile: "mobile",
  tablet: "tablet",
  smarttv: "tv",
  console: "console",
};

const consoles =
  /PlayStation|\bPS[345P]\b|Nintendo|Xbox|Dreamcast|DreamPassport|SEGASATURN|Retroid|; Switch(?: Lite| OLED)?[;)]|; Razer Edge|Steam Deck|; RG ?\d{3}[A-Z]|; RGCUBE/;

/**
 * Televisions say so in many ways: the broadcast standards HbbTV and CE-HTML, the word TV in the
 * model or at the end, the makers' systems, and Amazon's sticks and sets, all named AFT.
 */
const televisions =
  /HbbTV|CE-HTML|Smart-?(?:TV|Hub)|(?<!DL|BN|H|HI|Q| D)TV(?![a-zMR])|TiVo|NetCast|Web0S|VIDAA|VIZIO|Roku|BRAVIA|\bAFT[A-Z]+\d*\b|CrKey|Chromecast|MIBOX|\bSTB|Large Screen|OMI\/|Maple\d|Viera|Sagemcom_Broadband|Espial|Tbrowser|BrightSign|opentv|InettvBrowser|DLNADOC|Ekioh|SonyBDP|SonyCEBrowser|\bDiga\b|Google Fiber|Netbox|Sunniwell|intelce/;

/** The model of an Android device: what follows the version and, in old agents, the language. */
const androidModel =
  /Android[^;)]*; (?:[a-z]{2}(?:[-_][A-Za-z-]{2,8})?; )?(?:HarmonyOS; )?(?<model>[^;)]*?)(?: Build[^)]*)?(?:[;)]|$)/;

/**
 * Android on a television: the second character of its builds is T, or they are those of the
 * reference systems that makers of chips for televisions and boxes start from.
 */
const televisionBuild =
  /Build\/(?:[P-Z]T[A-Z]\d|[ST]TT[A-Z]\.|(?:PPR2\.180905\.006|QP1A\.191105\.004|SP1A\.211105\.004|TP1A\.220905\.004|RD2A\.211001\.002)(?!\d))/;

/** Sets are named by the size of their screen in inches, after a short name of the series. */
const televisionSize =
  /^(?:(?:[A-Za-z]{1,9}[-_ ])*|[A-Z]{1,4}(?=\d\d[A-Z]{2}))(?:2[48]|32|39|4[0-3]|49|5[05]|58|65|7[05]|8[56])[A-Z]{1,5}(?:-?\w*\d|[A-Z]{3}$)|LED\d\d/;

/** Boxes and sticks are named for what they are; the others by their chip or series. */
const televisionBox =
  /box(?![a-rt-z])|STB|stick|OTT|DMP\d|IPTV|DVB|\bplayer\b|[-_ ]?stream(?![a-z])|Formuler|YNDX-|SHIELD(?! Tab)|^CT-8\d{3}|\b(?:MECOOL|TranSpeed|UGOOS|BEELINK|GTKing|VONTAR|iconBIT (?:Movie|X)|SELENGA|Rombica|ZIDOO|NEXON|Perfeo|VMP-|[AS]BX-?\d|KANT-\d|GTX-)/i;
const televisionSeries =
  /rk3\d{3}|Amlogic|[-_ ][48]K\b|\b(?:X96|X98|H96|T95|M8S|MXQ|MX\d{1,2}\b|TX[2-9]\b|KM\d\b|X88|A95X|HK1|MAG ?\d|EVPAD|NEO-|AS_?4K)|\bSMART4K/i;

/** Tablets whose browser calls itself mobile are known by their model. */
const tabletModel = new RegExp(
  [
    // The words for a tablet, alone or within the model.
    "(?<!Cool|Idea|Tech ?|Note|Think|Key|cool)[Pp][Aa][Dd](?![a-z])|[Tt](?:ab|AB)(?:let|LET)?(?![a-z])|(?<![A-Za-z])tab|Slate|Kindle|PlayBook|Xoom|Wi-?Fi|\\bMID\\b",
    // Series of the large makers: Samsung, Amazon, Google, Huawei and Honor, Lenovo, Xiaomi.
    "SM-[TXP]\\d|^KF[A-Z]{2,}|Nexus (?:7|9|10)\\b|^T[Zz]\\d|^[A-Z][A-Za-z]{2,3}\\d?-W\\d\\d|^(?:AG[RS]|BAH|BZ[A-Z]|KOB|MRX|SCMR|DB[RY]|KRJ|GOT|WGR|BTK|JDN|BTV|CMR)\\d?-|\\bTB-|\\bTB\\d|\\bYT\\d?-|^2\\d{4}RP|^OPD\\d",
    // Series of others, which are named by the size of the screen in tenths of an inch.
    "iPlay|^1000\\d{5}|^EX[78]|^PMT\\d|\\b[A-Z][RST](?:[789]|1[0-4])\\d{2,3}[A-Z]{2}\\b|^(?:Plane|Optima)[ _]|^BQ-(?:[78]|1[0-4])\\d\\d|\\bTPC|^RCT|^TEO|^KT\\d{3}|^NET_|^E(?:agle|AGLE)_|Slide|^iPA|^Nomi_?C?(?: C)?(?:07|08|10)|^(?:80[689]|8[12]\\d|90[1-46-9]|91\\d)\\d",
    "(?<!\\d|^VS|^AS|^LS)(?:7|8|9|10)\\d\\d?\\w?[ _-]?(?:3G|4G|LTE)|(?<!Note)[ _-](?:7|8|9|10)(?:[.,]\\d)?[ _-]?(?:3G|4G|LTE)|^[TMPK]10(?!\\d)|^[TM](?:8|9|20|30|40)(?!\\d)|^P\\dHD|(?<!^(?:[4-6]\\d{3}[A-Z]|W-\\w+))[_-](?:EEA|ROW)$|Kids|KIDS|^Readboy|^ALFA",
  ].join("|"),
);

/** Computers on which Android is installed. */
const computerModel =
  /Chromebook|Pixelbook|NUC\d|Inspiron|Latitude|TravelMate|Remix Mini|HP Engage|BilimBook|ThinkPad \w\d/;

/** Phones of makers who number them otherwise than tablets; on these the page was asked as on a desktop. */
const phoneModel = /SM-[AGFNSJMW]\d|Pixel \d|\bV2\d{3}A?\b|-(?:[AL]X|LX)\d|\bSC[GV]\d/;

type AndroidAgent = { text: string; model: string; statesMobile: boolean };

/** The first that applies. Browsers of tablets leave out the word `Mobile`; apps, the browser too. */
const androidClasses: readonly (readonly [DeviceClass, (agent: AndroidAgent) => boolean])[] = [
  ["tv", ({ text }) => televisionBuild.test(text)],
  ["tv", ({ model }) => televisionSize.test(model) || televisionBox.test(model)],
  ["tv", ({ model, statesMobile }) => !statesMobile && televisionSeries.test(model)],
  ["desktop", ({ model }) => computerModel.test(model)],
  ["tablet", ({ text, model }) => tabletModel.test(model) || text.includes("Opera Tablet")],
  ["mobile", ({ text, statesMobile }) => statesMobile || !text.includes("Safari/")],
  ["mobile", ({ text, model }) => text.includes("HarmonyOS") || phoneModel.test(model)],
];

function androidClass(text: string): DeviceClass {
  const model = androidModel.exec(text)?.groups?.["model"] ?? "";
  // Yandex adds the form of the device to the names of its browsers and apps.
  const statesMobile = text.includes("Mobile") && !text.includes("/apad");
  const agent = { text, model, statesMobile };
  return androidClasses.find(([, applies]) => applies(agent))?.[0] ?? "tablet";
}

/**
 * The class of a device.
 * @param type what the parser of user agents found for the model
 * @param os the name of the operating system
 */
export function deviceClassOf(text: string, type: string | undefined, os: string): DeviceClass {
  if (consoles.test(text)) return "console";
  if (type === "smarttv" || televisions.test(text)) return "tv";
  if (text.includes("Chromebook")) return "desktop";
  if (/^(?:Android|Fire OS|HarmonyOS)/.test(os)) return androidClass(text);
  if (type !== undefined) return parsedTypes[type] ?? "other";
  if (featurePhones.test(text)) return "mobile";
  return desktops.test(text) ? "desktop" : "other";
}

const formFactors: Readonly<Record<string, DeviceClass>> = {
  Desktop: "desktop",
  Mobile: "mobile",
  Tablet: "tablet",
  Automotive: "other",
  XR: "other",
  EInk: "tablet",
  Watch: "other",
};

/** The text of a client hint; `"Pixel 9"` is sent in quotes. */
const hint = (headers: IncomingHttpHeaders, name: string): string =>
  String(headers[name] ?? "").replaceAll('"', "");

/**
 * The class of a device after its client hints, which say more than its user agent where the browser
 * sends them: the form, the model, and that a desktop's agent comes from an Android device.
 * @param deviceClass by the user agent; televisions and consoles keep it
 */
export function hintedDeviceClass(
  deviceClass: DeviceClass,
  headers: IncomingHttpHeaders,
): DeviceClass {
  if (deviceClass === "tv" || deviceClass === "console") return deviceClass;
  const [factor = ""] = hint(headers, "sec-ch-ua-form-factors").split(",");
  const stated = formFactors[factor.trim()];
  if (stated !== undefined) return stated;
  if (hint(headers, "sec-ch-ua-platform") !== "Android") return deviceClass;
  const model = hint(headers, "sec-ch-ua-model");
  if (consoles.test(`; ${model}`)) return "console";
  if (televisionSize.test(model) || televisionBox.test(model)) return "tv";
  if (tabletModel.test(model)) return "tablet";
  if (headers["sec-ch-ua-mobile"] === "?1" && deviceClass === "desktop") return "mobile";
  return headers["sec-ch-ua-mobile"] === "?0" && deviceClass !== "mobile" ? "tablet" : deviceClass;
}
