import { isDeepStrictEqual } from 'node:util'
import { definedOf } from '../../lib/defined-of.ts'
import type { ArchiveField } from '@pennant/contract/challenge-archive.ts'
import type { ReadableChallenge } from '../../features/contest/challenges/readable.ts'
import { changedFields, storedFiles, withDefaults } from '../../features/organisers/archives/compare.ts'
import type { AnyArchiveKind, ValueOf } from '../../features/contest/kinds/archive-kind.ts'
import type { ChallengeValue } from '../../features/organisers/archives/value.ts'
import type { DiskTree } from './disk-tree.ts'
import type { Finding } from './finding.ts'
import { findingAt, type LocalChallenge } from './check-translation.ts'

/** What an apply would do to one challenge. */
export interface Change {
  readonly local: LocalChallenge
  /** With the id that the site uses, and with defaults if it is new. */
  readonly value: ChallengeValue
  readonly stored: ReadableChallenge | null
  /** The fields that the folder claims and that differ. */
  readonly fields: readonly ArchiveField[]
  /** The value of the site in the form that the folder has; null if it is new. */
  readonly before: ChallengeValue | null
}

export interface Changes {
  /** Those with a difference, in the order of the folder. */
  readonly changes: readonly Change[]
  /** Challenges of the site that the folder does not have. */
  readonly others: readonly ReadableChallenge[]
  readonly findings: readonly Finding[]
  /** The SHA-256 of a listed file. */
  readonly hashOf: (path: string) => string
}

/** A field of the site that is stored beside the challenges. */
export interface ComparedField extends Pick<AnyArchiveKind, 'field' | 'decides'> {
  readonly valueOf: ValueOf<unknown>
}

export interface CompareInput {
  readonly tree: DiskTree
  readonly challenges: readonly LocalChallenge[]
  /** Challenges of the folder that are left out. Those of the site are never deleted. */
  readonly excluded: readonly LocalChallenge[]
  readonly stored: readonly ReadableChallenge[]
  readonly beside: readonly ComparedField[]
}

/** Compares the folder with the site. Fields that the folder does not claim are never different. */
export async function findChanges(input: CompareInput): Promise<Changes> {
  const { tree, challenges, excluded, stored, beside } = input
  const hashes = await hashesOf(tree, challenges)
  const hashOf = (path: string) => hashes.get(path) ?? ''
  const byId = new Map(stored.map((row) => [row.id, row]))
  const files = new Map<string, string>()
  const changes: Change[] = []
  const findings: Finding[] = []
  const ids = new Map(challenges.map((local) => [local, idOf(local, stored, byId)]))
  const left = new Map(excluded.map((local) => [local, idOf(local, stored, byId)]))
  const siteIdOf = siteIds(new Map([...left, ...ids]), stored)
  for (const [local, { id, problem }] of ids) {
    const report = (field: string, finding: Pick<Finding, 'lint' | 'message'>) =>
      findings.push({ ...findingAt(local, field, { level: 'error', ...finding }), challenge: id })
    const other = files.get(id)
    const message = other === undefined ? problem : `has the same id as ${other}: ${id}`
    if (message !== null) report('id', { lint: 'duplicate-id', message })
    files.set(id, local.file)
    const row = byId.get(id) ?? null
    const wanted = local.value.prerequisites?.map((each) => ({ each, found: siteIdOf(each, local) }))
    const unknown = wanted?.find(({ found }) => found === null)
    // ctfcli opens such a challenge for everyone.
    if (unknown)
      report('prerequisites', {
        lint: 'requirements',
        message: `there is no challenge named ${unknown.each} in the folder or on the site: without it, the challenge would be open`,
      })
    // A challenge that needs itself could never be opened.
    const prerequisites = wanted?.flatMap(({ found }) => (found === null || found === id ? [] : [found]))
    const claimed = { ...local.value, id, prerequisites }
    // Fields that are absent do not hide a default.
    const value = row ? claimed : withDefaults({ ...local.defaults, ...definedOf(claimed) })
    const fields = changedFields(value, row, { hashOf, beside })
    const before = row && storedFiles(row, beside)
    for (const { field, decides } of beside) {
      const own = value[field] === undefined ? before?.[field] : value[field]
      const decided = own === undefined ? null : decides?.(own)
      // The server refuses such a field.
      if (decided && fields.includes(decided.field))
        report(decided.field, { lint: 'document', message: decided.reason })
    }
    if (!row || fields.length > 0) changes.push({ local, value, stored: row, fields, before })
  }
  for (const { id } of left.values()) if (!files.has(id)) files.set(id, '')
  const others = stored.filter(({ id }) => !files.has(id))
  return { changes, others, hashOf, findings: [...findings, ...renamed(changes, others)] }
}

async function hashesOf(tree: DiskTree, challenges: readonly LocalChallenge[]) {
  const hashes = new Map<string, string>()
  for (const { value } of challenges)
    for (const file of value.files ?? [])
      if ('local' in file) hashes.set(file.local, await tree.sha256(file.local))
  return hashes
}

/** Some formats identify a challenge by something else than the id that a site has. */
function idOf(
  { value, otherIds, isNamed }: LocalChallenge,
  stored: readonly ReadableChallenge[],
  byId: ReadonlyMap<string, ReadableChallenge>,
): { readonly id: string; readonly problem: string | null } {
  if (isNamed) {
    const named = stored.filter(({ name }) => name === value.name)
    if (named.length === 1 && named[0]) return { id: named[0].id, problem: null }
    const ids = named
      .map(({ id }) => id)
      .toSorted()
      .join(', ')
    if (named.length > 1)
      return { id: value.id, problem: `the site has several challenges named ${value.name}: ${ids}` }
  }
  const known = [value.id, ...otherIds].find((id) => byId.has(id))
  return { id: known ?? value.id, problem: null }
}

type Ids = ReadonlyMap<LocalChallenge, { readonly id: string }>

/**
 * The id that the site uses for a prerequisite: another challenge of the folder, or one that only the site has. Formats
 * that identify challenges by their names have names; null if nothing has that name.
 */
function siteIds(ids: Ids, stored: readonly ReadableChallenge[]) {
  const inFolder = new Map(Array.from(ids, ([{ value }, { id }]) => [value.id, id]))
  const byName = new Map([
    ...stored.map(({ id, name }) => [name, id] as const),
    ...Array.from(ids, ([{ value }, { id }]) => [value.name ?? id, id] as const),
  ])
  return (wanted: string, { isNamed }: LocalChallenge) =>
    isNamed ? (byName.get(wanted) ?? null) : (inFolder.get(wanted) ?? wanted)
}

/** Solves belong to an id: a challenge that lost its id would lose them. */
function renamed(changes: readonly Change[], others: readonly ReadableChallenge[]): Finding[] {
  return changes.flatMap(({ local, value, stored }): Finding[] => {
    if (stored) return []
    const before = others.find((row) => row.name === value.name || hasSameFlags(row, value))
    if (!before) return []
    const message = `looks like ${before.id} with another id; its solves stay with ${before.id}`
    return [{ level: 'warning', lint: 'renamed', file: local.file, challenge: value.id, message }]
  })
}

function hasSameFlags({ flags }: ReadableChallenge, value: ChallengeValue): boolean {
  return flags.length > 0 && isDeepStrictEqual(flags, value.flags)
}
