import { lazyPart } from "../controls/LazyBoundary.tsx";
import { PageButton } from "../controls/PageButton.tsx";

const bench = lazyPart("The bench", () => import("./BenchPage.tsx"));

/** Opens the bench. */
export const BenchButton = () => <PageButton part={bench} hash="#bench" label="Bench" icon="gauge" />;
