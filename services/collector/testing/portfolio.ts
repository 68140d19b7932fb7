import { pageGaps } from "@pro-talent/schemas/studio/portfolio-calls";

import type { Portfolio } from "../links/portfolios.ts";

const { base, address, head, foot } = pageGaps;
const revision = "00000000-0000-4000-8000-0000000000a1";

const pageOf = (language: "en" | "he", name: string) => ({
  language,
  name,
  title: `${name} – Designer`,
  description: "Ten years.",
  html: `<html lang="${language}"><head>${head}<script type="application/ld+json">{"url":"${address}"}</script></head><body><img src="${base}/pictures/x" alt=""><form method="post" action="${base}/contact"></form>${foot}</body></html>`,
});

/** A portfolio as three services state it. */
export const portfolioOf = ({
  accountId,
  fullName = "Dana Levi",
  ...change
}: Partial<Portfolio> & { accountId: string; fullName?: string }): Portfolio => ({
  owner: { accountId, handle: "dana", fullName, language: "en" },
  state: "published",
  lock: null,
  expiresAt: null,
  inSearch: false,
  contactForm: true,
  revision,
  pages: [pageOf("en", "Dana Levi"), pageOf("he", "דנה לוי")],
  ...change,
});
