import { z } from "zod";

/** The variable of the domains that ask the insights service in their calls. */
export const insightsEnv = {
  /** Base address of the insights service, which knows the opens of links. */
  INSIGHTS_URL: z.url().default("http://insights:3000"),
};
