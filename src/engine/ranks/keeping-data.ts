import type { DataSet } from "../../core/field.ts";
import type { PointSet } from "../../core/point-set.ts";
import type { RankEngine } from "./rank-engine.ts";

/** Keeps what was read last. */
export function keepingData(read: RankEngine["read"]): RankEngine["read"] {
  let kept: { readonly key: string; readonly data: DataSet | PointSet } | undefined;
  return async (source, job) => {
    const key = JSON.stringify(source);
    if (kept?.key === key) return kept.data;
    kept = undefined;
    const data = await read(source, job);
    if (data) kept = { key, data };
    return data;
  };
}
