import { type KeyboardEvent, useRef, useState } from "react";
import type { NetworkLayout } from "../../engine/api.ts";
import styles from "./NetworkDrawing.module.css";
import { edgePath, isGraphKey, measuredWords, nextNode, nodeWords } from "./network-graph.ts";

/**
 * The network as a drawing that scrolls in its own frame. One box at a time is in the tab order; arrow keys move along
 * the edges and within layers. Details of the box under the pointer or the focus are shown below.
 */
export function NetworkDrawing({ layout }: { layout: NetworkLayout }) {
  const { nodes, edges, width, height } = layout;
  const drawing = useRef<SVGSVGElement>(null);
  const [current, setCurrent] = useState("");
  const [pointed, setPointed] = useState<string>();
  const [isFocused, setFocused] = useState(false);
  const entry = nodes.some(({ id }) => id === current) ? current : nodes[nodes.length - 1]?.id;
  const marked = pointed ?? (isFocused ? entry : undefined);
  const longest = nodes.reduce((max, { milliseconds = 0 }) => Math.max(max, milliseconds), 0);
  const described = nodes.find(({ id }) => id === marked);

  const press = (event: KeyboardEvent): void => {
    if (!entry || !isGraphKey(event.key)) return;
    event.preventDefault();
    const next = nextNode(layout, entry, event.key);
    drawing.current?.querySelector<SVGGElement>(`[data-node="${next}"]`)?.focus();
  };

  return (
    <figure className={styles.figure}>
      <div className={styles.scroller}>
        {/* biome-ignore lint/a11y/useSemanticElements: a drawing is not a fieldset */}
        <svg
          ref={drawing}
          className={styles.drawing}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label="Dataflow network"
          onKeyDown={press}
        >
          <defs>
            <marker
              id="network-arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="9"
              markerHeight="9"
              orient="auto"
              markerUnits="userSpaceOnUse"
            >
              <path d="M0.5 0.5 7.5 4 0.5 7.5z" className={styles.arrow} />
            </marker>
          </defs>
          {edges.map((edge) => (
            <path
              key={`${edge.from} ${edge.to} ${edge.port} ${edge.points[edge.points.length - 1][0]}`}
              className={styles.edge}
              d={edgePath(edge)}
              markerEnd="url(#network-arrow)"
              data-marked={edge.from === marked || edge.to === marked || undefined}
            />
          ))}
          {nodes.map((node) => (
            // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it takes the focus to be read, not to be pressed
            <g
              key={node.id}
              className={styles.node}
              transform={`translate(${node.x} ${node.y})`}
              tabIndex={node.id === entry ? 0 : -1}
              role="img"
              aria-label={`${node.label}: ${nodeWords(layout, node).join(", ")}`}
              data-node={node.id}
              data-kind={node.kind}
              data-marked={node.id === marked || undefined}
              onFocus={() => {
                setCurrent(node.id);
                setFocused(true);
              }}
              onBlur={() => setFocused(false)}
              onPointerEnter={() => setPointed(node.id)}
              onPointerLeave={() => setPointed(undefined)}
            >
              <rect
                className={styles.box}
                x={-node.width / 2}
                y={-node.height / 2}
                width={node.width}
                height={node.height}
                rx={node.kind === "source" || node.kind === "sink" ? node.height / 2 : 4}
              />
              {node.milliseconds !== undefined && longest > 0 && (
                <rect
                  className={styles.share}
                  x={-node.width / 2 + 4}
                  y={node.height / 2 - 5}
                  width={((node.width - 8) * node.milliseconds) / longest}
                  height={3}
                />
              )}
              <BoxText label={node.label} measured={measuredWords(node)} />
            </g>
          ))}
        </svg>
      </div>
      <figcaption className={styles.caption}>
        {described ? (
          <>
            <strong>{described.label}</strong> {nodeWords(layout, described).join(" · ")}
          </>
        ) : (
          "Point at a box, or reach it with Tab and the arrow keys, to see its type."
        )}
      </figcaption>
    </figure>
  );
}

function BoxText({ label, measured }: { label: string; measured: string }) {
  return (
    <text textAnchor="middle" dominantBaseline="central">
      <tspan x="0" y={measured ? -10 : 0}>
        {label}
      </tspan>
      {measured && (
        <tspan x="0" y="5" className={styles.measured}>
          {measured}
        </tspan>
      )}
    </text>
  );
}
