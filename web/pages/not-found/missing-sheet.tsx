export function MissingSheet() {
  return (
    <svg className="missing-sheet" viewBox="0 0 320 380" aria-hidden="true">
      <g className="missing-sheet__pile">
        <path d="M70 52L266 34L296 338L100 356Z" />
        <path d="M52 44H250V350H52Z" />
      </g>
      <path
        className="missing-sheet__gap"
        d="M24 26H174L224 76V336H24ZM174 26V76H224"
        strokeDasharray="7 8"
      />
      <path
        className="missing-sheet__ring"
        transform="translate(50 160) scale(0.74 0.72)"
        d="M168 17C140 4 62 2 24 26C-8 47 6 82 62 93C124 104 190 86 195 52C199 24 150 6 88 11"
        strokeDasharray="2 9"
      />
    </svg>
  );
}
