export const drawings = {
  close: "M5 5 15 15 M15 5 5 15",
  menu: "M3 6h14 M3 10h14 M3 14h14",
  light:
    "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z M10 2v1.5 M10 16.5V18 M2 10h1.5 M16.5 10H18 M4.3 4.3l1.1 1.1 M14.6 14.6l1.1 1.1 M4.3 15.7l1.1-1.1 M14.6 5.4l1.1-1.1",
  dark: "M16.5 12A7 7 0 0 1 8 3.5 7 7 0 1 0 16.5 12Z",
  system: "M3 4.5h14v9H3Z M7 17h6 M10 13.5V17",
  expand: "M5.5 8 10 12.5 14.5 8",
  down: "M10 3v13 M4.5 10.5 10 16l5.5-5.5",
  more: "M10 4v12 M4 10h12",
  check: "M4 10.5 8.5 15 16 5.5",
  forward: "M4 10h12 M11 5l5 5-5 5",
} as const;

export type IconName = keyof typeof drawings;

/** A drawing of 20 by 20. Decorative: the text beside it says the same. */
export function Icon({ name }: { name: IconName }) {
  return <Drawing name={name} path={drawings[name]} />;
}

/** Any path in the look of the icons. */
export function Drawing({ name, path }: { name: string; path: string }) {
  return (
    <svg
      className={`icon icon--${name}`}
      width="20"
      height="20"
      viewBox="0 0 20 20"
      aria-hidden="true"
    >
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
