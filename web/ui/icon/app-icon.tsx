import { Drawing, drawings } from "./icon.tsx";

/** The icons of the signed-in area, apart from {@link drawings} to stay out of public pages. */
const appDrawings = {
  ...drawings,
  up: "M10 17V4 M4.5 9.5 10 4l5.5 5.5",
  sort: "M6.5 8 10 4.5 13.5 8 M6.5 12 10 15.5l3.5-3.5",
  search: "M8.5 3.5a5 5 0 1 0 0 10 5 5 0 0 0 0-10Z M12.5 12.5 17 17",
  home: "M3.5 9 10 3.5 16.5 9 M5.5 7.5V16h9V7.5",
  link: "M8.5 11.5 11.5 8.5 M9.5 6 12 3.5a3.2 3.2 0 0 1 4.5 4.5L14 10.5 M10.5 14 8 16.5A3.2 3.2 0 0 1 3.5 12L6 9.5",
  document: "M5 3h6.5L15 6.5V17H5Z M11.5 3v3.5H15 M7.5 10.5h5 M7.5 13.5h5",
  page: "M4.5 3h11v14h-11Z M7.5 6.5h3.5 M7.5 9.5h5 M7.5 12h5 M7.5 14.5h3",
  portfolio: "M3 4.5h14v11H3Z M3 7.5h14 M5.5 10h4v3h-4Z M12 10h2.5 M12 13h2.5",
  undo: "M4 8h8a4 4 0 0 1 0 8H8 M7.5 4.5 4 8l3.5 3.5",
  redo: "M16 8H8a4 4 0 0 0 0 8h4 M12.5 4.5 16 8l-3.5 3.5",
  drag: "M7 5v.01 M13 5v.01 M7 10v.01 M13 10v.01 M7 15v.01 M13 15v.01",
  ellipsis: "M4.5 10v.01 M10 10v.01 M15.5 10v.01",
  columns: "M3.5 4h3.5v12H3.5Z M8.25 4h3.5v8h-3.5Z M13 4h3.5v5H13Z",
  person: "M10 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z M4 16.5c1-3 3-4.5 6-4.5s5 1.5 6 4.5",
  shield: "M10 3 16 5v5c0 3.5-2.5 6-6 7-3.5-1-6-3.5-6-7V5Z",
  lock: "M5 9h10v7.5H5Z M7 9V6.5a3 3 0 0 1 6 0V9",
  card: "M3 5h14v10H3Z M3 8.5h14 M6 12h3",
  code: "M6.5 6 2.5 10l4 4 M13.5 6l4 4-4 4 M11.5 4l-3 12",
  pulse: "M3 10h3.5L9 4.5l3 11 2-5.5h3",
  chart: "M3.5 16.5h13 M6 13.5v-4 M10 13.5V4.5 M14 13.5v-6",
  flag: "M5 17V3.5 M5 4h9.5l-2.5 3.25 2.5 3.25H5",
  back: "M16 10H4 M9 5l-5 5 5 5",
} as const;

export type AppIconName = keyof typeof appDrawings;

/** As `Icon`, with the names that only the signed-in area uses. */
export function AppIcon({ name }: { name: AppIconName }) {
  return <Drawing name={name} path={appDrawings[name]} />;
}
