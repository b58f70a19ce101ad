import { createTheme, localStorageColorSchemeManager, type MantineColorsTuple } from "@mantine/core";

const lagoon: MantineColorsTuple = [
  "#e6f7f8",
  "#c9ecee",
  "#98dbe0",
  "#63c8d0",
  "#3bb5bf",
  "#1fa0ab",
  "#138893",
  "#0b6e78",
  "#095a63",
  "#06454c",
];

const slate: MantineColorsTuple = [
  "#dbe3ea",
  "#b9c4cf",
  "#97a5b3",
  "#6c7b8a",
  "#3c4855",
  "#2e3945",
  "#212b36",
  "#18202a",
  "#0f141a",
  "#0a0e13",
];

export const theme = createTheme({
  primaryColor: "lagoon",
  primaryShade: { light: 7, dark: 7 },
  colors: { lagoon, dark: slate },
  defaultRadius: "sm",
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "18px" },
  cursorType: "pointer",
  respectReducedMotion: true,
});

/** The key under which the theme is stored; index.html also reads it, before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: "crinkle.theme" });
