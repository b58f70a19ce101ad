import { expose } from "comlink";
import { CrinkleError } from "../../core/errors.ts";
import { withPlainErrors } from "../plain-errors.ts";
import type { RankApi } from "./api.ts";
import { Rank } from "./rank.ts";

const toPlain = (error: unknown) => (error instanceof CrinkleError ? error.toPlain() : error);

expose(withPlainErrors(new Rank(), toPlain) satisfies RankApi);
