import sql, { empty } from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'
import type { WorldView } from '../../../world/model.ts'
import type { RowKind, RowsByKey } from '../../../world/row-kind.ts'
import { millis } from '../../../world/rows.ts'

// Pages as stored in the database: docs/reference/pages.md

export interface PageText {
  readonly language: string
  readonly title: string
  /** Markdown. */
  readonly content: string
}

export interface PageRow {
  readonly id: string
  readonly slug: string
  readonly place: 'none' | 'menu' | 'footer'
  readonly position: number
  readonly published: boolean
  readonly mustAccept: boolean
  /** The earliest version that counts as accepted. Stays while the page need not be accepted. */
  readonly acceptVersion: number | null
  /** The first is the default. */
  readonly texts: readonly PageText[]
  readonly version: number
  readonly createdAt: number
  readonly editedAt: number
}

export interface AcceptanceRow {
  readonly teamId: string
  readonly pageId: string
  readonly version: number
  readonly personId: string | null
  readonly acceptedAt: number
}

/** In their order. */
export const pageRows: RowKind<PageRow, readonly PageRow[]> = {
  kind: 'pages',
  read: readPages,
  keyOf: ({ id }) => id,
  slice: (rows) =>
    [...rows.values()].flat().toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1)),
}

/** By team, oldest version first. */
export const acceptanceRows: RowKind<AcceptanceRow, RowsByKey<AcceptanceRow>> = {
  kind: 'pageAcceptances',
  read: readAcceptances,
  keyOf: ({ teamId }) => teamId,
  compare: (a, b) => a.version - b.version || (a.pageId < b.pageId ? -1 : 1),
  slice: (rows) => rows,
  isByTeam: true,
}

/** The latest version that a team accepted. */
export function acceptanceOf(
  world: Pick<WorldView, 'rows'>,
  teamId: string,
  { id }: Pick<PageRow, 'id'>,
): AcceptanceRow | undefined {
  return world
    .rows(acceptanceRows)
    .get(teamId)
    ?.findLast(({ pageId }) => pageId === id)
}

/** The pages with the given ids, or all. */
export function readPages(db: Queries, ids?: readonly string[]): Promise<PageRow[]> {
  return db.query<PageRow>(sql`
    select id, slug, place, position, published, must_accept as "mustAccept", accept_version as "acceptVersion", texts,
      version, ${millis('created_at')} as "createdAt", ${millis('edited_at')} as "editedAt"
    from pages ${ids ? sql`where id = any(${ids})` : empty}`)
}

function readAcceptances(db: Queries, teamIds?: readonly string[]): Promise<AcceptanceRow[]> {
  return db.query<AcceptanceRow>(sql`
    select team_id as "teamId", page_id as "pageId", version, person_id as "personId",
      ${millis('accepted_at')} as "acceptedAt"
    from page_acceptances ${teamIds ? sql`where team_id = any(${teamIds})` : empty}`)
}
