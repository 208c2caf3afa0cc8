/** Icon outlines on a 16 x 16 grid, in the text colour. */
const PATHS = {
  archive: 'M2 3h12v3H2ZM3 6v7.5h10V6M6.5 9h3',
  alert: 'M8 2 1.8 13.5h12.4ZM8 6.5v3.2M8 11.6v.1',
  chart: 'M2 2v12h12M4.5 11V8.5H7V6h3V3.5h4',
  calendar: 'M2.5 3.5h11v10h-11ZM2.5 6.5h11M5.5 1.8v3M10.5 1.8v3',
  challenges: 'M3.5 1.8v12.4M6 3l7.4 3.2L6 9.4Z',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  chevronDown: 'm4 6 4 4 4-4',
  chevronEnd: 'm6 4 4 4-4 4',
  chevronUp: 'm4 10 4-4 4 4',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 4.7V8l2.3 1.5',
  close: 'm4 4 8 8m0-8-8 8',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8Z',
  download: 'M8 2v8m-3.2-3L8 10.2 11.2 7M3 13.5h10',
  external: 'M9.5 2.5h4v4m0-4-6 6M6.5 3.5h-4v10h10v-4',
  eye: 'M1.5 8s2.4-4.3 6.5-4.3S14.5 8 14.5 8 12.1 12.3 8 12.3 1.5 8 1.5 8ZM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  eyeOff: 'M1.5 8s2.4-4.3 6.5-4.3S14.5 8 14.5 8 12.1 12.3 8 12.3 1.5 8 1.5 8ZM2.5 13.5l11-11',
  file: 'M4 1.5h5.5L12.5 4.5v10H4ZM9.5 1.5v3h3',
  filter: 'M2 3h12L9.5 8.5V13l-3-1.5v-3Z',
  home: 'M2.5 7.5 8 2.8l5.5 4.7V13.2h-4V9.5h-3v3.7h-4Z',
  inbox: 'M2.5 9.5 4 3h8l1.5 6.5v4h-11ZM2.5 9.5H6l1 1.5h2l1-1.5h3.5',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 7.3v3.7M8 5v.1',
  key: 'M5 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6M8 8h6.5v3m-3-3v2',
  lock: 'M3.5 7h9v6.5h-9ZM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  menu: 'M2.5 4h11m-11 4h11m-11 4h11',
  more: 'M3.5 8h.1m4.35 0h.1m4.35 0h.1',
  organise: 'M2 4.5h6m4 0h2M2 11.5h2m4 0h6M10 2.5v4M6 9.5v4',
  pencil: 'm3 13 .7-3L11 2.7 13.3 5 6 12.3Z',
  picture: 'M2 3h12v10H2ZM2 11l3.5-3.5 3 3 2-2L14 12M10.5 6h.1',
  plus: 'M8 3v10M3 8h10',
  print: 'M4.5 6V2h7v4M4.5 11.5H2V6h12v5.5h-2.5M4.5 9.5h7V14h-7Z',
  pulse: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  refresh: 'M13 4v3h-3M13 7a5.3 5.3 0 1 0 .2 2.5',
  scores: 'M2.5 13.2V9h3v4.2m2 0V3.2h3v10m2 0V6.5h3v6.7M1.5 13.5h13',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.3 10.3 14 14',
  send: 'M2.5 8h10M9 4.5 12.5 8 9 11.5',
  sort: 'm5 6.5 3-3.5 3 3.5m-6 3L8 13l3-3.5',
  stack: 'M2 10h7v4H2ZM2 6h7v4M2 6v4M2 6V2.5h7V6M13 14V4m-2 2.3L13 4l2 2.3',
  team: 'M5.8 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6M1.5 13.2c0-2.4 1.8-4 4.3-4s4.3 1.6 4.3 4M10.5 3.2a2.2 2.2 0 0 1 0 4.2m1.4 2.2c1.6.5 2.6 1.8 2.6 3.6',
  text: 'M4 1.5h8v13H4ZM6 5h4M6 8h4M6 11h2.5',
  trash: 'M3 4.5h10M6 4.5V2.5h4v2M4.5 4.5l.6 9h5.8l.6-9',
  upload: 'M8 11V3M4.8 6 8 2.8 11.2 6M3 13.5h10',
} as const

/** Directional icons, mirrored in right-to-left pages. */
const TURNING: ReadonlySet<IconName> = new Set(['chevronEnd', 'external', 'send'])

export type IconName = keyof typeof PATHS

interface IconProps {
  readonly name: IconName
  readonly size?: number
}

/** A decorative icon: it is next to a text, or in a control that has a label. */
export function Icon({ name, size }: IconProps) {
  return (
    <Outline
      d={PATHS[name]}
      className={TURNING.has(name) ? 'pn-turning' : undefined}
      {...(size && { size })}
    />
  )
}

interface OutlineProps {
  /** SVG path on a 16 x 16 grid. */
  readonly d: string
  readonly size?: number
  readonly className?: string | undefined
}

/** An icon that only one part of the site needs, so that the first files do not carry it. */
export function Outline({ d, size = 16, className }: OutlineProps) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      className={className}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
    >
      <path d={d} stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
