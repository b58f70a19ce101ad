import { lazyPart } from "../controls/LazyBoundary.tsx";
import { PageButton } from "../controls/PageButton.tsx";

const layouts = lazyPart("The page of layouts", () => import("./LayoutsPage.tsx"));

/** Opens the page on which layout transforms are tried. */
export const LayoutsButton = () => (
  <PageButton part={layouts} hash="#layouts" label="Layouts" icon="layouts" />
);
