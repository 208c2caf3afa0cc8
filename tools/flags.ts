// Generates the country flag sprite from the package `country-flag-icons` (MIT): npx tsx tools/flags.ts
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { optimize, type Config } from 'svgo'
import { countryCodes } from '../contract/src/countries.ts'

const folder = join(dirname(createRequire(import.meta.url).resolve('country-flag-icons/package.json')), '3x2')
const target = join(import.meta.dirname, '../web/src/ui/data/flags.svg')

/** Six units per displayed pixel, so that integer coordinates are finer than any screen. */
const WIDTH = 108
const HEIGHT = (WIDTH / 3) * 2

const toWholeNumbers: Config = {
  multipass: true,
  floatPrecision: 0,
  plugins: [{ name: 'preset-default', params: { overrides: { convertShapeToPath: { convertArcs: true } } } }],
}

/** A flag's SVG content, scaled from its own view box to the sprite's. */
function drawingOf(code: string): string {
  const svg = readFileSync(join(folder, `${code}.svg`), 'utf8')
  const [x = 0, y = 0, width = 1] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? '').split(' ').map(Number)
  const scaled = svg
    .replace(/<svg[^>]*>/, `${opening()}<g transform="scale(${WIDTH / width}) translate(${-x} ${-y})">`)
    .replace('</svg>', '</g></svg>')
  return optimize(scaled, toWholeNumbers).data.replace(/^<svg[^>]*>|<\/svg>$/g, '')
}

function opening(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}">`
}

const byDrawing = new Map<string, string>()
const groups = countryCodes
  .filter((code) => existsSync(join(folder, `${code}.svg`)))
  .map((code) => {
    const drawing = drawingOf(code)
    // Some territories use another country's flag.
    const same = byDrawing.get(drawing)
    byDrawing.set(drawing, same ?? code)
    return `<g id="${code}">${same === undefined ? drawing : `<use href="#${same}"/>`}</g>`
  })
writeFileSync(target, `${opening()}${groups.join('')}</svg>\n`)
