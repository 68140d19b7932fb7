import { type Span, timeOf } from "../ask.ts";

/** Requests for links of the account that asks; see the view `owner_opens`. */
export const ownerOpens = `owner_opens(
  accounts = {accounts:Array(UUID)}, links = {links:Array(UUID)},
  from = {from:DateTime64(3, 'UTC')}, until = {until:DateTime64(3, 'UTC')})`;

/** The filters of a call; empty ones let everything through. */
export const matchesFilters = `(empty({country:String}) OR country = {country:String})
  AND (empty({device:String}) OR device = {device:String})
  AND (empty({source:String}) OR source = {source:String})`;

/** How many people made some requests. Ids of visitors are of one link, and none is zero. */
export const peopleIf = (condition: string): string =>
  `uniqExactIf(visitor_id, ${condition} AND visitor_id != toUUID('00000000-0000-0000-0000-000000000000'))`;

export type Filters = {
  readonly country: string;
  readonly device: string;
  readonly source: string;
};

/** What `ownerOpens` needs; without a link nothing is found. */
export type OwnerParams = {
  readonly accounts: readonly string[];
  readonly links: readonly string[];
  readonly from: string;
  readonly until: string;
};

export const spanParams = ({ from, until }: Span) => ({ from: timeOf(from), until: timeOf(until) });

/** What a call may filter by. */
export const filterParams = (
  given: Readonly<{ [Name in keyof Filters]?: string | undefined }>,
): Filters => ({
  country: given.country ?? "",
  device: given.device ?? "",
  source: given.source ?? "",
});
