import { expect, test } from 'vitest'
import { firstChunk, pageChunk } from './page-chunks.ts'

const SRC = '/pennant/web/src'

/** Importers of each module: static, then dynamic. */
const IMPORTERS: Readonly<Record<string, readonly [now: readonly string[], later: readonly string[]]>> = {
  'routes.tsx': [['main.tsx'], []],
  'pages/scores/page.tsx': [[], ['routes.tsx']],
  'pages/settings/page.tsx': [[], ['routes.tsx']],
  'pages/admin-teams/page.tsx': [[], ['routes.tsx']],
  'pages/scores/print.tsx': [[], ['pages/scores/page.tsx']],
  'layout/palette.tsx': [[], ['main.tsx']],
  'of-a-page.ts': [['pages/scores/page.tsx'], []],
  'of-a-page-and-its-part.ts': [['pages/scores/page.tsx', 'pages/scores/print.tsx'], []],
  'of-another-part.ts': [['pages/settings/page.tsx', 'pages/scores/print.tsx'], []],
  'of-the-palette.ts': [['pages/settings/page.tsx', 'layout/palette.tsx'], []],
  'of-two-pages.ts': [['pages/settings/page.tsx', 'pages/scores/page.tsx'], []],
  'of-a-player-and-an-organiser.ts': [['pages/settings/page.tsx', 'pages/admin-teams/page.tsx'], []],
  'of-organisers.ts': [['pages/admin-teams/page.tsx'], []],
}

const named = (files: readonly string[] = []) => files.map((file) => `${SRC}/${file}`)
const getModuleInfo = (id: string) => {
  const [now, later] = IMPORTERS[id.slice(SRC.length + 1)] ?? []
  return { importers: named(now), dynamicImporters: named(later) }
}

test.each([
  ['routes.tsx', 'site'],
  ['of-two-pages.ts', 'site'],
  ['of-another-part.ts', 'site'],
  ['of-a-page.ts', 'page-scores'],
  ['of-a-page-and-its-part.ts', 'page-scores'],
  ['of-organisers.ts', 'page-admin-teams'],
  ['of-a-player-and-an-organiser.ts', null],
  ['of-the-palette.ts', null],
  ['pages/scores/print.tsx', null],
])('puts %s into chunk %s', (file, chunk) => {
  const id = `${SRC}/${file}`
  expect(firstChunk(id, { getModuleInfo }) ?? pageChunk(id, { getModuleInfo })).toBe(chunk)
})
