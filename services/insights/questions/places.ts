import { z } from "zod";

import { defineQuestion } from "../ask.ts";
import type { Filters, OwnerParams } from "./owner-opens.ts";

/** Where the people were who opened a link; the view names a city from five visitors up. */
export const places = defineQuestion<OwnerParams & Filters>()({
  name: "places",
  sql: `SELECT country, region, city, opens, people
    FROM owner_places(
      accounts = {accounts:Array(UUID)}, links = {links:Array(UUID)},
      from = {from:DateTime64(3, 'UTC')}, until = {until:DateTime64(3, 'UTC')},
      country = {country:String}, device = {device:String}, source = {source:String})
    ORDER BY opens DESC, country, region, city
    LIMIT 200`,
  row: z.object({
    country: z.string(),
    region: z.string(),
    city: z.string(),
    opens: z.int(),
    people: z.int(),
  }),
});
