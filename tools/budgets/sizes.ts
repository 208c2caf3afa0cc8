import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { ChunkOfBuild } from '../../web/build/chunk-list.ts'
import { closure, fileWith, pageOf, type Chunks } from './chunks.ts'
import type { Row } from './report.ts'

const KB = 1024
const FIRST_JS = { gzip: 185, brotli: 160 }
const FIRST_CSS = 16
const FONT = 36
const FRAME = 'src/layout/organiser-frame.tsx'
const FRAME_KB = 25

/** What a page may add, in KB; the organisers' on top of their frame. */
const PAGE_KB: Readonly<Record<string, number>> = {
  challenges: 45,
  scores: 45,
  profile: 20,
  settings: 20,
  'admin-challenges': 190,
}
const ORGANISERS = /^(?:admin-.*|dashboard)$/
const ORGANISERS_KB = 20
const ACCOUNT = ['register', 'sign-in', 'recover', 'verify', 'ranking-return', 'consent']
const ACCOUNT_KB = 8

/** Heavy parts that several pages share, and the page whose budget was made for them: others reckon without. */
const PARTS: Readonly<Record<string, string | null>> = {
  'src/ui/rich/render-markdown.ts': 'challenges',
  'src/ui/plots/draw.ts': 'scores',
  'src/ui/rich/code-mirror.ts': 'admin-challenges',
  // Wanted by a challenge that has them, or by a wide screen.
  'src/challenge/instance-panel.tsx': null,
  'src/pages/challenges/bloods.tsx': null,
  'src/pages/challenges/bot-panel.tsx': null,
  'src/pages/challenges/bot-source.tsx': null,
  'src/pages/challenges/scores.tsx': null,
  // Wanted by a press.
  'src/pages/challenges/solves.tsx': null,
  'src/ui/rich/typescript.ts': null,
  'src/ui/layers/dialog-frames.tsx': null,
  'src/ui/captcha/captcha-gate.tsx': null,
  'src/pages/scores/picture-dialog.tsx': null,
  'src/pages/scores/print-dialog.tsx': null,
}

const zip = (bytes: Buffer) => gzipSync(bytes, { level: 9 })

/** The sizes of the built site in `folder`, of which the budgets hold whatever machine measures them. */
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
  return [
    limit('first load: scripts, gzip', FIRST_JS.gzip, size(first, zip)),
    limit('first load: scripts, brotli', FIRST_JS.brotli, size(first, brotliCompressSync)),
    limit('first load: style sheets, gzip', FIRST_CSS, size(named('.css'), zip)),
    limit(
      'first load: font',
      FONT,
      size(named('.woff2'), (bytes) => bytes),
    ),
    ...partRows({ chunks, first, sizeOf: (files) => size(files, zip) }),
  ]
}

interface Build {
  readonly chunks: Chunks
  /** The files of the first load. */
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
    const elsewhere = files.filter(([module]) => PARTS[module] !== name).map(([, file]) => file)
    const without = new Set([...first, ...elsewhere, ...(ORGANISERS.test(name) ? frame : [])])
    if (without.has(chunk.file)) throw new Error(`the page ${name} and a part share the file ${chunk.file}`)
    const added = closure(chunks, { start: [chunk.file], without, isWhole: true })
    rows.push(limit(`page ${name}, gzip`, budgetOf(name), sizeOf(added)))
  }
  const before = new Set(first)
  for (const [module, file] of files) {
    const part = closure(chunks, { start: [file], without: before })
    for (const each of part) before.add(each)
    rows.push(limit(`part ${module.replace(/.*\//, '')}, gzip`, null, sizeOf(part)))
  }
  return rows.toSorted((left, right) => left.name.localeCompare(right.name))
}

/** Null for the pages that nothing was promised of. */
function budgetOf(name: string): number | null {
  if (ACCOUNT.includes(name)) return ACCOUNT_KB
  return PAGE_KB[name] ?? (ORGANISERS.test(name) ? ORGANISERS_KB : null)
}

function limit(name: string, most: number | null, measured: number): Row {
  return { name, most, measured, unit: 'KB', fails: true }
}
