import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { ChunkOfBuild } from '../../web/build/chunk-list.ts'
import { PARTS } from '../../web/build/manifest.ts'
import { closure, fileWith, pageOf, type Chunks } from './chunks.ts'
import type { Row } from './report.ts'

const KB = 1024
const FIRST_JS = { gzip: 152, brotli: 131 }
const FIRST_CSS = 15
const FONTS = 46
/** 230,000 bytes. */
const FIRST_ALL = 191
const FRAME = 'src/organisers/organiser-frame.tsx'
const FRAME_KB = 25

/** Size budget of each page in KB; admin pages come on top of their common frame. */
const PAGE_KB: Readonly<Record<string, number>> = {
  home: 10,
  challenges: 50,
  scores: 45.5,
  profile: 20,
  settings: 20.5,
  // With the small variant of empty states, which other pages load with the frame.
  status: 6.3,
  // Of both addresses; the site map would be larger with two pages.
  statistics: 13,
  messages: 7.5,
  live: 8,
  ceremony: 6,
  // With role, pages of score adjustments and the actions on one team; 1 KB belongs to the page to sign in.
  'admin-teams': 25,
  // With the pictures of other sites in a contest that is imported.
  'admin-settings': 22,
  'admin-challenges': 190,
}
const ORGANISERS = /^(?:admin-.*|dashboard)$/
const ORGANISERS_KB = 20
const ACCOUNT = ['register', 'sign-in', 'recover', 'verify', 'ranking-return', 'consent']
const ACCOUNT_KB = 8
/** The page of the API: a viewer that nothing else loads. Scripts and style sheets. */
const API_PAGE_KB = 500
/** The page for unknown addresses. */
const OTHER_KB = 4

const asItIs = (bytes: Buffer) => bytes
const zip = (bytes: Buffer) => gzipSync(bytes, { level: 9 })

/**
 * Sizes of the built site in `folder`. They do not depend on the machine, so exceeding a budget fails the
 * run.
 */
export function sizeRows(folder: string): Row[] {
  const list = JSON.parse(readFileSync(join(folder, '.build/chunks.json'), 'utf8')) as ChunkOfBuild[]
  const chunks: Chunks = new Map(list.map((chunk) => [chunk.file, chunk]))
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = (end: string) =>
    [...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].flatMap(([, file = '']) =>
      file.endsWith(end) ? [file] : [],
    )
  const size = (files: Iterable<string>, compress: (bytes: Buffer) => Buffer) => {
    const sizes = [...files].map((file) => compress(readFileSync(join(folder, file))).length)
    return Math.round((sizes.reduce((sum, each) => sum + each, 0) / KB) * 10) / 10
  }
  const first = closure(chunks, { start: named('.js') })
  const fonts = named('.woff2')
  return [
    limit('first load: scripts, gzip', FIRST_JS.gzip, size(first, zip)),
    limit('first load: scripts, brotli', FIRST_JS.brotli, size(first, brotliCompressSync)),
    limit('first load: style sheets, gzip', FIRST_CSS, size(named('.css'), zip)),
    limit('first load: fonts', FONTS, size(fonts, asItIs)),
    limit(
      'first load: everything, brotli',
      FIRST_ALL,
      size([...first, ...named('.css'), 'index.html', 'boot.js'], brotliCompressSync) + size(fonts, asItIs),
    ),
    limit('page api-docs, gzip', API_PAGE_KB, size(apiPageFiles(folder), zip)),
    ...partRows({ chunks, first, sizeOf: (files) => size(files, zip) }),
  ]
}

function apiPageFiles(folder: string): string[] {
  const names = readdirSync(join(folder, 'assets')).filter((name) => /^api-docs-.*\.(?:js|css)$/.test(name))
  if (names.length === 0) throw new Error('the page of the API is missing')
  return names.map((name) => `assets/${name}`)
}

interface Build {
  readonly chunks: Chunks
  /** Files of the initial load. */
  readonly first: ReadonlySet<string>
  readonly sizeOf: (files: Iterable<string>) => number
}

function partRows({ chunks, first, sizeOf }: Build): Row[] {
  const files = Object.keys(PARTS).map((module) => [module, fileWith(chunks, module)] as const)
  const frame = closure(chunks, { start: [fileWith(chunks, FRAME)], without: first, isWhole: true })
  const rows = [limit("organisers' frame, gzip", FRAME_KB, sizeOf(frame))]
  for (const chunk of chunks.values()) {
    const name = pageOf(chunk)
    if (name === null) continue
    const elsewhere = files.filter(([module]) => PARTS[module]?.page !== name).map(([, file]) => file)
    const without = new Set([...first, ...elsewhere, ...(ORGANISERS.test(name) ? frame : [])])
    if (without.has(chunk.file)) throw new Error(`the page ${name} and a part share the file ${chunk.file}`)
    const added = closure(chunks, { start: [chunk.file], without, isWhole: true })
    rows.push(limit(`page ${name}, gzip`, budgetOf(name), sizeOf(added)))
  }
  const before = new Set(first)
  for (const [module, file] of files) {
    const { within } = PARTS[module] ?? {}
    const page = within === undefined ? [] : [fileWith(chunks, `src/pages/${within}/page.tsx`)]
    const there = closure(chunks, { start: page })
    const part = closure(chunks, { start: [file], without: new Set([...before, ...there]) })
    for (const each of part) before.add(each)
    rows.push(limit(`part ${module.replace(/.*\//, '')}, gzip`, PARTS[module]?.kb ?? 0, sizeOf(part)))
  }
  return rows.toSorted((left, right) => left.name.localeCompare(right.name))
}

function budgetOf(name: string): number {
  if (ACCOUNT.includes(name)) return ACCOUNT_KB
  return PAGE_KB[name] ?? (ORGANISERS.test(name) ? ORGANISERS_KB : OTHER_KB)
}

function limit(name: string, most: number, measured: number): Row {
  return { name, most, measured, unit: 'KB' }
}
