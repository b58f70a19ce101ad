import { expect, it, vi } from "vitest";
import { Recorder } from "./recorder.ts";
import { notingGpu, paperPipeline } from "./testing/paper-kernel.ts";

const pipeline = paperPipeline("double");

function recording() {
  const { gpu, groups, recorded } = notingGpu();
  const queue = { submit: vi.fn(), writeBuffer: vi.fn() };
  Object.defineProperty(gpu.device, "queue", { value: queue });
  return { gpu, groups, recorded, queue, recorder: new Recorder(gpu, "test") };
}

it("shares a pass between dispatches until a command needs the encoder", () => {
  const { gpu, recorder, recorded, queue } = recording();
  const buffer = recorder.workspace("words", 1024);
  for (const workgroups of [1, 0, 2]) recorder.dispatch(pipeline, [{ buffer }], workgroups);
  recorder.encoder.clearBuffer(buffer);
  recorder.dispatch(pipeline, [{ buffer }], 3);
  expect(queue.submit).not.toHaveBeenCalled();
  recorder.submit();
  const dispatches = recorded.filter((what) => !what.startsWith("pipeline") && !what.startsWith("group"));
  expect(dispatches).toEqual([
    ...["begin test", "dispatch 1 × 1", "dispatch 2 × 1", "end", "clear"],
    ...["begin test", "dispatch 3 × 1", "end"],
  ]);
  expect(queue.submit).toHaveBeenCalledTimes(1);
  expect(gpu.counters.kernels).toBe(3);
});

it("sends all parameters in one write, and makes no bind group or buffer for the same recording again", () => {
  const { gpu, recorder, groups, queue } = recording();
  const record = () => {
    for (let k = 0; k < 3; k++) {
      recorder.scratch(() => {
        const buffer = recorder.workspace("words", 4096);
        recorder.dispatch(pipeline, [recorder.parameters([k]), { buffer }], 1);
      });
    }
    recorder.submit();
  };
  record();
  const { buffers } = gpu.pool.use;
  for (let k = 0; k < 5; k++) record();
  expect(groups.length).toBe(3);
  expect(gpu.pool.use.buffers).toBe(buffers);
  expect(queue.writeBuffer).toHaveBeenCalledTimes(6);
});

it("submits nothing where nothing was recorded", () => {
  const { recorder, queue } = recording();
  recorder.parameters([1]);
  recorder.dispatch(pipeline, [], 0);
  recorder.submit();
  expect(queue.submit).not.toHaveBeenCalled();
});
