// Makes the sprite of country flags from the package `country-flag-icons` (MIT): npx tsx tools/flags.ts
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'

const folder = join(dirname(createRequire(import.meta.url).resolve('country-flag-icons/package.json')), '3x2')
const target = join(import.meta.dirname, '../web/src/ui/data/flags.svg')

const symbols = readdirSync(folder)
  .filter((name) => /^[A-Z]{2}\.svg$/.test(name))
  .map((name) => {
    const svg = readFileSync(join(folder, name), 'utf8')
    const box = /viewBox="([^"]+)"/.exec(svg)?.[1] ?? '0 0 513 342'
    const inside = svg.replace(/^[\s\S]*?<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '')
    return `<symbol id="${name.slice(0, 2)}" viewBox="${box}">${inside.trim()}</symbol>`
  })
writeFileSync(target, `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`)
