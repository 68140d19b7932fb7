import "./skeleton.css";

export type SkeletonProps = {
  /** What it stands in for: its lines have the height of that text. */
  shape?: "line" | "title" | "row" | "block";
  count?: number;
};

/**
 * The outline of content that is being loaded: no text, no roles. It takes its space at once and
 * can be seen after 200 ms, so that a fast answer never flickers. The view that shows it announces
 * the loading.
 */
export function Skeleton({ shape = "line", count = 1 }: SkeletonProps) {
  return (
    <div className={`skeleton skeleton--${shape}`} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <span key={index} className="skeleton__bar" />
      ))}
    </div>
  );
}
