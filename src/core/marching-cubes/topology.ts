/**
 * Of isosurfaces. "table": one surface for each of the 256 cases. "trilinear": in each cell the topology of the trilinear
 * interpolant of its corners (Nielson 2003; the 33 cases of Chernyaev 1995), by faces' saddles and inner tunnels.
 */
export type Topology = "table" | "trilinear";
