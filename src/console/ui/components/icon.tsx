/** Paths on a 20 × 20 grid. Icons are hidden from screen readers: text next to them says the same. */
const PATHS = {
  folder:
    "M2.5 5.5a1.5 1.5 0 0 1 1.5-1.5h3.6l1.8 2.1H16a1.5 1.5 0 0 1 1.5 1.5v7A1.5 1.5 0 0 1 16 16.1H4a1.5 1.5 0 0 1-1.5-1.5zM6 10h8M6 13h5",
  search: "M9 15a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM17 17l-3.8-3.8",
  copy: "M7.5 7.5h8v8h-8zM4.5 12.5v-8h8",
  check: "M4 10.5l4 4 8-9",
  close: "M5 5l10 10M15 5L5 15",
  down: "M10 3.5v9M6 9l4 4 4-4M4 16.5h12",
  out: "M8 4.5H4.5v11h11V12M11.5 4.5h4v4M15.5 4.5L9 11",
  reload: "M16 10a6 6 0 1 1-1.8-4.3M16 3.5v3.2h-3.2",
  sun: "M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1",
  moon: "M16.5 11.8A6.8 6.8 0 0 1 8.2 3.5a6.8 6.8 0 1 0 8.3 8.3z",
  half: "M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14",
  key: "M12.8 10.6a3.8 3.8 0 1 0-3.4-3.4L3 13.6V17h3.4v-2.2h2.2v-2.2h2.2z",
  plus: "M10 4v12M4 10h12",
  warning: "M10 3.5l7 12.5H3zM10 8.5v3.5M10 14v.2",
  info: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9.5V13M10 6.8v.2",
  menu: "M3.5 5.5h13M3.5 10h13M3.5 14.5h13",
  bell: "M5 13.5V9a5 5 0 0 1 10 0v4.5l1.5 1.5h-13zM8.5 17h3",
  share: "M10 12V3.5M6.5 6.5L10 3l3.5 3.5M4 11v5.5h12V11",
  code: "M7 6l-4 4 4 4M13 6l4 4-4 4",
  lines: "M4 6h12M4 10h12M4 14h12",
  lock: "M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9",
  cookie: "M10 3a7 7 0 1 0 7 7 3 3 0 0 1-3.5-3.5A3 3 0 0 1 10 3zM7.5 9v.1M8.5 13v.1M12 12.5v.1",
  briefcase: "M3.5 7h13v9h-13zM7.5 7V4.5h5V7",
  shield: "M10 3l6 2v5c0 3.5-2.5 6-6 7-3.5-1-6-3.5-6-7V5z",
  server: "M4 4h12v5H4zM4 11h12v5H4zM7 6.5v.1M7 13.5v.1",
  file: "M5.5 3h6l3.5 3.5V17h-9.5zM11.5 3v3.5H15",
  link: "M8.5 11.5l3-3M9 6l1.5-1.5a3.2 3.2 0 0 1 4.5 4.5L13.5 10.5M11 14l-1.5 1.5A3.2 3.2 0 0 1 5 11l1.5-1.5",
  table: "M3.5 4.5h13v11h-13zM3.5 8.5h13M8 8.5v7",
  grid: "M4 4h5v5H4zM11 4h5v5h-5zM4 11h5v5H4zM11 11h5v5h-5z",
  chevron: "M8 5.5l4.5 4.5L8 14.5",
  arrow: "M4 10h12M11.5 5.5L16 10l-4.5 4.5",
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 20 20" width="16" height="16" aria-hidden="true" focusable="false">
    <path
      d={PATHS[name]}
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
);
