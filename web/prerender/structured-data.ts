import { plans } from "@pro-talent/schemas/subscription/plans";

import { addressOf } from "../app/seo/page-address.ts";
import { absolute, brand, type PageHead, shareImage } from "./head-tags.ts";
import { elementsOf, elementsOfClass, textOf } from "./html-elements.ts";

/** A schema.org object. */
export type Thing = { "@type": string } & Readonly<Record<string, unknown>>;

export type DescribedPage = {
  page: string;
  head: PageHead;
  /** The page as rendered by React; the objects repeat its content. */
  html: string;
  /** Plan names in the language of the page, by code. */
  planNames: Readonly<Record<string, string>>;
  /** Date of the last change, if known. */
  changed: string | undefined;
};

const organizationId = absolute("/#organization");
const byOrganization = { "@id": organizationId };

function organization(): Thing {
  return {
    "@type": "Organization",
    "@id": organizationId,
    name: brand,
    url: absolute("/"),
    logo: { "@type": "ImageObject", url: absolute("/icon-512.png"), width: 512, height: 512 },
  };
}

function website({ head }: DescribedPage): Thing {
  return {
    "@type": "WebSite",
    "@id": absolute("/#website"),
    name: brand,
    url: absolute(addressOf("/", head.language)),
    inLanguage: head.language,
    publisher: byOrganization,
  };
}

function application({ head, planNames }: DescribedPage): Thing {
  return {
    "@type": "SoftwareApplication",
    "@id": absolute("/#application"),
    name: brand,
    applicationCategory: "BusinessApplication",
    operatingSystem: "Web",
    inLanguage: ["en", "he"],
    publisher: byOrganization,
    offers: plans.map(({ code, price }) => ({
      "@type": "Offer",
      name: planNames[code] ?? code,
      url: absolute(addressOf("/pricing", head.language)),
      price: price.monthly.toFixed(2),
      priceCurrency: "USD",
      priceSpecification: {
        "@type": "UnitPriceSpecification",
        price: price.monthly.toFixed(2),
        priceCurrency: "USD",
        billingDuration: "P1M",
      },
    })),
  };
}

function article({ head, html, changed }: DescribedPage): Thing {
  const [heading] = elementsOf(html, (tag) => tag === "h1");
  return {
    "@type": "Article",
    headline: textOf(heading?.inner ?? head.subject),
    description: head.description,
    inLanguage: head.language,
    image: shareImage(head.subject),
    mainEntityOfPage: absolute(head.canonical ?? head.path),
    author: byOrganization,
    publisher: byOrganization,
    ...(changed === undefined ? {} : { dateModified: changed }),
  };
}

/** The questions of the page with their answers. */
function questions({ head, html }: DescribedPage): Thing[] {
  const items = elementsOfClass(html, "accordion__item").flatMap(({ inner }) => {
    const [heading] = elementsOf(inner, (tag) => tag === "h2" || tag === "h3");
    const [answer] = elementsOfClass(inner, "accordion__text");
    if (heading === undefined || answer === undefined) return [];
    return [{ name: textOf(heading.inner), text: textOf(answer.inner) }];
  });
  if (items.length === 0) return [];
  const mainEntity = items.map(({ name, text }) => ({
    "@type": "Question",
    name,
    acceptedAnswer: { "@type": "Answer", text },
  }));
  return [{ "@type": "FAQPage", inLanguage: head.language, mainEntity }];
}

/** The breadcrumb of the page. */
function breadcrumb({ head, html }: DescribedPage): Thing[] {
  const [list] = elementsOfClass(html, "breadcrumb");
  if (list === undefined) return [];
  const itemListElement = elementsOf(list.inner, (tag) => tag === "li").map(({ inner }, index) => {
    const path = /<a [^>]*href="([^"]*)"/.exec(inner)?.[1];
    const item = path === undefined ? head.canonical : addressOf(path, head.language);
    return {
      "@type": "ListItem",
      position: index + 1,
      name: textOf(inner),
      ...(item === undefined ? {} : { item: absolute(item) }),
    };
  });
  return [{ "@type": "BreadcrumbList", itemListElement }];
}

/** Structured data of a page. Contains only what the page shows. */
export function structuredData(described: DescribedPage): Thing[] {
  const { page } = described;
  const own = [
    ...(page === "home" ? [website(described)] : []),
    ...(page === "home" || page === "pricing" ? [application(described)] : []),
    ...(page === "what-is-ats" ? [article(described), ...questions(described)] : []),
  ];
  // The publisher is repeated on every page, because consumers read pages one by one.
  return [...(own.length > 0 ? [organization()] : []), ...own, ...breadcrumb(described)];
}

/** The data block for the head; `<` is escaped, so that text cannot end it. */
export function structuredDataTags(things: readonly Thing[]): string[] {
  if (things.length === 0) return [];
  const json = JSON.stringify({ "@context": "https://schema.org", "@graph": things });
  return [`<script type="application/ld+json">${json.replaceAll("<", "\\u003c")}</script>`];
}
