import { useLaunch } from "../../features/pricing/launch.ts";
import { Link } from "../routing.ts";

type JoinLinkProps = {
  className?: string;
  track: string;
  /** Another label than the usual one. */
  children?: string;
};

/** The call to action of the site: the waitlist, or the registration once the product is open. */
export function JoinLink({ className, track, children }: JoinLinkProps) {
  const { open, join } = useLaunch();
  if (!open) {
    return (
      <Link className={className} to={join.to} data-track={track}>
        {children ?? join.label}
      </Link>
    );
  }
  // The registration is a document of its own.
  return (
    <a className={className} href={join.to} data-track={track}>
      {children ?? join.label}
    </a>
  );
}
