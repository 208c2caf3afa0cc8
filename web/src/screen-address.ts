/** What the big screen can show, in the order of its address: docs/operate/big-screen.md */
export const PANELS = ['leaderboard', 'bloods', 'activity', 'countdown', 'announcements', 'wave'] as const
export type PanelName = (typeof PANELS)[number]

/** The first page of the scoreboard, which every browser reads and the server keeps rendered. */
export const MAX_ROWS = 25
const FEWEST_ROWS = 1
export const USUAL_ROWS = 10
export const SCALES = { least: 0.5, most: 3 } as const
export const MAX_TITLE = 80

export interface ScreenSettings {
  readonly panels: readonly PanelName[]
  readonly rows: number
  /** Id of a division; undefined for all. */
  readonly division: string | undefined
  /** Undefined: that of the browser. */
  readonly theme: 'dark' | 'light' | undefined
  readonly scale: number
  /** Undefined: the name of the event; empty: none. */
  readonly title: string | undefined
  readonly isTransparent: boolean
  /** Whether a first blood is shown large for some seconds. */
  readonly hasMoments: boolean
}

export const usualScreen: ScreenSettings = {
  panels: PANELS,
  rows: USUAL_ROWS,
  division: undefined,
  theme: undefined,
  scale: 1,
  title: undefined,
  isTransparent: false,
  hasMoments: true,
}

export type Parameter =
  | 'panels'
  | 'rows'
  | 'division'
  | 'theme'
  | 'scale'
  | 'title'
  | 'background'
  | 'moments'

/** A value that is not understood, as it is in the address. */
export interface Problem {
  readonly name: string
  readonly value: string
  readonly kind: Parameter | 'unknown' | 'repeated'
}

type Read = (value: string) => Partial<ScreenSettings> | null

const READS: Readonly<Record<Parameter, Read>> = {
  panels(value) {
    const names = value.split(',').map((name) => name.trim())
    const isKnown = names.every((name) => PANELS.some((panel) => panel === name))
    return isKnown ? { panels: PANELS.filter((panel) => names.includes(panel)) } : null
  },
  rows(value) {
    const rows = /^\d{1,3}$/.test(value) ? Number(value) : 0
    return rows >= FEWEST_ROWS && rows <= MAX_ROWS ? { rows } : null
  },
  // Which ones there are is known with the configuration.
  division: (value) => ({ division: value === '' ? undefined : value }),
  theme(value) {
    if (value === 'auto') return { theme: undefined }
    return value === 'dark' || value === 'light' ? { theme: value } : null
  },
  scale(value) {
    const scale = /^\d(?:\.\d{1,2})?$/.test(value) ? Number(value) : 0
    return scale >= SCALES.least && scale <= SCALES.most ? { scale } : null
  },
  title: (value) => (value.length <= MAX_TITLE ? { title: value.trim() } : null),
  background: (value) => choice(value, ['solid', 'transparent'], (isTransparent) => ({ isTransparent })),
  moments: (value) => choice(value, ['off', 'on'], (hasMoments) => ({ hasMoments })),
}

function choice(
  value: string,
  words: readonly [no: string, yes: string],
  settings: (isSecond: boolean) => Partial<ScreenSettings>,
) {
  return words.includes(value) ? settings(value === words[1]) : null
}

function isParameter(name: string): name is Parameter {
  return Object.hasOwn(READS, name)
}

/** The screen of an address, and everything in the address that is not understood. */
export function readScreen(search: URLSearchParams): {
  readonly settings: ScreenSettings
  readonly problems: readonly Problem[]
} {
  let settings = usualScreen
  const problems: Problem[] = []
  for (const name of new Set(search.keys())) {
    const [value = '', ...more] = search.getAll(name)
    const read = isParameter(name) && more.length === 0 ? READS[name](value) : null
    if (read) settings = { ...settings, ...read }
    else
      problems.push({
        name,
        value,
        kind: !isParameter(name) ? 'unknown' : more.length > 0 ? 'repeated' : name,
      })
  }
  return { settings, problems }
}

/** The query of an address with these settings; only what differs from the usual screen. */
export function screenQuery(settings: ScreenSettings): string {
  const { panels, rows, division, theme, scale, title, isTransparent, hasMoments } = settings
  const search = new URLSearchParams()
  if (panels.length < PANELS.length) search.set('panels', panels.join(','))
  if (rows !== USUAL_ROWS) search.set('rows', String(rows))
  if (division !== undefined) search.set('division', division)
  if (theme !== undefined) search.set('theme', theme)
  if (scale !== 1) search.set('scale', String(scale))
  if (title !== undefined) search.set('title', title)
  if (isTransparent) search.set('background', 'transparent')
  if (!hasMoments) search.set('moments', 'off')
  const query = search.toString().replaceAll('%2C', ',')
  return query === '' ? '' : `?${query}`
}
