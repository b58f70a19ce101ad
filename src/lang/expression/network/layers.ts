/** A box in its layer, or the place where a value's way to lower layers passes through one. */
export interface LayeredItem {
  readonly node: number;
  readonly layer: number;
  /** Whether it is no box but a bend of the arrows that leave the box. */
  readonly bend: boolean;
  readonly width: number;
  /** Its centre; around 0. */
  x: number;
}

interface Linked extends LayeredItem {
  readonly above: Linked[];
  readonly below: Linked[];
}

const gap = 18;
const bendWidth = 4;
const orderingSweeps = 12;
const placingSweeps = 16;

/**
 * Puts nodes into layers below all their inputs, orders each layer by the means of its neighbours' places so that few
 * arrows cross, and moves boxes towards their neighbours. `inputs` names earlier nodes only.
 */
export function layersOf(
  inputs: readonly (readonly number[])[],
  widths: readonly number[],
): readonly (readonly LayeredItem[])[] {
  const layers = linkedLayers(inputs, widths, layerNumbers(inputs));
  const upwards = [...layers].reverse();
  for (let sweep = 0; sweep < orderingSweeps; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : upwards) orderByNeighbors(layer, down);
  }
  for (let sweep = 0; sweep < placingSweeps; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : upwards) moveToNeighbors(layer, down);
  }
  return layers;
}

/** One more than the lowest input; nodes without inputs stand right above their highest user. */
function layerNumbers(inputs: readonly (readonly number[])[]): number[] {
  const layers: number[] = [];
  inputs.forEach((own, i) => {
    layers[i] = own.reduce((least, input) => Math.max(least, layers[input] + 1), 0);
  });
  const highestUser = new Map<number, number>();
  inputs.forEach((own, i) => {
    for (const input of own) {
      highestUser.set(input, Math.min(highestUser.get(input) ?? Number.POSITIVE_INFINITY, layers[i]));
    }
  });
  return layers.map((layer, i) => (inputs[i].length === 0 ? (highestUser.get(i) ?? 1) - 1 : layer));
}

function linkedLayers(
  inputs: readonly (readonly number[])[],
  widths: readonly number[],
  numbers: readonly number[],
): Linked[][] {
  const layers = Array.from({ length: 1 + numbers.reduce((a, b) => Math.max(a, b), -1) }, (): Linked[] => []);
  const place = (node: number, layer: number, bend: boolean): Linked => {
    const item = { node, layer, bend, width: bend ? bendWidth : widths[node], x: 0, above: [], below: [] };
    layers[layer].push(item);
    return item;
  };
  /** The box and its bends so far, from the top. */
  const ways = widths.map((_, node) => [place(node, numbers[node], false)]);
  inputs.forEach((own, user) => {
    const [box] = ways[user];
    for (const input of new Set(own)) {
      const way = ways[input];
      const length = box.layer - numbers[input];
      while (way.length < length) {
        const last = way[way.length - 1];
        const next = place(input, last.layer + 1, true);
        link(last, next);
        way.push(next);
      }
      link(way[length - 1], box);
    }
  });
  for (const layer of layers) pack(layer);
  return layers;
}

function link(upper: Linked, lower: Linked): void {
  upper.below.push(lower);
  lower.above.push(upper);
}

/** Side by side, around 0. */
function pack(layer: readonly Linked[]): void {
  let right = 0;
  for (const item of layer) {
    item.x = right + item.width / 2;
    right += item.width + gap;
  }
  for (const item of layer) item.x -= (right - gap) / 2;
}

function orderByNeighbors(layer: Linked[], down: boolean): void {
  const wanted = new Map(layer.map((item) => [item, meanPlace(item, down)]));
  layer.sort((a, b) => (wanted.get(a) as number) - (wanted.get(b) as number));
  pack(layer);
}

/** The nearest places to those wanted that keep order and gaps: between packing from the left and from the right. */
function moveToNeighbors(layer: readonly Linked[], down: boolean): void {
  const wanted = layer.map((item) => meanPlace(item, down));
  const apart = (i: number) => (layer[i - 1].width + layer[i].width) / 2 + gap;
  const fromLeft: number[] = [];
  for (let i = 0; i < layer.length; i++) {
    fromLeft[i] = i === 0 ? wanted[i] : Math.max(wanted[i], fromLeft[i - 1] + apart(i));
  }
  const fromRight: number[] = [];
  for (let i = layer.length - 1; i >= 0; i--) {
    fromRight[i] = i === layer.length - 1 ? wanted[i] : Math.min(wanted[i], fromRight[i + 1] - apart(i + 1));
  }
  layer.forEach((item, i) => {
    item.x = (fromLeft[i] + fromRight[i]) / 2;
  });
}

function meanPlace({ x, above, below }: Linked, down: boolean): number {
  const neighbors = down ? above : below;
  if (neighbors.length === 0) return x;
  return neighbors.reduce((sum, neighbor) => sum + neighbor.x, 0) / neighbors.length;
}
