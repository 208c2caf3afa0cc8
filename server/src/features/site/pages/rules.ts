import type { WorldView } from '../../../world/model.ts'
import { acceptanceOf, acceptanceRows, pageRows, type PageRow, type PageText } from './rows.ts'

type World = Pick<WorldView, 'rows'>

/** A page whose acceptance is required. */
export type RequiredPage = PageRow & { readonly acceptVersion: number }

export function isRequired(page: PageRow): page is RequiredPage {
  return page.published && page.mustAccept && page.acceptVersion !== null
}

export function findPublished(world: World, slug: string): PageRow | undefined {
  return world.rows(pageRows).find((page) => page.published && page.slug === slug)
}

/** The required pages that the team has not accepted in a recent version. */
export function pagesToAccept(world: World, teamId: string): RequiredPage[] {
  return world
    .rows(pageRows)
    .filter(isRequired)
    .filter((page) => (acceptanceOf(world, teamId, page)?.version ?? 0) < page.acceptVersion)
}

/** Null unless teams must accept the page. */
export function acceptedCount(world: World, page: PageRow): number | null {
  if (!isRequired(page)) return null
  let count = 0
  for (const rows of world.rows(acceptanceRows).values())
    if (rows.some(({ pageId, version }) => pageId === page.id && version >= page.acceptVersion)) count += 1
  return count
}

const base = (tag: string) => tag.toLowerCase().split('-', 1)[0]

/** The text in the language, in another region's form of it, or in the default language. */
export function textFor({ texts }: Pick<PageRow, 'texts'>, language: string | undefined): PageText {
  const wanted = language?.toLowerCase() ?? ''
  const found =
    texts.find((text) => text.language.toLowerCase() === wanted) ??
    texts.find((text) => base(text.language) === base(wanted)) ??
    texts[0]
  if (!found) throw new Error('a page without a text was stored')
  return found
}
