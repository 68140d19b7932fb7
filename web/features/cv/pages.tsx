import type { Drawing, Mark } from "@pro-talent/schemas/studio/drawing";
import { memo, useCallback, useId } from "react";

/** @property alt of a picture that says nothing beside its name: none */
type PagesProps = { drawing: Drawing; alt?: string };

/**
 * Pages as a picture: of what a person wrote there are outlines alone, made of numbers. A line that is the same in
 * the next drawing stays as it is, so that a key costs the lines that it changes.
 */
export const Pages = memo(function Pages({ drawing, alt }: PagesProps) {
  const { width, height, outlines, marks } = drawing;
  const named = alt === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": alt };
  return (
    <svg className="cv-pages" viewBox={`0 0 ${width} ${height}`} {...named}>
      {marks.map((mark, index) => (
        // Marks have no names: where one more is set, those behind it change. A picture is not to be read anew.
        <OneMark
          key={mark.kind === "picture" ? mark.kind : index}
          mark={mark}
          outlines={outlines}
        />
      ))}
    </svg>
  );
});

function OneMark({ mark, outlines }: { mark: Mark; outlines: readonly string[] }) {
  const transform = `matrix(${mark.at})`;
  if (mark.kind === "picture") return <Picture mark={mark} />;
  if (mark.kind === "line")
    return <path d={lineOf(mark, outlines)} transform={transform} fill={mark.fill} />;
  const { outline, fill, stroke, strokeWidth } = mark;
  return <path {...{ d: outline, transform, fill, stroke, strokeWidth }} />;
}

type Line = Extract<Mark, { kind: "line" }>;

/** A line of text as one path. */
const lineOf = ({ glyphs, starts }: Line, outlines: readonly string[]): string =>
  glyphs.map((place, index) => `M${starts[index]} 0${outlines[place]}`).join("");

/** Shows a picture that came as data, which the page itself may not load. */
function usePicture(data: string) {
  return useCallback(
    (image: SVGImageElement | null) => {
      const [head = "", content = ""] = data.split(";base64,");
      const bytes = Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0));
      const address = URL.createObjectURL(new Blob([bytes], { type: head.slice("data:".length) }));
      image?.setAttribute("href", address);
      return () => URL.revokeObjectURL(address);
    },
    [data],
  );
}

function Picture({ mark }: { mark: Extract<Mark, { kind: "picture" }> }) {
  const id = useId();
  const ref = usePicture(mark.picture);
  const { width, height, clip, at } = mark;
  return (
    <g transform={`matrix(${at})`}>
      <clipPath id={id}>
        <path d={clip} />
      </clipPath>
      <image {...{ ref, width, height }} preserveAspectRatio="none" clipPath={`url(#${id})`} />
    </g>
  );
}
