const drawings = {
  close: "M5 5 15 15 M15 5 5 15",
  menu: "M3 6h14 M3 10h14 M3 14h14",
  light:
    "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z M10 2v1.5 M10 16.5V18 M2 10h1.5 M16.5 10H18 M4.3 4.3l1.1 1.1 M14.6 14.6l1.1 1.1 M4.3 15.7l1.1-1.1 M14.6 5.4l1.1-1.1",
  dark: "M16.5 12A7 7 0 0 1 8 3.5 7 7 0 1 0 16.5 12Z",
  system: "M3 4.5h14v9H3Z M7 17h6 M10 13.5V17",
  expand: "M5.5 8 10 12.5 14.5 8",
  down: "M10 3v13 M4.5 10.5 10 16l5.5-5.5",
  up: "M10 17V4 M4.5 9.5 10 4l5.5 5.5",
  sort: "M6.5 8 10 4.5 13.5 8 M6.5 12 10 15.5l3.5-3.5",
  search: "M8.5 3.5a5 5 0 1 0 0 10 5 5 0 0 0 0-10Z M12.5 12.5 17 17",
  more: "M10 4v12 M4 10h12",
  check: "M4 10.5 8.5 15 16 5.5",
  home: "M3.5 9 10 3.5 16.5 9 M5.5 7.5V16h9V7.5",
  link: "M8.5 11.5 11.5 8.5 M9.5 6 12 3.5a3.2 3.2 0 0 1 4.5 4.5L14 10.5 M10.5 14 8 16.5A3.2 3.2 0 0 1 3.5 12L6 9.5",
  document: "M5 3h6.5L15 6.5V17H5Z M11.5 3v3.5H15 M7.5 10.5h5 M7.5 13.5h5",
  columns: "M3.5 4h3.5v12H3.5Z M8.25 4h3.5v8h-3.5Z M13 4h3.5v5H13Z",
  person: "M10 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z M4 16.5c1-3 3-4.5 6-4.5s5 1.5 6 4.5",
  shield: "M10 3 16 5v5c0 3.5-2.5 6-6 7-3.5-1-6-3.5-6-7V5Z",
  back: "M16 10H4 M9 5l-5 5 5 5",
  forward: "M4 10h12 M11 5l5 5-5 5",
} as const;

export type IconName = keyof typeof drawings;

/** A drawing of 20 by 20. Decorative: the text beside it says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className={`icon icon--${name}`}
      width="20"
      height="20"
      viewBox="0 0 20 20"
      aria-hidden="true"
    >
      <path
        d={drawings[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
