import type { ReactNode } from "react";

/** Line icons on a 20-unit square, in the colour of the surrounding text; the buttons provide their names. */
const drawings = {
  open: (
    <path d="M2.5 15.5V5a1 1 0 0 1 1-1h4l2 2h6a1 1 0 0 1 1 1v1.5M2.5 15.5l2.3-6.3a1 1 0 0 1 .9-.7h11.6a.7.7 0 0 1 .7.9l-1.9 5.4a1 1 0 0 1-.9.7z" />
  ),
  samples: (
    <>
      <path d="M10 2.5 16.5 6v8L10 17.5 3.5 14V6z" />
      <path d="M3.5 6 10 9.7 16.5 6M10 9.7v7.8" />
    </>
  ),
  sun: (
    <>
      <circle cx="10" cy="10" r="3.3" />
      <path d="M10 2v1.8M10 16.2V18M2 10h1.8M16.2 10H18M4.3 4.3l1.3 1.3M14.4 14.4l1.3 1.3M4.3 15.7l1.3-1.3M14.4 5.6l1.3-1.3" />
    </>
  ),
  moon: <path d="M16.5 11.8A7 7 0 0 1 8.2 3.5a7 7 0 1 0 8.3 8.3z" />,
  auto: (
    <>
      <circle cx="10" cy="10" r="7" />
      <path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" />
    </>
  ),
  expand: <path d="M3.5 7.5v-4h4M12.5 3.5h4v4M16.5 12.5v4h-4M7.5 16.5h-4v-4" />,
  find: <path d="M8.5 3a5.500 5.500 0 1 0 0 11a5.500 5.500 0 1 0 0-11M12.500 12.500L17 17" />,
  help: (
    <>
      <circle cx="10" cy="10" r="7.5" />
      <path d="M7.8 7.8a2.3 2.3 0 1 1 3.4 2c-.8.5-1.2 1-1.2 1.9M10 14.2v.1" />
    </>
  ),
  gauge: (
    <>
      <path d="M4.3 15.5a7.5 7.5 0 1 1 11.4 0" />
      <path d="M10 11l3.2-3.8" />
      <circle cx="10" cy="11" r="1.2" />
    </>
  ),
  layouts: (
    <path d="M3 3h6v6H3zM11 11h6v6h-6zM11.5 5.500h3v3M13 7l1.500 1.500L16 7M8.500 14.500h-3v-3M4 13l1.500-1.500L7 13" />
  ),
  network: (
    <>
      <path d="M3 2.5h5.5v4H3zM11.5 2.5H17v4h-5.5zM7.2 13.5h5.6v4H7.2z" />
      <path d="M5.8 6.5v1.2a2 2 0 0 0 2 2h4.4a2 2 0 0 0 2-2V6.5M10 9.7v3.8" />
    </>
  ),
  copy: (
    <>
      <path d="M7 7.5a1 1 0 0 1 1-1h7.5a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1z" />
      <path d="M13.5 6.5v-2a1 1 0 0 0-1-1h-8a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1H7" />
    </>
  ),
  home: <path d="M3 9.5 10 3.5l7 6M5 8.5v8h3.5v-4.5h3v4.5H15v-8" />,
  camera: (
    <>
      <path d="M2.5 6.5a1 1 0 0 1 1-1h2.7l1.3-2h5l1.3 2h2.7a1 1 0 0 1 1 1v8.5a1 1 0 0 1-1 1h-13a1 1 0 0 1-1-1z" />
      <circle cx="10" cy="10.5" r="3" />
    </>
  ),
  close: <path d="M5 5l10 10M15 5 5 15" />,
  trash: <path d="M4 5.5h12M8 5.5v-2h4v2M5.5 5.5l.7 11h7.6l.7-11M8.5 8.5v5M11.5 8.5v5" />,
  chevron: <path d="M6 8l4 4 4-4" />,
  share: (
    <>
      <circle cx="5" cy="10" r="2.3" />
      <circle cx="14.5" cy="5" r="2.3" />
      <circle cx="14.5" cy="15" r="2.3" />
      <path d="M7.1 8.9l5.3-2.8M7.1 11.1l5.3 2.8" />
    </>
  ),
  plus: <path d="M10 4v12M4 10h12" />,
  pause: <path d="M6.5 4.5v11M13.5 4.5v11" strokeWidth="2.4" />,
  step: <path d="M5 4.2v11.6L12.5 10zM15.5 4.5v11" />,
  lattice: <path d="M3.5 3.5h13v13h-13zM3.5 7.8h13M3.5 12.2h13M7.8 3.5v13M12.2 3.5v13" />,
  play: <path d="M6 4.2v11.6L15.5 10z" fill="currentColor" />,
  check: <path d="M4 10.5l4 4 8-9" />,
  warning: <path d="M10 3 18 16.5H2zM10 8v4M10 14.3v.1" />,
  download: <path d="M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13" />,
  minus: <path d="M4 10h12" />,
  undo: <path d="M4 8.5h8a4 4 0 0 1 0 8H8M4 8.5l3.5-3.5M4 8.5 7.5 12" />,
  redo: <path d="M16 8.5H8a4 4 0 0 0 0 8h4M16 8.5l-3.5-3.5M16 8.5 12.5 12" />,
  back: <path d="M16 10H4.5M9.5 5 4.5 10l5 5" />,
  forward: <path d="M4 10h11.5M10.5 5l5 5-5 5" />,
  up: <path d="M10 16V4.5M5.5 9 10 4.5 14.5 9" />,
  down: <path d="M10 4v11.5M5.5 11l4.5 4.5 4.5-4.5" />,
  pencil: <path d="M4 16l.8-3.6L13.5 3.7a1.4 1.4 0 0 1 2 0l.8.8a1.4 1.4 0 0 1 0 2L7.6 15.2zM12 5.2 14.8 8" />,
  eye: (
    <>
      <path d="M2 10s3-5.2 8-5.2S18 10 18 10s-3 5.2-8 5.2S2 10 2 10z" />
      <circle cx="10" cy="10" r="2.4" />
    </>
  ),
  eyeOff: <path d="M2.5 8S5 12.5 10 12.5 17.5 8 17.5 8M4.6 11l-1.6 2.2M10 12.5v3M15.4 11l1.6 2.2" />,
  flip: <path d="M10 3v14M7 6.5 3.5 10 7 13.5M13 6.5l3.5 3.5-3.5 3.5" />,
  probe: (
    <>
      <circle cx="10" cy="10" r="5" />
      <path d="M10 2v4M10 14v4M2 10h4M14 10h4M10 10v.1" />
    </>
  ),
  link: (
    <path d="M8.5 11.5a3 3 0 0 0 4.2 0l2.8-2.8a3 3 0 0 0-4.2-4.2L10 5.8M11.5 8.5a3 3 0 0 0-4.2 0L4.5 11.3a3 3 0 0 0 4.2 4.2L10 14.2" />
  ),
  save: (
    <path d="M3.5 4.5a1 1 0 0 1 1-1h9l3 3v9a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1zM6.5 3.5v4h6v-4M6.5 16.5v-5h7v5" />
  ),
  isosurface: (
    <path d="M3 12c0-3 2-2 3.5-4.5S9 3.5 12 4s5 3 4.5 6-1.5 3-3 4.5-3.5 2-6 1.5S3 14.5 3 12zM6.5 11.5c1-2 2-1 3-2.5s1.5-2 3-1.5" />
  ),
  plane: <path d="M2.5 13 7 6.5h10.5L13 13zM10 9.5V3M8.5 4.5 10 3l1.5 1.5" />,
  sphere: (
    <>
      <circle cx="10" cy="10" r="6.5" />
      <path d="M3.5 10c0 1.600 2.900 2.700 6.5 2.700s6.5-1.100 6.5-2.700" />
    </>
  ),
  formula: (
    <path d="M12.5 4c-2-.8-3 .2-3.3 2L7.5 15c-.3 1.600-1.3 2.2-3 1.5M5.5 8.5h6M12 11l4 5M16 11l-4 5" />
  ),
  slice: <path d="M4 6.5 12 3l4 2.5v8L8 17l-4-2.5zM4 6.5 8 9v8M8 9l8-3.5" />,
  threshold: <path d="M3.5 10.5h4v-4h4v-3h5v6h-3v4h-4v3h-6z" />,
  points: (
    <>
      <circle cx="5" cy="6" r="1.3" fill="currentColor" />
      <circle cx="11" cy="4.5" r="1.3" fill="currentColor" />
      <circle cx="15" cy="9" r="1.3" fill="currentColor" />
      <circle cx="8.5" cy="10.5" r="1.3" fill="currentColor" />
      <circle cx="5" cy="15" r="1.3" fill="currentColor" />
      <circle cx="12.5" cy="15" r="1.3" fill="currentColor" />
    </>
  ),
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof drawings;

export function Icon({ name, size = 18 }: { name: keyof typeof drawings; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {drawings[name]}
    </svg>
  );
}
