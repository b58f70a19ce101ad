import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { CrinkleError } from "../../../core/errors.ts";
import { compile } from "../compile.ts";
import { allFilters } from "../filters/registry.ts";
import { createNetwork, type DataflowNetwork } from "./dataflow.ts";
import type { FieldSignature, Network } from "./network.ts";
import { aritiesOf, portsOf } from "./ports.ts";
import { describeNetwork } from "./testing/describe.ts";
import { expectSameNetwork } from "./testing/same.ts";

const field = (name: string, components = 1, centering: "node" | "cell" = "node"): FieldSignature => ({
  name,
  components,
  centering,
});
const fields = [
  field("u"),
  field("v"),
  field("w"),
  field("velocity", 3),
  field("stress", 6),
  field("p", 1, "cell"),
];

/** A network of u and v, to which `build` adds the rest. */
function made(build: (network: DataflowNetwork) => void): DataflowNetwork {
  const network = createNetwork(fields);
  network.addSource("u");
  network.addSource("v");
  build(network);
  return network;
}

/** Makes a filter and connects its inputs. */
function apply(network: DataflowNetwork, type: string, inputs: readonly string[], name?: string): string {
  const filter = network.addFilter(type, name);
  inputs.forEach((input, port) => {
    network.connect(input, filter, port);
  });
  return filter;
}

const lines = (network: DataflowNetwork) => describeNetwork(network.build()).split("\n");

describe("a network made by hand", () => {
  it("computes what the text of the same filters does", () => {
    const network = createNetwork(fields);
    network.addSource("velocity");
    network.addFilter("gradient", "J");
    network.addFilter("trace", "d");
    network.addConstant(2, "two");
    network.addFilter("multiply", "r");
    network.connect("velocity", "J", ":f");
    network.connect("J", "d", "m");
    network.connect("d", "r", ":a");
    network.connect("two", "r", 1);
    network.addSink("result", "r");
    expect(describeNetwork(network.build())).toBe(
      describeNetwork(compile("trace(gradient(velocity)) * 2", fields)),
    );
  });

  it("does what docs/networks.md shows", async () => {
    const page = await readFile(new URL("../../../../docs/networks.md", import.meta.url), "utf8");
    // Up to the data that it is given: the rest is run from the package.
    const code = /```js \S+\n(.*?)const velocity/s.exec(page)?.[1].replace(/^import .*\n/m, "");
    const [, program] = /the program `([^`]*)`/.exec(page) ?? [];
    const built: Network = new Function("createNetwork", `${code}return network.build();`)(createNetwork);
    expectSameNetwork(built, compile(program, fields));
  });

  it("expands composites, picks components and recentres as texts do", () => {
    const network = createNetwork(fields);
    const velocity = network.addSource("velocity");
    network.addSource("stress", { component: 5, name: "s" });
    network.addSource("p");
    apply(network, "vorticity", [velocity], "w");
    apply(network, "component_2", ["w"], "wz");
    apply(network, "add", ["wz", "s"], "sum");
    apply(network, "multiply", ["sum", "p"], "r");
    network.addSink("r", "r");
    const expected = compile("r = (curl(velocity)[2] + stress[5]) * p", fields);
    expectSameNetwork(network.build(), expected);
    expect(network.build().notes).toHaveLength(1);
  });

  it("takes values at the centring that a type names", () => {
    const network = createNetwork(fields);
    network.addSource("p");
    apply(network, "recenter:node", ["p"], "a");
    network.addFilter("coords:cell", "x");
    network.addSink("a", "a");
    network.addSink("x", "x");
    expect(lines(network)).toEqual([
      "0 = p: scalar, cell",
      "1 = recenter_to_node(0): scalar, node",
      "2 = coords(): vec3, cell",
      "a = 1",
      "x = 2",
    ]);
  });

  it("is put in topological order, whatever order it was made in", () => {
    const network = createNetwork(fields);
    network.addFilter("sqrt", "c");
    network.addFilter("sin", "b");
    network.addFilter("add", "a");
    network.connect("b", "c", 0);
    network.connect("a", "b", 0);
    network.addSource("v");
    network.addSource("u");
    network.connect("u", "a", ":b");
    network.connect("v", "a", ":a");
    network.addSink("r", "c");
    const { nodes } = network.build();
    expect(nodes).toHaveLength(5);
    nodes.forEach((node, id) => {
      for (const input of "inputs" in node ? node.inputs : []) expect(input).toBeLessThan(id);
    });
  });

  it("pools constants", () => {
    const network = made((it) => {
      it.addConstant(2, "two");
      it.addConstant(2, "again");
      it.addConstant([2, 2], "pair");
      apply(it, "multiply", ["u", "two"], "a");
      apply(it, "multiply", ["v", "again"], "b");
      apply(it, "add", ["a", "b"], "r");
      it.addSink("r", "r");
    });
    expect(lines(network).filter((line) => line.includes("constant"))).toEqual(["2 = 2: scalar, constant"]);
  });

  it("computes equal filters once, wherever they nest", () => {
    const network = made((it) => {
      for (const side of ["l", "r"]) {
        apply(it, "add", ["u", "v"], `sum_${side}`);
        apply(it, "sin", [`sum_${side}`], `sin_${side}`);
        apply(it, "sqrt", [`sin_${side}`], `root_${side}`);
      }
      apply(it, "divide", ["root_l", "root_r"], "r");
      it.addSink("r", "r");
    });
    expect(lines(network).filter((line) => line.includes("("))).toHaveLength(4);
  });

  it("takes a + b and b + a for one, but not a - b and b - a", () => {
    const count = (type: string) =>
      lines(
        made((it) => {
          it.addSink("a", apply(it, type, ["u", "v"]));
          it.addSink("b", apply(it, type, ["v", "u"]));
        }),
      ).filter((line) => line.includes("(")).length;
    expect(["add", "multiply", "min", "subtract", "divide"].map(count)).toEqual([1, 1, 1, 2, 2]);
  });

  it("leaves out what no sink needs, unfinished or not", () => {
    const network = made((it) => {
      it.addFilter("add", "open");
      apply(it, "sin", ["v"], "dead");
      it.addSink("r", "u");
    });
    expect(lines(network)).toEqual(["0 = u: scalar, node", "r = 0"]);
  });

  it("folds constants", () => {
    const network = made((it) => {
      it.addConstant(2, "two");
      it.addConstant(true, "yes");
      apply(it, "pow", ["two", "two"], "four");
      apply(it, "if", ["yes", "four", "two"], "choice");
      apply(it, "add", ["u", "choice"], "r");
      it.addSink("r", "r");
    });
    expect(lines(network)).toEqual([
      "0 = u: scalar, node",
      "1 = 4: scalar, constant",
      "2 = add(0, 1): scalar, node",
      "r = 2",
    ]);
  });

  it("can be built again after changes, for some sinks or for another centring", () => {
    const network = made((it) => {
      apply(it, "add", ["u", "v"], "r");
      it.addSink("r", "r");
      it.addSink("u", "u");
    });
    const first = describeNetwork(network.build());
    network.disconnect("r", ":b");
    network.connect("u", "r", ":b");
    expect(lines(network)[1]).toBe("1 = add(0, 0): scalar, node");
    expect(first).toContain("add(0, 1)");
    expect(describeNetwork(network.build({ outputs: ["u"] })).split("\n")).toHaveLength(2);
    expect(network.build({ centering: "cell" }).nodes.at(-1)?.kind).toBe("recenter");
  });

  it("takes chains of any length", () => {
    const network = createNetwork(fields);
    let last = network.addSource("u");
    for (let i = 0; i < 20_000; i++) last = apply(network, i % 2 ? "sin" : "cos", [last]);
    network.addSink("r", last);
    expect(network.build().nodes).toHaveLength(20_001);
  });
});

describe("names", () => {
  it("are made up where none is given, and returned", () => {
    const network = createNetwork(fields);
    expect([network.addSource("u"), network.addSource("u")]).toEqual(["u", "u_2"]);
    expect([network.addConstant(1), network.addConstant([1, 2])]).toEqual(["constant", "constant_2"]);
    expect([network.addFilter("add"), network.addFilter("recenter:node")]).toEqual(["add", "recenter_node"]);
  });

  it.each(allFilters.map((filter) => [filter.name, filter] as const))(
    "%s has a port for each input",
    (_, filter) => {
      const ports = portsOf(filter);
      expect(ports).toHaveLength(Math.max(...aritiesOf(filter)));
      expect(new Set(ports).size).toBe(ports.length);
    },
  );
});

describe("errors", () => {
  const network = () =>
    made((it) => {
      it.addSource("velocity");
      apply(it, "add", ["u", "v"], "sum");
      it.addFilter("sqrt", "root");
    });
  it.each<[string, (it: DataflowNetwork) => void, string, string]>([
    [
      "an unknown filter",
      (it) => it.addFilter("sqtr"),
      "UnknownName",
      "There is no filter of type “sqtr”. Did you mean sqrt?",
    ],
    [
      "an unknown field",
      (it) => it.addSource("pressure"),
      "UnknownName",
      "The data set has no field “pressure”. Its fields are u, v, w, velocity, stress, p.",
    ],
    [
      "an unknown source",
      (it) => it.connect("smu", "root", 0),
      "UnknownName",
      "The network has nothing called “smu”. Did you mean sum?",
    ],
    [
      "an unknown port",
      (it) => it.connect("u", "sum", ":c"),
      "UnknownName",
      "There is no port :c of filter “sum” (add). Its ports are :a (0), :b (1).",
    ],
    [
      "a number of no port",
      (it) => it.connect("u", "root", 1),
      "UnknownName",
      "There is no port 1 of filter “root” (sqrt). Its ports are :a (0).",
    ],
    [
      "a source's port",
      (it) => it.connect("u", "v", 0),
      "UnknownName",
      "There is no port 0 of source “v”. It has no ports.",
    ],
    [
      "a port that is taken",
      (it) => it.connect("v", "sum", ":a"),
      "BadArgument",
      'Port :a of filter “sum” (add) is taken by “u”. Disconnect it first: network.disconnect("sum", ":a").',
    ],
    [
      "a name that is taken",
      (it) => it.addConstant(1, "sum"),
      "BadArgument",
      "The name “sum” is taken by filter “sum” (add). Take another one.",
    ],
    [
      "a cycle of one",
      (it) => it.connect("root", "root", 0),
      "BadArgument",
      "Connecting “root” to “root” would make a cycle: root → root. A network's values must not depend on themselves.",
    ],
    [
      "a cycle",
      (it) => {
        it.disconnect("sum", 1);
        it.connect("sum", "root", 0);
        it.connect("root", "sum", 1);
      },
      "BadArgument",
      "Connecting “root” to “sum” would make a cycle: root → sum → root. A network's values must not depend on themselves.",
    ],
    [
      "no sink",
      (it) => it.build(),
      "BadArgument",
      "The network has no sink, so it computes nothing. Name a result with addSink.",
    ],
    [
      "an open port",
      (it) => {
        it.addSink("r", "root");
        it.build();
      },
      "BadArgument",
      'Port :a of filter “root” (sqrt) is not connected. Connect it: network.connect(source, "root", ":a").',
    ],
    [
      "types that do not fit",
      (it) => {
        it.addSink("r", apply(it, "divide", ["u", "velocity"], "ratio"));
        it.build();
      },
      "TypeError",
      "Filter “ratio” (divide): “a / b” was given a scalar and a vector (3).",
    ],
    [
      "a field of no type",
      (it) => {
        it.addSink("r", it.addSource("stress"));
        it.build();
      },
      "TypeError",
      "Source “stress”: The field “stress” has 6 components, which is neither a vector nor a tensor.",
    ],
  ])("name %s and the way out", (_, action, tag, message) => {
    try {
      action(network());
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(CrinkleError);
      expect((error as CrinkleError).tag).toBe(tag);
      expect((error as CrinkleError).message).toContain(message);
    }
  });
});
