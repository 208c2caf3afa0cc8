import {
  resultsByKind,
  type SubmissionKind,
  type SubmissionResult,
} from '@pennant/contract/admin-submissions.ts'
import { passes, type Filter } from '@pennant/contract/filters.ts'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import type { z } from 'zod'
import type { TeamRow, WorldView } from '../../../world/model.ts'

export type Kind = z.infer<typeof SubmissionKind>
export type Result = z.infer<typeof SubmissionResult>

export interface AuditSearch {
  readonly challengeSearch?: string | undefined
  readonly teamSearch?: string | undefined
}

type Optional<T> = Filter<T> | null | undefined

export interface AuditFilter {
  readonly challenge?: Optional<string>
  readonly team?: Optional<string>
  readonly person?: Optional<string>
  readonly kind?: Optional<Kind>
  readonly result?: Optional<Result>
  readonly teamStatus?: Optional<'banned' | 'not_banned'>
  readonly category?: Optional<string>
  readonly division?: Optional<string>
  readonly ip?: Optional<string>
  readonly createdAfter?: string | undefined
  readonly createdBefore?: string | undefined
}

/** Matches rows whose id is in `include`, if given, and not in `exclude`. */
export interface IdSet {
  readonly include: readonly string[] | null
  readonly exclude: readonly string[]
}

/** Selects rows by columns of the audit table. Names and other properties are resolved to ids in memory. */
export interface AuditScope {
  readonly challenges: IdSet
  readonly teams: IdSet
  readonly persons: IdSet
  /** Null means all. */
  readonly results: readonly Result[] | null
  readonly ips: IdSet
  /** Both inclusive, in milliseconds. */
  readonly after: number | null
  readonly before: number | null
}

/** Ids in the audit whose challenge or team was deleted. */
export interface GoneIds {
  readonly challenges: readonly string[]
  readonly teams: readonly string[]
}

const allIds: IdSet = { include: null, exclude: [] }
export const everything: AuditScope = {
  challenges: allIds,
  teams: allIds,
  persons: allIds,
  results: null,
  ips: allIds,
  after: null,
  before: null,
}

export const isSearching = ({ challengeSearch, teamSearch }: AuditSearch) =>
  Boolean(challengeSearch) || Boolean(teamSearch)

/** Converts the search and filters of a request to a scope. */
export function scopeOf(
  world: WorldView,
  request: { readonly search: AuditSearch; readonly filter: AuditFilter },
  gone: GoneIds,
): AuditScope {
  const { search, filter } = request
  return {
    challenges: challengesOf(world, { search, filter, gone }),
    teams: teamsOf(world, { search, filter, gone }),
    persons: filtered(allIds, filter.person),
    results: resultsOf(filter),
    ips: filtered(allIds, filter.ip),
    after: instantOf(filter.createdAfter),
    before: instantOf(filter.createdBefore),
  }
}

/** Whether the scope cannot match any row. */
export function isEmpty({ challenges, teams, persons, results, ips }: AuditScope): boolean {
  return [challenges.include, teams.include, persons.include, results, ips.include].some(
    (list) => list?.length === 0,
  )
}

interface Resolving {
  readonly search: AuditSearch
  readonly filter: AuditFilter
  readonly gone: GoneIds
}

function challengesOf(world: WorldView, { search, filter, gone }: Resolving): IdSet {
  const all = world.challenges()
  const inCategories = (names: readonly string[]) =>
    all.filter(({ category }) => names.includes(category)).map(({ id }) => id)
  const own = filtered(filtered(allIds, filter.challenge), filter.category, inCategories)
  const text = search.challengeSearch?.toLowerCase()
  if (!text) return own
  const has = (name: string) => name.toLowerCase().includes(text)
  const found = all.filter(({ name, category }) => has(name) || has(category)).map(({ id }) => id)
  // A deleted challenge is displayed by its id, so the search matches the id.
  return only(own, [...found, ...gone.challenges.filter(has)])
}

function teamsOf(world: WorldView, { search, filter, gone }: Resolving): IdSet {
  const idsWhere = (test: (team: TeamRow) => boolean) =>
    Array.from(world.teams()).flatMap((team) => (test(team) ? team.id : []))
  const inDivisions = (names: readonly string[]) => idsWhere(({ division }) => names.includes(division))
  const own = filtered(filtered(allIds, filter.team), filter.division, inDivisions)
  const inStatus = ofStatus(own, filter.teamStatus, () => idsWhere(({ banned }) => banned))
  const text = search.teamSearch?.toLowerCase()
  if (!text) return inStatus
  const has = (name: string) => name.toLowerCase().includes(text)
  return only(inStatus, [...idsWhere(({ name }) => has(name)), ...gone.teams.filter(has)])
}

/** A deleted team counts as not banned. */
function ofStatus(set: IdSet, status: AuditFilter['teamStatus'], banned: () => string[]): IdSet {
  const isFreeKept = passes(status, 'not_banned')
  if (passes(status, 'banned')) return isFreeKept ? set : only(set, banned())
  return isFreeKept ? without(set, banned()) : only(set, [])
}

/**
 * Filters by id, or by a property that `idsOf` resolves to ids. Deleted objects have no properties, so a
 * property filter never includes or excludes them.
 */
function filtered(
  set: IdSet,
  filter: Optional<string>,
  idsOf = (values: readonly string[]): readonly string[] => values,
): IdSet {
  const { include, exclude } = filter ?? {}
  const kept = include?.length ? only(set, idsOf(include)) : set
  return exclude?.length ? without(kept, idsOf(exclude)) : kept
}

function only(set: IdSet, ids: readonly string[]): IdSet {
  const dropped = new Set(set.exclude)
  const kept = set.include && new Set(set.include)
  const include = [...new Set(ids)].filter((id) => !dropped.has(id) && (!kept || kept.has(id)))
  return { include, exclude: [] }
}

function without({ include, exclude }: IdSet, ids: readonly string[]): IdSet {
  const dropped = new Set([...exclude, ...ids])
  if (!include) return { include, exclude: [...dropped] }
  return { include: include.filter((id) => !dropped.has(id)), exclude: [] }
}

function resultsOf({ kind, result }: AuditFilter): readonly Result[] | null {
  const kinds = Object.keys(resultsByKind) as Kind[]
  const all = kinds.flatMap<{ kind: Kind; result: Result }>((name) =>
    resultsByKind[name].map((one) => ({ kind: name, result: one })),
  )
  const kept = all.filter((one) => passes(kind, one.kind) && passes(result, one.result))
  return kept.length === all.length ? null : kept.map((one) => one.result)
}

/** Latest date with a four-digit year. JavaScript dates go beyond the range of PostgreSQL timestamps. */
const LATEST = Date.UTC(9999, 11, 31)

function instantOf(text: string | undefined): number | null {
  return text === undefined ? null : Math.min(Math.max(parseTimestamp(text), 0), LATEST)
}
