import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

// Contrast of every text on every surface, computed from the style sheet: docs/reference/site.md#contrast

const LEAST_OF_TEXT = 4.5
const LEAST_OF_MARKS = 3

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const SURFACES = ['deep', 'bg', 'panel', 'raised', 'pressed']
const MEDALS = ['gold', 'silver', 'bronze']
/** Added to the tint of a selected row at its start. */
const MORE_TINT = 3
const TEXTS = 'text muted faint accent link ok bad warn info gold silver bronze'.split(' ')

type Rgb = readonly [number, number, number]

/** The variables of a theme that are opaque colours or percentages, by name without `--pn-`. */
function tokensOf(theme: string): ReadonlyMap<string, string> {
  const block = css.split(`[data-theme='${theme}'] {`)[1]?.split('}')[0] ?? ''
  return new Map(
    [...block.matchAll(/--pn-([\w-]+): (#[0-9a-f]{6}|\d+%);/g)].map(([, name, value]) => [name!, value!]),
  )
}

function rgb(hex: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((byte) => {
    const share = byte / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(left: Rgb, right: Rgb): number {
  const [high, low] = [luminance(left), luminance(right)].sort((a, b) => b - a) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** Blends `color` over `ground`; `percent` is the share of `color`. */
function tinted(color: Rgb, ground: Rgb, percent: string): Rgb {
  const share = Number.parseFloat(percent) / 100
  return color.map((byte, at) => byte * share + (ground[at] ?? 0) * (1 - share)) as unknown as Rgb
}

describe.each(['dark', 'light'])('%s', (theme) => {
  const tokens = tokensOf(theme)
  const color = (name: string) => rgb(tokens.get(name) ?? expect.unreachable(`no --pn-${name}`))
  const ratio = (text: string, ground: Rgb) => contrast(color(text), ground)
  const categories = [...tokens.keys()].filter((name) => name.startsWith('cat-'))

  it('has readable text on every surface', () => {
    for (const text of TEXTS)
      for (const surface of SURFACES)
        expect(ratio(text, color(surface)), `${text} on ${surface}`).toBeGreaterThanOrEqual(LEAST_OF_TEXT)
    for (const fill of ['accent', 'accent-fill', 'accent-fill-2'])
      expect(ratio('on-accent', color(fill)), fill).toBeGreaterThanOrEqual(LEAST_OF_TEXT)
  })

  it('has visible borders and a visible focus ring on every surface', () => {
    for (const mark of ['border', 'focus'])
      for (const surface of SURFACES)
        expect(ratio(mark, color(surface)), `${mark} on ${surface}`).toBeGreaterThanOrEqual(LEAST_OF_MARKS)
  })

  it('has readable categories on a panel and on their own tint', () => {
    expect(categories).toHaveLength(15)
    const panel = color('panel')
    for (const name of categories) {
      expect(ratio(name, panel), name).toBeGreaterThanOrEqual(LEAST_OF_TEXT)
      const tint = tinted(color(name), panel, tokens.get('tint') ?? '')
      expect(ratio(name, tint), `${name} on its tint`).toBeGreaterThanOrEqual(LEAST_OF_TEXT)
      expect(ratio('muted', tint), `muted on the tint of ${name}`).toBeGreaterThanOrEqual(LEAST_OF_TEXT)
      const band = tinted(color(name), panel, tokens.get('tint-band') ?? '')
      expect(ratio('faint', band), `faint on the band of ${name}`).toBeGreaterThanOrEqual(LEAST_OF_TEXT)
    }
  })

  it('has visible cloth, lines and logo on every surface that is not pressed', () => {
    const marks = [...tokens.keys()].filter((name) => /^(?:cloth|cat)-/.test(name))
    expect(marks).toHaveLength(30)
    for (const mark of [...marks, 'flag', 'flag-2', 'logo'])
      for (const surface of SURFACES.filter((name) => name !== 'pressed'))
        expect(ratio(mark, color(surface)), `${mark} on ${surface}`).toBeGreaterThanOrEqual(LEAST_OF_MARKS)
  })

  it('has readable digits on the cloth of the first three, and readable text on their rows', () => {
    for (const [at, medal] of MEDALS.entries()) {
      const cloth = color(`medal-${at + 1}`)
      expect(ratio('on-medal', cloth), medal).toBeGreaterThanOrEqual(LEAST_OF_TEXT)
      const row = tinted(cloth, color('panel'), tokens.get('tint-medal') ?? '')
      for (const text of ['text', 'muted', 'faint', medal])
        expect(ratio(text, row), `${text} on the row of ${medal}`).toBeGreaterThanOrEqual(LEAST_OF_TEXT)
    }
  })

  it("has readable text where the tint of the viewer's row is strongest", () => {
    const share = Number.parseFloat(tokens.get('tint-selected') ?? '') + MORE_TINT
    const row = tinted(color('accent'), color('panel'), `${share}%`)
    for (const text of ['text', 'muted', 'faint', 'accent'])
      expect(ratio(text, row), text).toBeGreaterThanOrEqual(LEAST_OF_TEXT)
  })

  it('has readable text on a selected row and on the tint of solved rows', () => {
    const panel = color('panel')
    const selected = tinted(color('accent'), panel, tokens.get('tint-selected') ?? '')
    const solved = tinted(color('ok'), panel, tokens.get('tint') ?? '')
    for (const text of TEXTS)
      for (const [name, ground] of [
        ['selected', selected],
        ['solved', solved],
      ] as const)
        expect(ratio(text, ground), `${text} on ${name}`).toBeGreaterThanOrEqual(LEAST_OF_TEXT)
  })
})
