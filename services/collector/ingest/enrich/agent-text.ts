import { isbot } from "isbot";

/** Why the text of a user agent is a machine's; one is enough. */
export type AgentReason =
  | "user_agent_listed"
  | "user_agent_tool"
  | "no_browser_engine"
  | "headless";

/**
 * What people's agents contain that a list of bots mistakes: the model of an Android device, which
 * any word can name (CUBOT, Discovery, Radar), and parts of televisions and browsers.
 */
const mistaken =
  /(?<=Android [^;)]{1,12}; (?:[a-z]{2}-[a-zA-Z]{2}; )?)(?!compatible|[^;)]*(?:\+?https?:|screenshot))[^;)]*|Google ?TV|Google (?:Earth|Web Light)|\bOMI\/\S+|Sogou(?:MSE|MobileBrowser)|QQDownload|chromeframe|ICAPoHTTPS|NewsApp\/[\d.]+|https?:\/\/bsalsa\.com|(?<=^(?:Mobile)?(?:Safari|Sleipnir|OmniWeb|com\.apple\.WebKit)[\w./]* )CFNetwork|(?:Opera|CE-HTML|NETTV)\/[\d.]+|Trident\/[\d.]+/gi;

/**
 * The forms in which the browsers of old phones, televisions and organizers present themselves, which
 * have no `Mozilla` in front and look like machines to a list of bots. What such a text says of a
 * crawler is still found by the words below.
 */
const oldBrowsers =
  /^(?:dv|pf)\(.*UCBrowser|^iP(?:hone|od|ad)[\w,]*$|^(?!UCWEB).*(?:MIDP|CLDC)|MAUI|\bMRE[\d/]|POLARIS|DoCoMo|FOMA|PalmOS|PalmSource|Palmscape|Xiino|\bPre\/|Bada|Dolfin|smarttv_|GoogleTV|HbbTV|SmartHub|KreaTV|Sagemcom_Broadband|Opera TV Store|WAP[ -]Browser|IEMobile|Mosaic\/|IBrowse|BrowseX|Embedded Web Browser|SEGASATURN|nook browser|GOG Galaxy|^(?:Mobile)?(?:Safari|Sleipnir|OmniWeb|com\.apple\.WebKit)[\w./]* CFNetwork|Jbed|Windows NT; Powered By/;

/** Words and names of tools in the form in which they occur: a page tester, a scanner, a monitor. */
const tools = new RegExp(
  [
    // What a tool does.
    "screen ?sho[ot]t?|screenie|thumb(?:nail|sniper)?s?[/\\d)]|web ?thumb|web-?snapr?|snapsearch|preview|unshorten|link-?(?:examin|check|resolv)|wkhtml|extractor|e-?mail collector",
    "uptime|monitor|site ?guardian|webmon|health-?check|kube-?probe|observatory|page ?valet|analy[sz]e\\b|tester\\b|preload|retrieval|fetch(?:er)?\\b|imgsizer|translate\\b|crwlr|classification engine",
    "(?<!cam)scan(?:ner)?\\b|(?:internet|web) ?security|heimdall|\\bsecurity\\b|pentest|nuclei|siege|benchmark|assetnote|whatweb|presence\\)|yunjiankong|nodemeter",
    // Protections of mail, which follow links before a person does.
    "barracuda|proofpoint|mimecast|messagelabs|fireeye|trellix|forcepoint|websense|ironport|cloudmark|fortimail|ips-agent",
    // Testers of pages and services of screenshots that add only their name to a browser's text.
    "gtmetrix|debugbear|pagespeed|lighthouse|webpagetest|\\bptst\\b|pingdom|speedcurve|dareboost|calibre|ylt\\b|miniature\\.io|forusp|kimonolabs|urlbox|microlink|browserless",
    // Assistants and the agents that act for people.
    "claude|chatgpt|openai|gpt-?bot|perplexity|amzn-|amazon-kendra|anthropic|cohere-|mistralai|deepseek|duckassist|google-extended|applebot|meta-external|bytespider|ccbot|diffbot|tsm-turing|gemini-deep|notebooklm|[a-z]-user/|qbusiness|buyforme|nova-?act|devin/|operator/|opencode|tabstack|lightpanda|laion|img2dataset|web-?index|webzio|omgili|awario|panscient|cotoyogi|terra ?cotta|poggio|anomura|scrapy|externalhit",
    // Libraries and mail programs that load pages without a person's browser.
    "zombie\\.js|ms-?office|microsoft (?:office|outlook)|outlook-(?:ios|express|android)|macoutlook|airmail|polymail|cfnetwork|dart:io|okhttp|axios|python|curl\\b|wget|grub-client|evc-batch|reederformac|pix/|mappercmd|web services client|cerberian|peoplepal|bot\\b|b-o-t\\b|crawl|spider",
    // An address at which the owner of a machine can be reached.
    "https?:|www\\.|\\bat [\\w.-]+ dot |[\\w.-]@[a-z][\\w-]*\\.[a-z]{2}",
  ].join("|"),
  "i",
);

const windowless = /headless|phantomjs|slimerjs|puppeteer|playwright|selenium|webdriver|cypress/i;

/** Browsers name an engine, or, before there were engines, themselves. */
const engines =
  /WebKit|Gecko\/|Trident|MSIE|Presto|KHTML|Opera|Goanna|Servo|NetFront|Dalvik|Browser\/|Konqueror|Obigo|Polaris|UCWEB|Browser\b|Galio|MIDP|Nokia|Windows NT [\d.]+;.*rv:|(?:Firefox|Chrome|Version|PlayStation|Nintendo)[/ ]|Android \d|\[FBAN|^Mozilla\/5\.0 \(iP(?:ad|hone);/i;

/**
 * `compatible` without the browser that it is compatible with is how machines present themselves, and
 * so is a name after the engine of a browser.
 */
const compatibleOnly =
  /like Gecko; compatible;|^(?!.*(?:MSIE|Trident|Konqueror|KHTML|Opera|IEMobile|NetFront|Galio|Polaris|Browse)).*compatible;/i;

/**
 * Why a user agent is not a person's browser. The list of known bots sees the text without what
 * people's devices are called; the other rules read its structure.
 */
export function agentReasons(text: string): AgentReason[] {
  if (text === "") return [];
  const plain = text.replace(mistaken, " ");
  const reasons: AgentReason[] = [];
  const old = oldBrowsers.test(text);
  if (!old && isbot(plain)) reasons.push("user_agent_listed");
  if (windowless.test(plain)) reasons.push("headless");
  if (reasons.length > 0) return reasons;
  if (tools.test(plain)) return ["user_agent_tool"];
  if (old) return [];
  return !engines.test(text) || compatibleOnly.test(text) ? ["no_browser_engine"] : [];
}
