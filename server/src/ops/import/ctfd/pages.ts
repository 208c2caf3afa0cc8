import { pageLimits, PageSlug } from '@pennant/contract/pages.ts'
import { cut } from '../../../lib/cut.ts'
import type { ImportedRow, ImportedTable } from '../contest.ts'
import { uuidOf } from '../ids.ts'
import { columnsOf } from '../insert.ts'
import { isTrue, textOf, type Json } from '../json.ts'
import { withoutMarkers } from '../links.ts'
import type { Report } from '../report.ts'

/** The home page is a setting. */
const HOME = 'index'

/** Other pages, with one version of each. */
export function readPages(rows: readonly Json[], report: Report): ImportedTable[] {
  const others = rows.filter(({ route }) => route !== HOME)
  const taken = new Set<string>()
  const pages: ImportedRow[] = []
  const versions: ImportedRow[] = []
  for (const row of others) {
    const route = withoutMarkers(textOf(row['route']))
    const slug = slugOf(route)
    if (slug === null || taken.has(slug) || pages.length >= pageLimits.stored) {
      report.loss(
        'pages-left',
        'Pages without an address of their own, and those after the first 50, are left out.',
        route,
      )
      continue
    }
    taken.add(slug)
    const fields = { slug, ...fieldsOf(row, report) }
    const id = uuidOf('ctfd page', route)
    const position = pages.length
    pages.push({ columns: columnsOf({ id, position, ...fields, version: 1 }) })
    const data = { ...fields, acceptVersion: null }
    versions.push({ columns: columnsOf({ pageId: id, version: 1, data, savedAt: Date.now() * 1000 }) })
  }
  return [
    { name: 'pages', table: 'pages', rows: pages },
    { name: 'pageVersions', table: 'page_versions', rows: versions },
  ]
}

function fieldsOf(row: Json, report: Report) {
  const route = withoutMarkers(textOf(row['route']))
  const title = withoutMarkers(textOf(row['title']))
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
  const content = withoutMarkers(textOf(row['content']))
  const isClosed = isTrue(row['auth_required'])
  if (isClosed) report.loss('pages-closed', 'Pages for signed-in people only are imported as drafts.', route)
  if (content.length > pageLimits.content)
    report.loss('pages-long', `Pages keep their first ${pageLimits.content} characters.`, route)
  if (/\/files\//.test(content))
    report.loss('pages-files', 'Links of pages to files lead nowhere: upload the files again.', route)
  const text = {
    language: 'en',
    title: cut(title, pageLimits.title) || cut(route, pageLimits.title),
    content: cut(content, pageLimits.content),
  }
  return {
    place: isTrue(row['hidden']) ? 'none' : 'menu',
    published: !isTrue(row['draft']) && !isClosed,
    mustAccept: false,
    texts: [text],
  }
}

/** Null for links to other sites, and for routes without a letter or digit. */
function slugOf(route: string): string | null {
  if (/^[a-z]+:/i.test(route)) return null
  const slug = route
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return PageSlug.safeParse(slug).success ? slug : null
}
