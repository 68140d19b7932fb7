/** The arrow of a select, which the browser's own look would draw. Decorative. */
export function SelectArrow() {
  return (
    <svg className="field__arrow" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M3.5 6 8 10.5 12.5 6" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
