import type { DType } from "../../core/dtype.ts";

/** A communicator, datatype, operator or request: an address in Open MPI, a number in MPICH. */
export type Handle = bigint | number;

/** Requests as the library stores them. */
export type HandleArray = BigInt64Array | Int32Array;

/** The reductions of whole arrays that MPI and `operators/elements.ts` define alike. */
export type NativeOperator = "add" | "mul" | "min" | "max" | "and" | "or" | "xor";

/** What programs that are compiled against an MPI take from its mpi.h. */
export interface Abi {
  readonly name: "Open MPI" | "MPICH" | "MPI 5";
  /** The C type of handles. */
  readonly handle: "void *" | "int";
  readonly anySource: number;
  /** MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE. */
  readonly statusIgnore: bigint;
  /** MPI_THREAD_FUNNELED. */
  readonly threadFunneled: number;
  /** MPI_COMM_TYPE_SHARED. */
  readonly shared: number;
  readonly world: Handle;
  readonly infoNull: Handle;
  readonly errorsReturn: Handle;
  readonly byte: Handle;
  readonly types: Readonly<Record<DType, Handle>>;
  readonly operators: Readonly<Record<NativeOperator, Handle>>;
  newHandles(length: number): HandleArray;
}

/** Open MPI 3 to 5: handles are the addresses of the library's variables. */
export const openMpiAbi = (addressOf: (name: string) => bigint): Abi => ({
  name: "Open MPI",
  handle: "void *",
  anySource: -1,
  statusIgnore: 0n,
  threadFunneled: 1,
  shared: 0,
  world: addressOf("ompi_mpi_comm_world"),
  infoNull: addressOf("ompi_mpi_info_null"),
  errorsReturn: addressOf("ompi_mpi_errors_return"),
  byte: addressOf("ompi_mpi_byte"),
  types: {
    i8: addressOf("ompi_mpi_int8_t"),
    u8: addressOf("ompi_mpi_uint8_t"),
    i16: addressOf("ompi_mpi_int16_t"),
    u16: addressOf("ompi_mpi_uint16_t"),
    i32: addressOf("ompi_mpi_int32_t"),
    u32: addressOf("ompi_mpi_uint32_t"),
    i64: addressOf("ompi_mpi_int64_t"),
    u64: addressOf("ompi_mpi_uint64_t"),
    f32: addressOf("ompi_mpi_float"),
    f64: addressOf("ompi_mpi_double"),
  },
  operators: {
    add: addressOf("ompi_mpi_op_sum"),
    mul: addressOf("ompi_mpi_op_prod"),
    min: addressOf("ompi_mpi_op_min"),
    max: addressOf("ompi_mpi_op_max"),
    and: addressOf("ompi_mpi_op_band"),
    or: addressOf("ompi_mpi_op_bor"),
    xor: addressOf("ompi_mpi_op_bxor"),
  },
  newHandles: (length) => new BigInt64Array(length),
});

/** MPICH 3 and 4 and the libraries that share its ABI (MVAPICH, Intel MPI, Cray MPICH). */
export const mpichAbi: Abi = {
  name: "MPICH",
  handle: "int",
  anySource: -2,
  statusIgnore: 1n,
  threadFunneled: 1,
  shared: 1,
  world: 0x44000000,
  infoNull: 0x1c000000,
  errorsReturn: 0x54000001,
  byte: 0x4c00010d,
  types: {
    i8: 0x4c000137,
    u8: 0x4c00013b,
    i16: 0x4c000238,
    u16: 0x4c00023c,
    i32: 0x4c000439,
    u32: 0x4c00043d,
    i64: 0x4c00083a,
    u64: 0x4c00083e,
    f32: 0x4c00040a,
    f64: 0x4c00080b,
  },
  operators: {
    add: 0x58000003,
    mul: 0x58000004,
    min: 0x58000002,
    max: 0x58000001,
    and: 0x58000006,
    or: 0x58000008,
    xor: 0x5800000a,
  },
  newHandles: (length) => new Int32Array(length),
};

/** The MPI standard's own, from version 5.0 on: handles are small numbers in place of addresses. */
export const standardAbi: Abi = {
  name: "MPI 5",
  handle: "void *",
  anySource: -1,
  statusIgnore: 0n,
  threadFunneled: 1024,
  shared: 221,
  world: 0x101n,
  infoNull: 0x130n,
  errorsReturn: 0x142n,
  byte: 0x247n,
  types: {
    i8: 0x240n,
    u8: 0x241n,
    i16: 0x248n,
    u16: 0x249n,
    i32: 0x250n,
    u32: 0x251n,
    i64: 0x258n,
    u64: 0x259n,
    f32: 0x210n,
    f64: 0x214n,
  },
  operators: {
    add: 0x21n,
    min: 0x22n,
    max: 0x23n,
    mul: 0x24n,
    and: 0x28n,
    or: 0x29n,
    xor: 0x2an,
  },
  newHandles: (length) => new BigInt64Array(length),
};
