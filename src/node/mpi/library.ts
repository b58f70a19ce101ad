import { CommunicatorError } from "../../cluster/communicator/errors.ts";
import type { TypedArray } from "../../core/dtype.ts";
import type { Abi, Handle, HandleArray } from "./abi.ts";
import { loadMpi } from "./load.ts";

type Memory = TypedArray | null;
type Function<Arguments extends readonly unknown[]> = (...all: Arguments) => number;
/** A call's result is written to the first element. */
type Out = Int32Array | HandleArray;

/** `H` stands for the library's type of handles; pointers are memory. */
const signatures = {
  Init_thread: "void *, void *, int, void *",
  Initialized: "void *",
  Finalize: "",
  Abort: "H, int",
  Error_string: "int, void *, void *",
  Comm_rank: "H, void *",
  Comm_size: "H, void *",
  Comm_dup: "H, void *",
  Comm_idup: "H, void *, void *",
  Comm_free: "void *",
  Comm_split_type: "H, int, int, H, void *",
  Comm_set_errhandler: "H, H",
  Isend: "void *, int, H, int, int, H, void *",
  Irecv: "void *, int, H, int, int, H, void *",
  Cancel: "void *",
  Testany: "int, void *, void *, void *, void *",
  Iallgather: "void *, int, H, void *, int, H, H, void *",
  Iallgatherv: "void *, int, H, void *, void *, void *, H, H, void *",
  Ibcast: "void *, int, H, int, H, void *",
  Igatherv: "void *, int, H, void *, void *, void *, H, int, H, void *",
  Iscatter: "void *, int, H, void *, int, H, int, H, void *",
  Iscatterv: "void *, void *, void *, H, void *, int, H, int, H, void *",
  Ialltoall: "void *, int, H, void *, int, H, H, void *",
  Ialltoallv: "void *, void *, void *, H, void *, void *, void *, H, H, void *",
  Iallreduce: "void *, void *, int, H, H, H, void *",
  Iscan: "void *, void *, int, H, H, H, void *",
  Iexscan: "void *, void *, int, H, H, H, void *",
  Ireduce: "void *, void *, int, H, H, int, H, void *",
  Ireduce_scatter: "void *, void *, void *, H, H, H, void *",
} as const;

/** Memory, a length and a type. */
type BufferArguments = [Uint8Array, number, Handle];
/** Memory, lengths and starts by rank, and a type. */
type Parts = [Uint8Array, Int32Array, Int32Array, Handle];
type ElementwiseArguments = [TypedArray, TypedArray, number, Handle, Handle, Handle, HandleArray];

interface Functions {
  readonly Init_thread: Function<[null, null, number, Out]>;
  readonly Initialized: Function<[Out]>;
  readonly Finalize: Function<[]>;
  readonly Abort: Function<[Handle, number]>;
  readonly Error_string: Function<[number, Uint8Array, Out]>;
  readonly Comm_rank: Function<[Handle, Out]>;
  readonly Comm_size: Function<[Handle, Out]>;
  readonly Comm_dup: Function<[Handle, Out]>;
  readonly Comm_idup: Function<[Handle, HandleArray, HandleArray]>;
  readonly Comm_free: Function<[HandleArray]>;
  readonly Comm_split_type: Function<[Handle, number, number, Handle, Out]>;
  readonly Comm_set_errhandler: Function<[Handle, Handle]>;
  readonly Isend: Function<[Uint8Array, number, Handle, number, number, Handle, HandleArray]>;
  readonly Irecv: Function<[Uint8Array, number, Handle, number, number, Handle, HandleArray]>;
  readonly Cancel: Function<[HandleArray]>;
  readonly Testany: Function<[number, HandleArray, Int32Array, Int32Array, bigint]>;
  readonly Iallgather: Function<[...BufferArguments, ...BufferArguments, Handle, HandleArray]>;
  readonly Iallgatherv: Function<[...BufferArguments, ...Parts, Handle, HandleArray]>;
  readonly Ibcast: Function<[Uint8Array, number, Handle, number, Handle, HandleArray]>;
  readonly Igatherv: Function<[...BufferArguments, ...Parts, number, Handle, HandleArray]>;
  readonly Iscatter: Function<[...BufferArguments, ...BufferArguments, number, Handle, HandleArray]>;
  readonly Iscatterv: Function<[...Parts, ...BufferArguments, number, Handle, HandleArray]>;
  readonly Ialltoall: Function<[...BufferArguments, ...BufferArguments, Handle, HandleArray]>;
  readonly Ialltoallv: Function<[...Parts, ...Parts, Handle, HandleArray]>;
  readonly Iallreduce: Function<ElementwiseArguments>;
  readonly Iscan: Function<ElementwiseArguments>;
  readonly Iexscan: Function<ElementwiseArguments>;
  readonly Ireduce_scatter: Function<
    [TypedArray, TypedArray, Int32Array, Handle, Handle, Handle, HandleArray]
  >;
  readonly Ireduce: Function<[TypedArray, Memory, number, Handle, Handle, number, Handle, HandleArray]>;
}

/** MPI's lengths are ints. */
export const maxInt = 2 ** 31 - 1;

const maxErrorBytes = 1024;

/** The MPI of this process, which is initialized once. All calls return at once unless they say otherwise. */
export class MpiLibrary {
  readonly abi: Abi;
  /** The name it was loaded by. */
  readonly name: string;
  /** MPI's functions, without their prefix; they return an error code (see `check`). */
  readonly call: Functions;
  /** Lets another process have this core, if one waits for it. */
  readonly yieldCore: () => void;

  private constructor(abi: Abi, name: string, call: Functions, yieldCore: () => void) {
    this.abi = abi;
    this.name = name;
    this.call = call;
    this.yieldCore = yieldCore;
  }

  /**
   * Loads and initializes MPI (MPI_Init_thread), which waits for the other ranks. Throws Refused if there is none to load,
   * or it is already initialized.
   */
  static async open(environment: Readonly<Record<string, string | undefined>>): Promise<MpiLibrary> {
    const { abi, name, bind, yieldCore } = await loadMpi(environment);
    const call = Object.fromEntries(
      Object.entries(signatures).map(([key, types]) => [
        key,
        bind(`int MPI_${key}(${types.replaceAll("H", abi.handle)})`),
      ]),
    ) as unknown as Functions;
    const library = new MpiLibrary(abi, name, call, yieldCore);
    const out = new Int32Array(1);
    library.check(call.Initialized(out), "MPI_Initialized");
    if (out[0] !== 0) {
      throw new CommunicatorError({
        tag: "Refused",
        mpi: "MPI_ERR_OTHER",
        problem: "MPI has already been initialized in this process.",
        remedy: "Open it once, and pass the communicator on.",
      });
    }
    library.check(call.Init_thread(null, null, abi.threadFunneled, out), "MPI_Init_thread");
    library.check(call.Comm_set_errhandler(abi.world, abi.errorsReturn), "MPI_Comm_set_errhandler");
    return library;
  }

  /** Throws Internal with MPI's own words unless the code is MPI_SUCCESS. */
  check(code: number, name: string): void {
    if (code !== 0) throw this.errorOf(code, name);
  }

  errorOf(code: number, name: string): CommunicatorError {
    const text = new Uint8Array(maxErrorBytes);
    const length = new Int32Array(1);
    const isKnown = this.call.Error_string(code, text, length) === 0;
    const words = isKnown ? new TextDecoder().decode(text.subarray(0, length[0])) : `error ${code}`;
    return new CommunicatorError({ tag: "Internal", mpi: "MPI_ERR_OTHER", problem: `${name}: ${words}.` });
  }

  rankIn(communicator: Handle): number {
    return this.#int("Comm_rank", communicator);
  }

  sizeOf(communicator: Handle): number {
    return this.#int("Comm_size", communicator);
  }

  /** MPI_Comm_dup, which waits for the other ranks. Errors are inherited: calls return them. */
  dup(communicator: Handle): Handle {
    const out = this.abi.newHandles(1);
    this.check(this.call.Comm_dup(communicator, out), "MPI_Comm_dup");
    return out[0];
  }

  free(communicator: Handle): void {
    const handles = this.abi.newHandles(1);
    handles[0] = communicator;
    this.check(this.call.Comm_free(handles), "MPI_Comm_free");
  }

  /** This rank's number among those on its machine, and their number; waits for the other ranks. */
  local(): { readonly rank: number; readonly size: number } {
    const { abi, call } = this;
    const out = abi.newHandles(1);
    this.check(call.Comm_split_type(abi.world, abi.shared, 0, abi.infoNull, out), "MPI_Comm_split_type");
    const local = { rank: this.rankIn(out[0]), size: this.sizeOf(out[0]) };
    this.free(out[0]);
    return local;
  }

  #int(name: "Comm_rank" | "Comm_size", communicator: Handle): number {
    const out = new Int32Array(1);
    this.check(this.call[name](communicator, out), `MPI_${name}`);
    return out[0];
  }
}
