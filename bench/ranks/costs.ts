import type { ExchangeCosts } from "./model.ts";

/** Between a GPU and its host: 256 MiB by `mapAsync` and `queue.writeBuffer` in Node (docs/performance.md). */
export const staging = { readBackBytesPerMs: 0.9e6, writtenBytesPerMs: 1.3e6 };

/** Milliseconds in which this project's binding makes an allreduce of 8 bytes over Open MPI (docs/communicator.md). */
const bindingMs = 0.025;

/**
 * OSU micro-benchmarks with Open MPI between two nodes over InfiniBand: 0.9 µs for 1 byte, 11.6 GB/s at 64 KiB
 * (J. Grimm, 2021, https://gist.github.com/jfgrimm/3af692a5475bdd4ed836b5a18197a209).
 */
const infiniBand = { latencyMs: 0.0009, bytesPerMs: 11.6e6 };

/** A cluster's MPI between GPUs like those of `measured`. */
export const clusterMpi = (measured: ExchangeCosts): ExchangeCosts => ({
  ...measured,
  ...infiniBand,
  name: "MPI over InfiniBand",
  callMs: measured.callMs + bindingMs,
});
