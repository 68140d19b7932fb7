import type { DayMarks } from "./link-record.ts";

const column = 30;
const row = 17;
const dot = 6.5;

type OpensTimelineProps = { byDay: readonly DayMarks[]; description: string };

/** Opens above the line, excluded ones below. */
function Day({ marks, x, line }: { marks: DayMarks; x: number; line: number }) {
  return (
    <g>
      <line className="timeline__day" x1={x} x2={x} y1={line - 3} y2={line + 3} />
      {marks.opens.map((first, index) => (
        <circle
          // oxlint-disable-next-line react/no-array-index-key -- the marks of a past day never move
          key={index}
          className={first ? "timeline__open timeline__open--new" : "timeline__open"}
          cx={x}
          cy={line - 14 - index * row}
          r={first ? dot : dot - 2.5}
        />
      ))}
      {Array.from({ length: marks.excluded }, (_, index) => (
        <circle
          key={index}
          className="timeline__machine"
          cx={x}
          cy={line + 13 + index * 11}
          r="3.5"
        />
      ))}
    </g>
  );
}

/**
 * Opens per day as single marks, few enough to count. Time runs from left to right in every
 * language. `description` states the same in text.
 */
export function OpensTimeline({ byDay, description }: OpensTimelineProps) {
  const most = Math.max(1, ...byDay.map((day) => day.opens.length));
  const mostExcluded = Math.max(0, ...byDay.map((day) => day.excluded));
  const line = 14 + most * row - 3;
  const height = line + 8 + Math.max(1, mostExcluded) * 11 + 4;
  const width = byDay.length * column;
  return (
    <svg
      className="timeline"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={description}
    >
      <line className="timeline__line" x1="0" x2={width} y1={line} y2={line} />
      {byDay.map((marks, index) => (
        <Day key={marks.day} marks={marks} x={(index + 0.5) * column} line={line} />
      ))}
    </svg>
  );
}
