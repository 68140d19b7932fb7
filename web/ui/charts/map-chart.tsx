import { ChartFigure, ChartPlot, type ChartTexts } from "./chart-figure.tsx";
import countries from "./countries.json";

import "./map-chart.css";

export type Place = {
  /** ISO 3166-1 alpha-2. */
  country: string;
  name: string;
  value: number;
};

type MapChartProps = {
  texts: ChartTexts & {
    label: string;
    value: string;
    /** The source of the outlines: Natural Earth. */
    credit: string;
  };
  /** The largest first. */
  places: readonly Place[];
};

/** Named on the map at most; the others are read by the keyboard and in the table. */
const namedPlaces = 3;
/** About the size of a name, in pixels. */
const nameChar = 7.5;
const nameLine = 17;

type Outline = { id: string; d: string; x: number; y: number };
const outlines = new Map<string, Outline>(countries.outlines.map((one) => [one.id, one]));

type Mark = Place & { x: number; y: number; radius: number; index: number };

/** The places that the map knows, in pixels of a map of this inline size. */
function marksOf(places: readonly Place[], inlineSize: number): Mark[] {
  const scale = inlineSize / countries.width;
  const highest = Math.max(1, ...places.map(({ value }) => value));
  const radiusMax = Math.min(22, inlineSize / 26);
  return places.flatMap((place, index) => {
    const outline = outlines.get(place.country);
    if (outline === undefined) return [];
    const radius = Math.max(4, radiusMax * Math.sqrt(place.value / highest));
    return [{ ...place, x: outline.x * scale, y: outline.y * scale, radius, index }];
  });
}

type Name = { country: string; text: string; x: number; y: number };

/** The names of the largest places, without those that would cover another. */
export function namesOf(places: readonly Place[], inlineSize: number): Name[] {
  const names: Name[] = [];
  const largest = marksOf(places, inlineSize).slice(0, namedPlaces);
  for (const { country, name, value, x, y, radius } of largest) {
    const next = { country, text: `${name} ${value}`, x, y: y - radius - 5 };
    const covers = names.some(
      (other) =>
        Math.abs(other.y - next.y) < nameLine &&
        Math.abs(other.x - next.x) < ((other.text.length + next.text.length) / 2) * nameChar,
    );
    if (!covers) names.push(next);
  }
  return names;
}

type DrawingProps = { places: readonly Place[]; inlineSize: number; chosen: number | undefined };

function Drawing({ places, inlineSize, chosen }: DrawingProps) {
  const scale = inlineSize / countries.width;
  const marks = marksOf(places, inlineSize);
  return (
    <svg
      className="chart__drawing"
      width={inlineSize}
      height={countries.height * scale}
      viewBox={`0 0 ${inlineSize} ${countries.height * scale}`}
      aria-hidden="true"
    >
      <g transform={`scale(${scale})`}>
        {countries.outlines.map(({ d }) => (
          <path key={d} className="map__country" d={d} />
        ))}
      </g>
      {marks.map(({ country, x, y, radius, index }) => (
        <circle
          key={country}
          className="map__dot"
          data-chosen={index === chosen}
          cx={x}
          cy={y}
          r={radius}
        />
      ))}
      {namesOf(places, inlineSize).map(({ country, text, x, y }) => (
        <text key={country} className="map__name" x={x} y={y}>
          {text}
        </text>
      ))}
    </svg>
  );
}

/**
 * Dots of an area proportional to their value, over the outlines of countries. The outlines are
 * approximate and take no side where borders are disputed. A country too small for them is in the
 * table only.
 */
export function MapChart({ texts, places }: MapChartProps) {
  return (
    <ChartFigure
      texts={texts}
      table={{
        header: [texts.label, texts.value],
        rows: places.map(({ country, name, value }) => ({ id: country, cells: [name, value] })),
      }}
    >
      <ChartPlot
        texts={texts}
        layout="list"
        points={places.map(({ name, value }) => `${name}: ${value}`)}
        pointAt={(x, y, inlineSize) =>
          marksOf(places, inlineSize).find(
            (mark) => Math.hypot(mark.x - x, mark.y - y) <= mark.radius + 4,
          )?.index
        }
      >
        {(inlineSize, chosen) => (
          <Drawing places={places} inlineSize={inlineSize} chosen={chosen} />
        )}
      </ChartPlot>
      <p className="map__credit">{texts.credit}</p>
    </ChartFigure>
  );
}
