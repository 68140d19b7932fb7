import type { Channel } from "@pro-talent/schemas/analytics/row";

/**
 * Sites and Android apps by the channel that they are. Written for this product from what their
 * operators publish: the addresses of their sites, and the packages of their apps in the stores. An
 * entry with a path is for that part of a site alone.
 */
const known: Partial<Record<Channel, string>> = {
  assistant: `chatgpt.com chat.openai.com openai.com perplexity.ai claude.ai gemini.google.com
    bard.google.com aistudio.google.com notebooklm.google.com copilot.microsoft.com
    copilot.cloud.microsoft m365.cloud.microsoft copilot.com grok.com x.ai deepseek.com mistral.ai meta.ai
    you.com poe.com duck.ai kimi.com kimi.moonshot.cn qwen.ai chat.qwenlm.ai doubao.com chatglm.cn
    yiyan.baidu.com phind.com iask.ai pi.ai character.ai felo.ai manus.im genspark.ai monica.im
    jasper.ai writesonic.com komo.ai liner.com consensus.app elicit.com t3.chat chat.z.ai
    perplexity.com yuanbao.tencent.com alice.yandex.ru
    com.openai.chatgpt ai.perplexity.app.android com.anthropic.claude com.google.android.apps.bard
    com.microsoft.copilot com.deepseek.chat ai.x.grok`,
  email: `outlook.live.com outlook.office.com outlook.office365.com outlook.cloud.microsoft
    mailchi.mp campaign-archive.com list-manage.com inbox.lv inbox.google.com e.mail.ru touch.mail.ru m.mail.ru light.mail.ru app.fastmail.com app.hey.com app.tuta.com mail.tutanota.com mailfence.com
    icloud.com exmail.qq.com email.seznam.cz email.t-online.de navigator.gmx.net navigator.web.de
    poczta.wp.pl poczta.onet.pl poczta.o2.pl app.superhuman.com
    com.google.android.gm com.google.android.gm.lite com.microsoft.office.outlook
    com.yahoo.mobile.client.android.mail ch.protonmail.android com.samsung.android.email.provider
    ru.yandex.mail ru.mail.mailapp com.fsck.k9 net.thunderbird.android eu.faircode.email`,
  search: `search.brave.com search.walla.co.il so.com sm.cn presearch.com mojeek.com swisscows.com
    metager.org metager.de search.seznam.cz lite.qwant.com coccoc.com ask.com search.aol.com
    search.aol.co.uk aolsearch.com go.mail.ru nova.rambler.ru dogpile.com info.com lycos.com
    search.lycos.com wolframalpha.com goo.ne.jp search.goo.ne.jp rakuten.co.jp/search excite.co.jp
    biglobe.ne.jp zoek.nl szukaj.onet.pl szukaj.wp.pl suche.t-online.de suche.web.de suche.gmx.net
    search.gmx.com search.comcast.net search.xfinity.com petalsearch.com gibiru.com ekoru.org
    oceanhero.today lilo.org search.lilo.org givero.com karmasearch.org neeva.com andisearch.com
    lens.google.com search.app search.app.goo.gl
    com.google.android.googlequicksearchbox com.google.android.apps.searchlite com.microsoft.bing
    com.duckduckgo.mobile.android com.yandex.searchapp ru.yandex.searchplugin com.nhn.android.search`,
  social: `facebook.com fb.me fb.com instagram.com linkedin.com lnkd.in twitter.com x.com t.co
    youtube.com youtu.be reddit.com redd.it threads.net threads.com bsky.app mastodon.social
    mastodon.online mastodon.world mstdn.social tiktok.com pinterest.com pin.it quora.com tumblr.com
    t.umblr.com snapchat.com medium.com substack.com xing.com viadeo.com vk.com ok.ru my.mail.ru
    weibo.com t.cn douban.com xiaohongshu.com zhihu.com mixi.jp kakao.com band.us hatena.ne.jp
    flipboard.com disqus.com disq.us vimeo.com twitch.tv flickr.com github.com stackoverflow.com stackexchange.com superuser.com serverfault.com askubuntu.com
    news.ycombinator.com producthunt.com nextdoor.com meetup.com goodreads.com myheritage.com
    whatsapp.com wa.me t.me telegram.me telegram.org telegram.dog signal.org signal.me signal.group
    slack.com teams.microsoft.com teams.live.com teams.cloud.microsoft discord.com discord.gg
    discordapp.com messenger.com m.me viber.com line.me zalo.me weixin.qq.com qzone.qq.com
    web.skype.com chat.google.com wechat.com workplace.com
    bilibili.com soundcloud.com last.fm livejournal.com dribbble.com behance.net foursquare.com
    odnoklassniki.ru vkontakte.ru sourceforge.net fosstodon.org hachyderm.io infosec.exchange mas.to
    chaos.social douyin.com nicovideo.jp renren.com taringa.net nk.pl tieba.baidu.com
    com.linkedin.android com.facebook.katana com.facebook.lite com.facebook.orca
    com.facebook.mlite com.instagram.android com.instagram.lite com.instagram.barcelona
    com.twitter.android com.twitter.android.lite com.whatsapp com.whatsapp.w4b com.reddit.frontpage
    com.discord org.telegram.messenger org.telegram.messenger.web org.telegram.plus
    org.thunderdog.challegram org.thoughtcrime.securesms com.slack com.microsoft.teams
    com.viber.voip com.google.android.youtube com.google.android.apps.dynamite
    com.zhiliaoapp.musically com.ss.android.ugc.trill com.pinterest com.snapchat.android
    com.tencent.mm com.vkontakte.android jp.naver.line.android com.xing.android com.quora.android
    xyz.blueskyweb.app org.joinmastodon.android`,
  jobs: `linkedin.com/jobs glassdoor.com alljobs.co.il drushim.co.il jobmaster.co.il jobnet.co.il
    jobkarov.com sqlink.com gotfriends.co.il nisha.co.il ethosia.co.il
    taasuka.gov.il comeet.com comeet.co
    monster.com ziprecruiter.com simplyhired.com careerbuilder.com dice.com wellfound.com angel.co
    builtin.com themuse.com flexjobs.com weworkremotely.com remoteok.com remotive.com otta.com
    welcometothejungle.com hired.com jobscan.co joinhandshake.com jooble.org adzuna.com
    totaljobs.com reed.co.uk cv-library.co.uk stepstone.de stellenanzeigen.de seek.com.au naukri.com
    jobstreet.com hh.ru superjob.ru infojobs.net apec.fr bayt.com usajobs.gov
    lever.co greenhouse.io ashbyhq.com workable.com smartrecruiters.com myworkdayjobs.com
    teamtailor.com recruitee.com bamboohr.com icims.com jobs.google.com
    com.indeed.android.jobsearch com.glassdoor.app com.linkedin.android.jobs.jobseeker
    com.ziprecruiter.android.release com.monster.android.Views`,
  paid: `doubleclick.net googleadservices.com googlesyndication.com 2mdn.net criteo.com taboola.com
    outbrain.com adnxs.com adroll.com rubiconproject.com pubmatic.com openx.net casalemedia.com
    bidswitch.net adform.net smartadserver.com serving-sys.com flashtalking.com mediago.io
    revcontent.com mgid.com an.yandex.ru yabs.yandex.ru ad.doubleclick.net`,
};

const entries: readonly (readonly [string, Channel])[] = (
  ["assistant", "email", "search", "social", "jobs", "paid"] as const
).flatMap((channel) =>
  (known[channel] ?? "").split(/\s+/).map((host) => [host.toLowerCase(), channel] as const),
);
const channels = new Map<string, Channel>(entries);

/** Search engines with a domain in many countries and other services besides: where they search. */
const portals =
  /^(?:(?:m|r|wap|search|images|cn|ipv6|www\d|encrypted|[a-z]{2}|[a-z]{2}\.(?:search|images)|images?\.search|(?:search|m|r)\.[a-z]{2}|[mr]\.search)\.)?(?:google|yahoo|yandex|ya|baidu|naver|seznam|daum|sogou|lycos)(?:\.[a-z]{2,3}){1,2}$/;

/** Search engines that do nothing else. */
const engines =
  /(?:^|\.)(?:bing|duckduckgo|ecosia|qwant|startpage|ixquick|kagi|ask|mojeek|swisscows|metager|presearch|gigablast|exalead|metacrawler|webcrawler|dogpile|searx)(?:\.[a-z]{2,3}){1,2}$/;

/** Portals and providers search on a host of that name, in the language of their country. */
const searchHosts =
  /^(?:[a-z\d-]+\.)?(?:[a-z\d-]*(?<!re|jobs?|jobs?-)search(?:es|\d)?|[a-z\d]*suche|szukaj|busca|buscador|ricerca|recherche|rechercher|pesquisa|hledat|otsing|lemoteur)\.[a-z\d-]+(?:\.[a-z\d-]+){1,3}$/;

/** Job boards and networks with a domain in many countries. */
const boards =
  /^(?:[a-z]{1,6}\.)?(?:indeed|glassdoor|monster|jooble|adzuna|stepstone|jora|trovit|neuvoo|talent|careerjet)(?:\.[a-z]{2,3}){1,2}$/;
const networks = /^(?:[a-z]{2}\.)?(?:pinterest|mastodon|mstdn|pixelfed)(?:\.[a-z]{2,7}){1,2}$/;

const mailHosts =
  /^(?:[a-z\d-]+\.)?(?:(?:web|e|touch|light)?mail(?:er)?\d?|e-?mail|poczta|outlook|owa|roundcube|zimbra)\.[a-z\d-]+(?:\.[a-z\d-]+){1,3}$/;

/** What the form of a name says, where the host has no entry. */
const forms: readonly (readonly [RegExp, Channel])[] = [
  [mailHosts, "email"],
  [portals, "search"],
  [engines, "search"],
  [boards, "jobs"],
  [networks, "social"],
];

/**
 * The channel of a domain that is known: its own entry, an engine, job board or web mail by the form
 * of its name, or the entry of a site that it belongs to. A search engine's and a web mail's entry is
 * for that host alone, since the other hosts of a portal are documents, news and maps.
 * @param host in lower case, without `www.`; or the package name of an Android app
 * @param path of the referring page, of which the first part can decide
 */
export function channelOfHost(host: string, path = ""): Channel | undefined {
  const [, part = ""] = path.split("/", 2);
  const entry = channels.get(`${host}/${part}`) ?? channels.get(host);
  if (entry !== undefined) return entry;
  const named = forms.find(([form]) => form.test(host))?.[1];
  if (named !== undefined) return named;
  for (let at = host.indexOf("."); at >= 0; at = host.indexOf(".", at + 1)) {
    const parent = host.slice(at + 1);
    const channel = channels.get(`${parent}/${part}`) ?? channels.get(parent);
    if (channel !== undefined && channel !== "search" && channel !== "email") return channel;
  }
  return searchHosts.test(host) ? "search" : undefined;
}
