/** Colours of the style tokens in the light theme. */
export const paper = {
  canvas: "#fcfaf6",
  surface: "#ffffff",
  ink: "#171c26",
  muted: "#4a5160",
  hairline: "#ddd8ce",
  opened: "#086548",
} as const;

const sheet = "M10.5 8h6l3.5 3.500V22h-9.500Z M16.5 8v3.500H20";
const ring =
  "M23.5 4.800C17.5 .5 7.5 1.800 3.800 8.200C0 15 1.5 24.5 9.5 27.600C18 30.800 27 26.5 28.400 18C29.600 10.5 23 2.800 13.5 3.200";

/**
 * The product's mark, a sheet with a pen ring around it, in the weight of the site's header.
 * favicon.svg is heavier, because it is seen at 16 pixels.
 */
export function markSvg(size: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 30 30" fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="${sheet}" stroke="${paper.ink}" stroke-width="1.5"/><path d="${ring}" stroke="${paper.opened}" stroke-width="2"/></svg>`;
}

/** Lengths of the lines of writing on the sheet, in pixels. */
const lines = [292, 236, 300, 268, 150] as const;
const lineStep = 68;

/**
 * The picture beside the title: a CV on paper with one line ringed. `mirrored` moves its lines to
 * the right, where Hebrew begins.
 */
export function sheetSvg(mirrored: boolean): string {
  const stubs = lines.map((length, index) => {
    const y = 172 + index * lineStep;
    return `<path d="M64 ${y}h${length}" stroke="${paper.hairline}" stroke-width="10"/>`;
  });
  const flip = mirrored ? ' transform="translate(440 0) scale(-1 1)"' : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" width="440" height="560" viewBox="0 0 440 560" fill="none" stroke-linecap="round" stroke-linejoin="round"><g${flip}>
<path d="M1 1H350L439 90V559H1Z" fill="${paper.surface}" stroke="${paper.hairline}" stroke-width="2"/>
<path d="M350 1V90H439" stroke="${paper.hairline}" stroke-width="2"/>
<path d="M64 84h150" stroke="${paper.ink}" stroke-width="16"/>
${stubs.join("\n")}
<path d="M312 214C258 202 122 202 66 218C18 233 34 272 138 278C246 283 340 274 346 246C350 220 262 204 170 210" stroke="${paper.opened}" stroke-width="7"/>
</g></svg>`;
}
