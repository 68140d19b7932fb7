import { Component, type ReactNode } from "react";

import { LoadingFailure, reloadOnce } from "./loading-failure.ts";
import { FailurePage } from "./shell/failure-page.tsx";
import { NavigationProgress } from "./shell/navigation-progress.tsx";

type Props = {
  /** Key of the navigation. */
  visit: string;
  children: ReactNode;
};

type State = { visit: string; failure: "none" | "new" | "final" };

/**
 * Replaces a page that cannot be loaded or rendered; header and footer stay. Code that cannot be
 * fetched may belong to an earlier release: then the address is loaded once as a new document.
 */
export class PageBoundary extends Component<Props, State> {
  override readonly state: State = { visit: this.props.visit, failure: "none" };

  static getDerivedStateFromError(): Partial<State> {
    return { failure: "new" };
  }

  static getDerivedStateFromProps({ visit }: Props, state: State): Partial<State> | null {
    return visit === state.visit ? null : { visit, failure: "none" };
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof LoadingFailure && reloadOnce()) return;
    this.setState({ failure: "final" });
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === "new") return <NavigationProgress pending />;
    return failure === "final" ? <FailurePage /> : this.props.children;
  }
}
