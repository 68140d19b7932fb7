/** Pictures of the demo's portfolio, drawn for it: the screens of invented tools, without words. */

const paper = "#f3efe6";
const ink = "#22303a";
const teal = "#2f6f6a";
const warm = "#d98f5c";

const frame = (width: number, height: number, background: string, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${background}"/>${content}</svg>`;

type Box = readonly [x: number, y: number, width: number, height: number];
const bar = ([x, y, width, height]: Box, fill: string, round = height / 2): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}" fill="${fill}"/>`;

/** Lines of a list, each with a mark; what is done is drawn in full. */
const rows = (x: number, y: number, width: number, marks: readonly string[]): string =>
  marks
    .map((fill, index) => {
      const top = y + index * 74;
      const length = width * (0.42 + ((index * 37) % 43) / 100);
      return `<circle cx="${x + 18}" cy="${top + 18}" r="17" fill="${fill}"/>${bar([x + 58, top + 2, length, 14], ink)}${bar([x + 58, top + 26, length * 0.66, 9], "#9aa5a8")}<line x1="${x}" x2="${x + width}" y1="${top + 56}" y2="${top + 56}" stroke="#e2ddd1" stroke-width="2"/>`;
    })
    .join("");

/** The handover between shifts on a tablet: the night on one side, the morning on the other. */
const handover = frame(
  1600,
  820,
  "#cfdcd6",
  `<g transform="translate(170 90)"><rect width="1260" height="640" rx="44" fill="${ink}"/><rect x="26" y="26" width="1208" height="588" rx="24" fill="#fffdf8"/><rect x="26" y="26" width="604" height="588" rx="24" fill="#1f3440"/><path d="M330 92a34 34 0 1 0 36 50 42 42 0 0 1-36-50z" fill="#e9d9a6"/><circle cx="930" cy="120" r="32" fill="${warm}"/>${[0, 1, 2, 3, 4].map((n) => bar([86, 210 + n * 74, 300 + ((n * 83) % 170), 14], "#dfe7e6") + bar([86, 236 + n * 74, 190, 9], "#6f8791")).join("")}${rows(690, 200, 480, [teal, teal, warm, teal, "#d8d3c6"])}<path d="M600 330h60m-22-22 22 22-22 22" stroke="${warm}" stroke-width="9" fill="none" stroke-linecap="round" stroke-linejoin="round"/></g>`,
);

/** A medication chart by the hours of a round. */
const chart = frame(
  1200,
  900,
  paper,
  `<g transform="translate(90 90)"><rect width="1020" height="720" rx="18" fill="#fffdf8" stroke="#ddd5c4" stroke-width="3"/>${Array.from({ length: 7 }, (_, n) => `<line x1="${250 + n * 110}" x2="${250 + n * 110}" y1="60" y2="660" stroke="#ece6d8" stroke-width="3"/>${bar([236 + n * 110, 36, 28, 9], "#9aa5a8")}`).join("")}${Array.from({ length: 8 }, (_, r) => `${bar([50, 96 + r * 72, 120 + ((r * 53) % 60), 12], ink)}${[0, 1, 2, 3, 4, 5, 6].map((c) => ((r * 3 + c * 5) % 4 === 0 ? `<circle cx="${250 + c * 110}" cy="${102 + r * 72}" r="19" fill="${c < 4 ? teal : "none"}" stroke="${teal}" stroke-width="4"/>` : "")).join("")}`).join("")}<rect x="572" y="20" width="12" height="660" rx="6" fill="${warm}" opacity=".8"/></g>`,
);

/** The plan of a ward: beds by how much care they need. */
const ward = frame(
  900,
  1200,
  "#20313b",
  `<g transform="translate(80 90)">${Array.from({ length: 12 }, (_, n) => {
    const [column, row] = [n % 2, Math.floor(n / 2)];
    const fill = [teal, "#8fb8a8", warm, "#8fb8a8", teal, "#c9d6cc"][(n * 5) % 6] ?? teal;
    const x = column * 410;
    const y = row * 172;
    return `<rect x="${x}" y="${y}" width="330" height="140" rx="14" fill="none" stroke="#4c6470" stroke-width="4"/><rect x="${x + 24}" y="${y + 30}" width="150" height="80" rx="10" fill="${fill}"/><rect x="${x + 34}" y="${y + 44}" width="36" height="52" rx="8" fill="#f4efe4"/>${bar([x + 200, y + 44, 90, 11], "#e9e4d6")}${bar([x + 200, y + 70, 60, 8], "#7d929b")}`;
  }).join("")}</g>`,
);

/** Parts of a design system, in both directions of writing. */
const parts = frame(
  1200,
  900,
  "#e7ded0",
  `<g transform="translate(100 100)"><rect width="470" height="330" rx="16" fill="#fffdf8"/>${bar([40, 48, 180, 18], ink)}${bar([40, 90, 330, 10], "#9aa5a8")}${bar([40, 116, 270, 10], "#9aa5a8")}${bar([40, 230, 150, 56], teal, 10)}${bar([210, 230, 120, 56], "#e9e3d6", 10)}<rect x="530" width="470" height="330" rx="16" fill="#22303a"/>${bar([780, 48, 180, 18], "#fffdf8")}${bar([630, 90, 330, 10], "#8aa0a8")}${bar([690, 116, 270, 10], "#8aa0a8")}${bar([810, 230, 150, 56], warm, 10)}${bar([670, 230, 120, 56], "#3a4c58", 10)}<rect y="380" width="1000" height="320" rx="16" fill="#fffdf8"/>${["#22303a", teal, "#8fb8a8", "#d8d3c6", warm].map((fill, n) => `<circle cx="${110 + n * 130}" cy="480" r="46" fill="${fill}"/>`).join("")}${bar([64, 580, 860, 12], "#e2ddd1")}${bar([64, 580, 520, 12], teal)}<circle cx="584" cy="586" r="26" fill="#fffdf8" stroke="${teal}" stroke-width="8"/></g>`,
);

/** By name, as SVG. */
export const demoPictures = { handover, chart, ward, parts } as const;
