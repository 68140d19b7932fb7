import type Stripe from "stripe";

import { answered } from "./stripe-states.ts";

type Found = { readonly id: string; readonly metadata: Stripe.Metadata | null };
type Page<Object> = { readonly data: Object[] };
type Searchable<Object extends Found> = {
  readonly search: (params: {
    query: string;
    limit: number;
    expand?: string[];
  }) => Promise<Page<Object>>;
  readonly list: (params: {
    created: { gte: number };
    limit: number;
    expand?: string[];
  }) => AsyncIterable<Object>;
};

/** The search index is usually complete within a minute, at worst within an hour. */
const indexLagSeconds = 2 * 3600;

/**
 * Objects whose metadata has this value, newest first. Stripe's search lags behind, so that what was made
 * lately is read from the list, which never does (docs.stripe.com/search#data-freshness).
 */
export async function findByMetadata<Object extends Found>(
  resource: Searchable<Object>,
  [name, value]: readonly [name: string, value: string],
  { nowMs, expand = [] }: { nowMs: number; expand?: readonly string[] },
): Promise<Object[]> {
  const literal = value.replaceAll(/["\\]/g, String.raw`\$&`);
  const inPage = { limit: 100, expand: expand.map((path) => `data.${path}`) };
  const query = `metadata["${name}"]:"${literal}"`;
  const indexed = await answered(resource.search({ query, ...inPage }));
  const gte = Math.floor(nowMs / 1000) - indexLagSeconds;
  const recent = await matching(resource.list({ created: { gte }, ...inPage }), name, value);
  const ids = new Set(recent.map(({ id }) => id));
  return [...recent, ...indexed.data.filter(({ id }) => !ids.has(id))];
}

/** The objects of a list whose metadata has this value, in the list's order. */
export function matching<Object extends Pick<Found, "metadata">>(
  list: AsyncIterable<Object>,
  name: string,
  value: string,
): Promise<Object[]> {
  const collect = async (): Promise<Object[]> => {
    const found: Object[] = [];
    for await (const object of list) {
      if (object.metadata?.[name] === value) found.push(object);
    }
    return found;
  };
  return answered(collect());
}
