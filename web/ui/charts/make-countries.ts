import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { geoArea, geoNaturalEarth1, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { z } from "zod";

/**
 * Writes countries.json: the outline of each country as an SVG path in whole units, and the centre
 * of its largest part. The source is Natural Earth at 1:110 million (naturalearthdata.com, public
 * domain) in the package world-atlas (ISC licence). Run after an update of the package:
 * `node web/ui/charts/make-countries.ts`.
 */
type Atlas = Topology<{ countries: GeometryCollection<{ name: string }> }>;
const Atlas = z.custom<Atlas>(
  (value) => z.looseObject({ type: z.literal("Topology") }).safeParse(value).success,
);

const source = createRequire(import.meta.url).resolve("world-atlas/countries-110m.json");
const atlas = Atlas.parse(JSON.parse(await readFile(source, "utf8")));
const width = 960;
/** Without Antarctica, which would take a fifth of the map. */
const antarctica = "010";

const countries = feature(atlas, atlas.objects.countries).features.filter(
  ({ id }) => id !== antarctica,
);
const flat = geoNaturalEarth1().fitWidth(width, {
  type: "FeatureCollection",
  features: countries,
});
const path = geoPath(flat).digits(0);

/** The numeric code of ISO 3166 as its alphabetic code; "" for territories without one. */
function alphaCode(id: string | number | undefined, name: string): string {
  if (id === undefined) return name === "Kosovo" ? "XK" : "";
  return new Intl.Locale(`und-${id}`).region ?? "";
}

type Country = (typeof countries)[number];

/** Of several parts the largest: the centre of France is in Europe. */
function centreOf({ geometry }: Country): [number, number] {
  if (geometry.type !== "MultiPolygon") return path.centroid(geometry);
  const parts = geometry.coordinates.map(
    (coordinates) => ({ type: "Polygon", coordinates }) as const,
  );
  const [largest] = parts.toSorted((one, other) => geoArea(other) - geoArea(one));
  return path.centroid(largest ?? geometry);
}

const outlines = countries.map((country) => {
  const [x, y] = centreOf(country);
  return {
    id: alphaCode(country.id, country.properties.name),
    d: path(country) ?? "",
    x: Math.round(x),
    y: Math.round(y),
  };
});
const height = Math.ceil(path.bounds({ type: "FeatureCollection", features: countries })[1][1]);
await writeFile(
  new URL("countries.json", import.meta.url),
  `${JSON.stringify({ width, height, outlines })}\n`,
);
