import type { PersonalDataCategory } from '@pennant/contract/personal-data.ts'
import sql, { type Sql } from 'sql-template-tag'
import type { z } from 'zod'
import type { ChangeKind, NamedKind } from '../../../db/database.ts'

/** What becomes of a row: it is deleted, or these columns get these values. */
type Erased = 'row' | Sql

/** What belongs to one team or person. */
export interface Share {
  /** Condition of the rows. */
  readonly rows: (id: string) => Sql
  /** Columns of a download; absent if none of the rows are in it. */
  readonly download?: Sql
  /** Name in the download, if it is not that of the table. */
  readonly section?: string
  /** When the team or person is deleted; absent if nothing is. */
  readonly deletion?: Erased
}

interface Retention {
  /** Condition of the rows that are not erased yet. */
  readonly where: Sql
  /** Column with the time of the row, so that rows of a later event stay; absent for rows of any time. */
  readonly at?: Sql
  readonly erased: Erased
  /** Only if the organisers chose to erase private messages. */
  readonly isOfMessages?: true
}

export interface PersonalTable {
  readonly name: string
  readonly category: z.output<typeof PersonalDataCategory>
  readonly personal: readonly string[]
  /** The other columns of text, JSON and bytes, which say nothing of a person. */
  readonly other: readonly string[]
  readonly team?: Share
  readonly person?: Share
  readonly retention?: Retention
  /** Points of a team: one that has some stays in the standings. */
  readonly isResult?: true
  /** What processes reload, by this column. */
  readonly changed?: { readonly kind: ChangeKind | NamedKind; readonly key: Sql }
}

export const ofTeam = (id: string): Sql => sql`team_id = ${id}`
export const ofPerson = (id: string): Sql => sql`person_id = ${id}`

/** Rows that name the team and who of it acted: the same of them belongs to both. */
export function ofActing(share: Omit<Share, 'rows'>): Required<Pick<PersonalTable, 'team' | 'person'>> {
  return { team: { rows: ofTeam, ...share }, person: { rows: ofPerson, ...share } }
}
