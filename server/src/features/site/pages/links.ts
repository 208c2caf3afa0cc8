import type { PageLink } from '@pennant/contract/pages.ts'
import type { z } from 'zod'
import type { WorldView } from '../../../world/model.ts'
import { pageRows, type PageRow } from './rows.ts'
import { isRequired } from './rules.ts'

export const titlesOf = ({ texts }: Pick<PageRow, 'texts'>) =>
  texts.map(({ language, title }) => ({ language, title }))

/** The published pages, for menus and footers. The same array until a page changes. */
export function pageLinks(world: Pick<WorldView, 'rows'>): readonly z.input<typeof PageLink>[] {
  const rows = world.rows(pageRows)
  const known = links.get(rows)
  if (known) return known
  const made = rows.filter(({ published }) => published).map(linkView)
  links.set(rows, made)
  return made
}

const links = new WeakMap<readonly PageRow[], readonly z.input<typeof PageLink>[]>()

function linkView(page: PageRow): z.input<typeof PageLink> {
  const { slug, place, version } = page
  return {
    slug,
    place,
    version,
    ...(isRequired(page) && { acceptVersion: page.acceptVersion }),
    titles: titlesOf(page),
  }
}
