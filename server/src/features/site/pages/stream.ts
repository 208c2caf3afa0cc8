import type { StreamKind } from '../../contest/kinds/stream-kind.ts'
import { pageRows } from './rows.ts'
import { pageLinks } from './links.ts'

/** The links to all published pages. `known`: a page that changed was public before. */
export const pageEvents: StreamKind<'pages', boolean> = {
  name: 'pages',
  entryKind: pageRows.kind,
  mayReceive: () => true,
  know: (ids, world) => world.rows(pageRows).some(({ id, published }) => published && ids.includes(id)),
  keyFor: () => '',
  data({ ids, known }, _receiver, { world }) {
    const isPublic = world.rows(pageRows).some(({ id, published }) => published && ids.includes(id))
    return known || isPublic ? { pages: [...pageLinks(world)] } : null
  },
}
