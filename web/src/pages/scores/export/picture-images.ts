import sprite from '../../../ui/data/flags.svg?url&no-inline'
import { signalOf } from '../../../ui/marks/signals.ts'

// Loads what the image of the scoreboard shows besides text. An image that fails to load, or whose server does not let us use
// it in a canvas, is replaced or left out: it must not prevent the rest.

/** An image with its size in pixels. */
export interface Drawing {
  readonly image: CanvasImageSource
  readonly width: number
  readonly height: number
}

/** What `loadImages` has loaded; what is missing is left out. */
export interface Images {
  readonly logo: Drawing | null
  /** By team id. */
  readonly flags: ReadonlyMap<string, Drawing>
  /** By country code. */
  readonly countries: ReadonlyMap<string, Drawing>
}

export interface Wanted {
  readonly logo: string | undefined
  /** At most as many as the image has rows. */
  readonly teams: readonly {
    readonly id: string
    readonly avatarUrl: string | null
    readonly countryCode: string | null
  }[]
}

const LOAD_TIMEOUT_MS = 5000
/** Sizes of what is drawn as a vector image: twice the size in the picture. */
const FLAG_PX = 76
const COUNTRY_PX = { width: 72, height: 48 }

export async function loadImages({ logo, teams }: Wanted): Promise<Images> {
  const codes = [...new Set(teams.flatMap(({ countryCode }) => countryCode?.toUpperCase() ?? []))]
  const [drawnLogo, flags, countries] = await Promise.all([
    logo === undefined ? null : load(logo),
    Promise.all(teams.map(async (team) => [team.id, await teamFlag(team)] as const)),
    countryFlags(codes),
  ])
  return { logo: drawnLogo, flags: found(flags), countries }
}

function found<K>(pairs: readonly (readonly [K, Drawing | null])[]): Map<K, Drawing> {
  return new Map(pairs.flatMap(([key, drawing]) => (drawing ? [[key, drawing] as const] : [])))
}

async function teamFlag({ id, avatarUrl }: Wanted['teams'][number]): Promise<Drawing | null> {
  const avatar = avatarUrl === null ? null : await load(avatarUrl)
  if (avatar) return avatar
  const { ground, figure, path } = signalOf(id)
  const shapes = `<path d="M0 0h28v28H0Z" fill="${ground}"/><path d="${path}" fill="${figure}"/>`
  return load(svgUrl(shapes, { viewBox: '0 0 28 28', width: FLAG_PX, height: FLAG_PX }))
}

/** A sprite's part cannot be drawn by its URL, so its shapes are copied into an image of their own. */
async function countryFlags(codes: readonly string[]): Promise<Map<string, Drawing>> {
  if (codes.length === 0) return new Map()
  const response = await fetch(sprite, { signal: AbortSignal.timeout(LOAD_TIMEOUT_MS) }).catch(() => null)
  const text = response?.ok ? await response.text().catch(() => '') : ''
  const pairs = codes.map(async (code) => {
    const [, rest = ''] = text.split(`<g id="${code}">`)
    const [shapes = ''] = rest.split(/<g id=|<\/svg>/)
    const url = svgUrl(`<g>${shapes}`, { viewBox: '0 0 108 72', ...COUNTRY_PX })
    return [code, shapes === '' ? null : await load(url)] as const
  })
  return found(await Promise.all(pairs))
}

interface Size {
  readonly viewBox: string
  readonly width: number
  readonly height: number
}

function svgUrl(shapes: string, { viewBox, width, height }: Size): string {
  const size = `viewBox="${viewBox}" width="${width}" height="${height}"`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${shapes}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** Null if it does not load in time. */
async function load(url: string): Promise<Drawing | null> {
  const image = new Image()
  // Without permission of its server, an image would prevent saving the picture.
  if (!url.startsWith('data:')) image.crossOrigin = 'anonymous'
  image.src = url
  const timeout = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), LOAD_TIMEOUT_MS)
  })
  const loaded = await Promise.race([image.decode().then(() => image), timeout]).catch(() => null)
  if (!loaded) return null
  const { naturalWidth: width, naturalHeight: height } = loaded
  return width > 0 && height > 0 ? { image: loaded, width, height } : null
}
