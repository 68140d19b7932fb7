import type { Drawing, Mark } from "@pro-talent/schemas/studio/drawing";

/** As in SVG: a, b, c, d, e, f. */
type Matrix = readonly [number, number, number, number, number, number];
type Attributes = Readonly<Partial<Record<string, string>>>;
/** Where what is in a group lies, and what is seen of it. */
type Group = { readonly at: Matrix; readonly clip: string };
type Line = Extract<Mark, { kind: "line" }>;

const tags = /<(\/?)([A-Za-z]+)([^>]*)>/g;
const attributes = /([\w:-]+)="([^"]*)"/g;
const defined = (name: string): RegExp =>
  new RegExp(`<${name} id="([^"]*)"[^>]*>\\s*<path d="([^"]*)"`, "g");
const symbols = defined("symbol");
const clipPaths = defined("clipPath");

/** A thousandth of a point is less than a screen shows. */
const rounded = (value: string | number = 0): number => Math.round(Number(value) * 1000) / 1000;
const short = (path = ""): string => path.replaceAll(/(\.\d{3})\d+/g, "$1");
const attributesIn = (text: string): Attributes =>
  Object.fromEntries(
    Array.from(text.matchAll(attributes), ([, name = "", value = ""]): [string, string] => [
      name,
      value,
    ]),
  );
/** Before each glyph's outline, which goes on from there in relative steps. */
const start = "M 0 0";

function times([a, b, c, d, e, f]: Matrix, inner: string | undefined): Matrix {
  const numbers = inner?.slice("matrix(".length, -1).split(" ").map(Number);
  const [p = 1, q = 0, r = 0, s = 1, t = 0, u = 0] = numbers ?? [];
  return [
    a * p + c * q,
    b * p + d * q,
    a * r + c * s,
    b * r + d * s,
    a * t + c * u + e,
    b * t + d * u + f,
  ];
}

/**
 * The pages of the engine's SVG without its elements and addresses; glyphs that follow each other are one mark.
 * @throws when a template uses what a drawing does not know
 */
export function drawingOf(svg: string): Drawing {
  const [pages = "", ...definitions] = svg.split("<defs");
  const rest = definitions.join("");
  const glyphs = Array.from(rest.matchAll(symbols), ([, name = "", path = ""]) => ({
    name,
    path,
  }));
  const places = new Map(glyphs.map(({ name }, place) => [`#${name}`, place]));
  const clips = new Map(
    Array.from(rest.matchAll(clipPaths), ([, name, path]) => [`url(#${name})`, short(path)]),
  );
  const size = /viewBox="0 0 (\S+) (\S+)"/.exec(pages);
  return {
    width: rounded(size?.[1]),
    height: rounded(size?.[2]),
    outlines: glyphs.map(({ path }) => short(path.slice(start.length))),
    marks: marksIn(pages, places, clips),
  };
}

type Places = ReadonlyMap<string, number>;
type Clips = ReadonlyMap<string, string>;

/** Each element that is seen, with the group that it is in. */
function* elementsIn(pages: string, clips: Clips) {
  let group: Group = { at: [1, 0, 0, 1, 0, 0], clip: "" };
  const outer: Group[] = [];
  for (const [, closing, tag = "", text = ""] of pages.matchAll(tags)) {
    if (closing === "/") {
      if (tag === "g") group = outer.pop() ?? group;
      continue;
    }
    if (unseen.has(tag)) continue;
    // A text without a glyph is a group that ends at once.
    if (tag === "g" && text.endsWith("/")) continue;
    const of = attributesIn(text);
    if (tag !== "g") {
      yield { tag, of, group };
      continue;
    }
    outer.push(group);
    const clip = clips.get(of["clip-path"] ?? "") ?? group.clip;
    group = { at: times(group.at, of["transform"]), clip };
  }
}

/** The marks in the order in which they are painted, each with its place on the whole. */
function marksIn(pages: string, places: Places, clips: Clips): Mark[] {
  const marks: Mark[] = [];
  let line: { readonly group: Group; readonly mark: Line } | undefined;
  for (const { tag, of, group } of elementsIn(pages, clips)) {
    const make = makers[tag];
    if (make !== undefined) marks.push(make(group, of));
    else if (tag !== "use") throw new Error(`A drawing has no ${tag}`);
    else {
      if (line?.group !== group) {
        line = { group, mark: lineAt(group, of) };
        marks.push(line.mark);
      }
      line.mark.glyphs.push(places.get(of["xlink:href"] ?? "") ?? 0);
      line.mark.starts.push(rounded(of["x"]));
    }
  }
  return marks;
}

/** The whole, and where a link may be pressed, which a picture of pages has not. */
const unseen: ReadonlySet<string> = new Set(["svg", "a", "rect"]);

const placeIn = ({ at }: Group, of: Attributes): string =>
  times(at, of["transform"]).map(rounded).join(" ");

const lineAt = (group: Group, of: Attributes): Line => ({
  kind: "line",
  at: placeIn(group, {}),
  fill: of["fill"] ?? "none",
  glyphs: [],
  starts: [],
});

const shapeAt = (group: Group, of: Attributes): Mark => ({
  kind: "shape",
  at: placeIn(group, of),
  outline: short(of["d"]),
  fill: of["fill"] ?? "none",
  stroke: of["stroke"] ?? "none",
  strokeWidth: rounded(of["stroke-width"]),
});

const pictureAt = (group: Group, of: Attributes): Mark => ({
  kind: "picture",
  at: placeIn(group, of),
  picture: of["xlink:href"] ?? "",
  width: rounded(of["width"]),
  height: rounded(of["height"]),
  clip: group.clip,
});

const makers: Readonly<Record<string, (group: Group, of: Attributes) => Mark>> = {
  path: shapeAt,
  image: pictureAt,
};
