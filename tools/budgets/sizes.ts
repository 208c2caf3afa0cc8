import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { ChunkOfBuild } from '../../web/build/chunk-list.ts'
import { closure, fileWith, pageOf, type Chunks } from './chunks.ts'
import type { Row } from './report.ts'

const KB = 1024
const FIRST_JS = { gzip: 152, brotli: 131 }
const FIRST_CSS = 12
const FONTS = 46
/** 230,000 bytes. */
const FIRST_ALL = 191
const FRAME = 'src/organisers/organiser-frame.tsx'
const FRAME_KB = 25

/** Size budget of each page in KB; admin pages come on top of their common frame. */
const PAGE_KB: Readonly<Record<string, number>> = {
  home: 10,
  challenges: 50,
  scores: 46.5,
  profile: 12.5,
  settings: 12,
  // Of both addresses; the site map would be larger with two pages.
  statistics: 12,
  // With the pictures of other sites in a contest that is imported.
  'admin-settings': 24,
  // With answers and eligibility as columns and filters.
  'admin-teams': 24,
  'admin-challenges': 170,
}
const ORGANISERS = /^(?:admin-.*|dashboard)$/
const ORGANISERS_KB = 20
/** The page of the API: a viewer that nothing else loads. Scripts and style sheets. */
const API_PAGE_KB = 500
/** Other pages share most of their code, which is in the first files. */
const OTHER_KB = 6

interface Part {
  readonly kb: number
  /** The page whose budget includes the part; other pages do not count it. */
  readonly page?: string
  /** The page whose files are there before the part is loaded. */
  readonly within?: string
}

/** Heavy parts that several pages share, and parts that a page loads later, each with its budget in KB. */
const PARTS: Readonly<Record<string, Part>> = {
  'src/ui/rich/render-markdown.ts': { kb: 30.5, page: 'challenges' },
  // Loaded for texts with formulas, or with code of a language.
  'src/ui/rich/typeset.ts': { kb: 60 },
  'src/ui/rich/highlight.ts': { kb: 33 },
  'src/ui/plots/draw.ts': { kb: 26, page: 'scores' },
  'src/ui/rich/code-mirror.ts': { kb: 120, page: 'admin-challenges' },
  // Loaded once, after the first page.
  'src/api/stream/follow.ts': { kb: 12 },
  // Loaded for challenges that need them, or in a wide viewport.
  'src/challenge/instance-panel.tsx': { kb: 6, within: 'challenges' },
  'src/pages/challenges/solves/bloods.tsx': { kb: 3, within: 'challenges' },
  'src/pages/challenges/hints/hints.tsx': { kb: 5, within: 'challenges' },
  'src/pages/challenges/bot/bot-panel.tsx': { kb: 4, within: 'challenges' },
  'src/pages/challenges/bot/bot-source.tsx': { kb: 1, within: 'challenges' },
  'src/pages/challenges/solves/scores.tsx': { kb: 2, within: 'challenges' },
  // Loaded where people sign in as themselves, and with what an organiser opens of a team.
  'src/pages/settings/people-section.tsx': { kb: 4.5, within: 'settings' },
  'src/pages/settings/ways-section.tsx': { kb: 6.5, within: 'settings' },
  'src/pages/settings/sessions-section.tsx': { kb: 1.5, within: 'settings' },
  'src/pages/settings/api-tokens-section.tsx': { kb: 4.5, within: 'settings' },
  'src/pages/profile/own-solves.tsx': { kb: 1.5, within: 'profile' },
  'src/pages/admin-teams/activity-part.tsx': { kb: 1, within: 'admin-teams' },
  // Loaded where organisers ask for more than names and addresses.
  'src/account/answer-fields.tsx': { kb: 6 },
  'src/account/country-field.tsx': { kb: 2.5 },
  'src/pages/settings/fields-section.tsx': { kb: 5, within: 'settings' },
  'src/pages/profile/answers.tsx': { kb: 4, within: 'profile' },
  'src/pages/admin-registration/fields.tsx': { kb: 10, within: 'admin-registration' },
  'src/pages/admin-teams/eligibility-part.tsx': { kb: 4, within: 'admin-teams' },
  'src/pages/admin-teams/people-part.tsx': { kb: 4.5, within: 'admin-teams' },
  'src/pages/admin-teams/api-tokens-part.tsx': { kb: 2, within: 'admin-teams' },
  'src/account/person-ways.tsx': { kb: 6, within: 'sign-in' },
  // Loaded on interaction.
  '../node_modules/@simplewebauthn/browser/esm/index.js': { kb: 4 },
  'src/pages/dashboard/screen-composer.tsx': { kb: 4 },
  'src/pages/challenges/solves/solves.tsx': { kb: 1, within: 'challenges' },
  'src/ui/rich/typescript.ts': { kb: 58 },
  'src/ui/captcha/captcha-gate.tsx': { kb: 2 },
  'src/account/qr-path.ts': { kb: 4 },
  // 13 KB of it are the scoreboard's own, which is there before the dialog opens.
  'src/pages/scores/export/picture-dialog.tsx': { kb: 20 },
  'src/pages/scores/export/print-dialog.tsx': { kb: 2 },
  'src/pages/scores/replay/replay.tsx': { kb: 4 },
}

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
  return PAGE_KB[name] ?? (ORGANISERS.test(name) ? ORGANISERS_KB : OTHER_KB)
}

function limit(name: string, most: number, measured: number): Row {
  return { name, most, measured, unit: 'KB' }
}
