import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path/posix'
import { describe, expect, test } from 'vitest'
import { textFiles } from './repository-files.ts'
import { textOf } from './source-graph.ts'

// Comments and documents only cite what is in the repository, and the cited pages and headings exist.

/** Documents that are not in the repository. */
const OUTSIDE = [
  /\brulings? \d+/gi,
  /\bparticipant \d+(?:\.\d+)*/gi,
  /\badmin (?:\d+(?:\.\d+)*|[A-D](?:\.\d+)?)(?![\w-])/g,
  /\bcontract,? (?:admin|participant)\b/gi,
  /\bsite\s+specification\b/gi,
  /\bspecification(?:,\s+"|\s+\d)/gi,
]

/** A path from the repository root. Matches neither parts of relative paths nor parts of URLs. */
const PAGE = /(?<![\w./-])docs\/[\w./-]+\.md(?:#[\w-]+)?/g
const DECISION = /\bdecision (\d{1,4})\b/gi
const LINK = /\]\(([^()\s]+)(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s+(\S+)/gm
const SCHEME = /^[a-z][a-z+.-]*:/i
const FENCE = /^( *)(```|~~~)[^]*?^\1\2/gm

const anchorsOfPages = new Map<string, ReadonlySet<string>>()
const decisions = readdirSync(join(import.meta.dirname, '../docs/decisions'))

/** Citations of documents that are not in the repository, including citations that span lines. */
function outsideCitationsIn(text: string): string[] {
  const joined = text.replaceAll(/\s*\n\s*(?:\/\/|\*(?!\/)|--|#)?\s*/g, ' ')
  return OUTSIDE.flatMap((pattern) => joined.match(pattern) ?? [])
}

/** Cited pages, headings and decisions that do not exist. */
function brokenLinksIn(path: string, text: string): string[] {
  const found = text.match(PAGE) ?? []
  const pages = path.startsWith('server/migrations/') ? found.map(renamed) : found
  const numbers = Array.from(text.matchAll(DECISION), ([cited, number = '']) => ({ cited, number }))
  const missing = numbers.filter(
    ({ number }) => !decisions.some((name) => name.startsWith(`${number.padStart(4, '0')}-`)),
  )
  const links = path.endsWith('.md') ? linksIn(text) : []
  return [
    ...pages.filter((target) => !isThere(target)),
    ...missing.map(({ cited }) => cited),
    ...links.filter((target) => !isThere(resolved(path, target))),
  ]
}

/** The page of a cited decision under its present name: migrations are hashed, so their comments cannot follow. */
function renamed(page: string): string {
  const number = /^docs\/decisions\/(\d{4}-)/.exec(page)?.[1]
  const name = number && decisions.find((file) => file.startsWith(number))
  return name ? `docs/decisions/${name}` : page
}

/** Targets of Markdown links within the repository. */
function linksIn(text: string): string[] {
  const targets = Array.from(
    text.replaceAll(FENCE, '').matchAll(LINK),
    ([, inline, defined]) => inline ?? defined ?? '',
  )
  return targets.filter((target) => !SCHEME.test(target))
}

function resolved(path: string, target: string): string {
  return target.startsWith('#') ? path + target : join(path, '..', target)
}

function isThere(target: string): boolean {
  const [path = '', anchor] = target.split('#')
  if (!existsSync(join(import.meta.dirname, '..', path))) return false
  return anchor === undefined || !path.endsWith('.md') || anchorsOf(path).has(anchor)
}

function anchorsOf(path: string): ReadonlySet<string> {
  const known = anchorsOfPages.get(path)
  if (known) return known
  const anchors = new Set<string>()
  for (const [, heading = ''] of textOf(path)
    .replaceAll(FENCE, '')
    .matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const slug = slugOf(heading)
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  anchorsOfPages.set(path, anchors)
  return anchors
}

/** The anchor that GitHub gives a heading. */
function slugOf(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

const files = textFiles().map((path) => ({ path, text: textOf(path) }))

test('nothing cites a document that is not in the repository', () => {
  const found = files.flatMap(({ path, text }) =>
    outsideCitationsIn(text).map((cited) => `${path}: ${cited}`),
  )
  expect(found).toEqual([])
})

test('every cited page, heading and decision exists', () => {
  const found = files.flatMap(({ path, text }) =>
    brokenLinksIn(path, text).map((cited) => `${path}: ${cited}`),
  )
  expect(found).toEqual([])
})

describe('the check itself', () => {
  // Divided, so that this file does not fail its own check.
  test.each([
    ['rul', 'ing 14'],
    ['contract,\n// partici', 'pant 11.3'],
    ['adm', 'in B.1'],
    ['Site speci', 'fication 2.9'],
  ])('reports a citation such as %j and %j in sequence', (start, end) => {
    expect(outsideCitationsIn(`// Reason (${start}${end}).`)).not.toEqual([])
  })

  test.each([
    ['server/src/a.ts', ['// do', 'cs/reference/nowhere.md']],
    ['server/src/a.ts', ['// do', 'cs/reference/challenges.md#nowhere']],
    ['server/src/a.ts', ['// deci', 'sion 9999']],
    ['docs/reference/README.md', ['[a](', 'nowhere.md)']],
    ['docs/reference/README.md', ['[a](', 'challenges.md#nowhere)']],
  ])('in %s reports the broken link %j', (path, parts) => {
    expect(brokenLinksIn(path, parts.join(''))).toHaveLength(1)
  })

  test('accepts links to existing pages and headings', () => {
    expect(brokenLinksIn('server/src/a.ts', '// docs/reference/challenges.md#who-sees-a-challenge')).toEqual(
      [],
    )
    expect(brokenLinksIn('docs/reference/README.md', '[a](challenges.md#who-sees-a-challenge)')).toEqual([])
  })
})
