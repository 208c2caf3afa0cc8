import { groupBy } from '../../../lib/group-by.ts'
import type { ImportedChallenge } from '../contest.ts'
import { integerOf, textOf, type Json } from '../json.ts'
import { withoutMarkers } from '../links.ts'
import { millisOf } from '../micros.ts'
import type { Report } from '../report.ts'
import { byId, microsOf } from './values.ts'
import { readFlags } from './flags.ts'
import type { CtfdLinks } from './links.ts'
import { slugOf } from './names.ts'
import type { CtfdOptions } from './options.ts'
import { readRequirements, type Requirement } from './requirements.ts'

export interface ChallengeRows {
  readonly challenges: readonly Json[]
  readonly dynamic: readonly Json[]
  readonly flags: readonly Json[]
  readonly tags: readonly Json[]
  readonly topics: readonly Json[]
  readonly challengeTopics: readonly Json[]
  readonly files: readonly Json[]
}

interface Context {
  readonly options: CtfdOptions
  readonly links: CtfdLinks
  readonly report: Report
}

export interface Challenges {
  readonly challenges: readonly ImportedChallenge[]
  /** Pennant's id of a challenge of the source. */
  idOf(challenge: unknown): string | undefined
  /** What a solve is worth in the source, by Pennant's id. */
  readonly values: ReadonlyMap<string, number>
}

const KINDS = new Set(['standard', 'dynamic', ''])
const INT32_MAX = 2147483647

export function readChallenges(rows: ChallengeRows, context: Context): Challenges {
  const source = byId(rows.challenges)
  const ids = idsOf(source)
  const topics = new Map(rows.topics.map((row) => [integerOf(row['id']), textOf(row['value'])]))
  const parts: Parts = {
    dynamic: new Map(rows.dynamic.map((row) => [integerOf(row['id']), row])),
    flags: related(rows.flags),
    tags: related(rows.tags),
    topics: related(
      rows.challengeTopics.map((row) => ({ ...row, value: topics.get(integerOf(row['topic_id'])) })),
    ),
    files: related(rows.files.filter(({ type }) => type === 'challenge')),
    requirements: readRequirements(source),
    ids,
  }
  const challenges = source.map((row) => {
    const id = integerOf(row['id'])
    return readChallenge(row, { id: ids.get(id) ?? '', number: id, parts, context })
  })
  return {
    challenges,
    idOf: (challenge) => ids.get(integerOf(challenge)),
    values: new Map(source.map((row) => [ids.get(integerOf(row['id'])) ?? '', integerOf(row['value']) ?? 0])),
  }
}

function related(list: readonly Json[]): Related {
  return groupBy(list, (row) => integerOf(row['challenge_id']))
}

/** `category-name`, or `ctfd-12` if that says nothing or is taken. */
function idsOf(rows: readonly Json[]): Map<number | null, string> {
  const taken = new Set<string>()
  return new Map(
    rows.map((row) => {
      const number = integerOf(row['id'])
      const name = slugOf(textOf(row['name']))
      const slug = [slugOf(textOf(row['category'])), name].filter((part) => part !== '').join('-')
      const id = name === '' || taken.has(slug) ? `ctfd-${number}` : slug
      taken.add(id)
      return [number, id] as const
    }),
  )
}

type Related = ReadonlyMap<number | null, readonly Json[]>

interface Parts {
  readonly dynamic: ReadonlyMap<number | null, Json>
  readonly flags: Related
  readonly tags: Related
  readonly topics: Related
  readonly files: Related
  readonly requirements: ReadonlyMap<number | null, Requirement>
  /** Pennant's ids. */
  readonly ids: ReadonlyMap<number | null, string>
}

interface Reading {
  readonly id: string
  readonly number: number | null
  readonly parts: Parts
  readonly context: Context
}

function readChallenge(row: Json, { id, number, parts, context }: Reading): ImportedChallenge {
  const { links, report } = context
  const name = withoutMarkers(textOf(row['name']))
  reportLosses(row, { name, report })
  const flagRows = parts.flags.get(number) ?? []
  const flags = readFlags(flagRows, { name, report })
  const { points, kind } = pointsOf(row, { dynamic: parts.dynamic.get(number), name, context })
  const scheduled = microsOf(row['scheduled_at'])
  const position = integerOf(row['position']) ?? 0
  const tags = [...(parts.tags.get(number) ?? []), ...(parts.topics.get(number) ?? [])]
    .map(({ value }) => textOf(value))
    .filter((tag) => tag !== '')
  const lock = lockOf(parts.requirements.get(number), { name, parts, context })
  return {
    id,
    name,
    description: descriptionOf(row, links),
    category: withoutMarkers(textOf(row['category'])),
    author: withoutMarkers(textOf(row['attribution'])),
    flags,
    files: (parts.files.get(number) ?? []).flatMap(({ location }) => {
      const path = textOf(location)
      return path === '' ? [] : [{ name: path.split('/').at(-1) ?? path, url: links.file(path), size: null }]
    }),
    points,
    tiebreakEligible: (integerOf(row['value']) ?? 0) !== 0,
    sortWeight: position === 0 ? null : position,
    hidden:
      isHidden(row, { name, isFlagless: flagRows.length > 0 && flags.length === 0, report }) || lock.hidden,
    releaseAt: scheduled === null ? null : millisOf(scheduled),
    scoringKind: kind,
    scoringSecret: null,
    instancerConfig: null,
    adminBotConfig: null,
    tags: tags.length > 0 ? [...new Set(tags)] : null,
    prerequisites: lock.prerequisites,
    lockedShown: lock.lockedShown,
  }
}

function descriptionOf(row: Json, links: CtfdLinks): string {
  const description = links.text(textOf(row['description']))
  const connection = links.text(textOf(row['connection_info']).trim())
  if (connection === '') return description
  const quoted = connection.split(/\r?\n/).map((line) => `> ${line}`)
  return [description.trimEnd(), '', '> [!CONNECTION]', ...quoted].join('\n').trimStart()
}

function reportLosses(row: Json, { name, report }: { readonly name: string; readonly report: Report }): void {
  if ((integerOf(row['max_attempts']) ?? 0) > 0) report.without('attemptLimits', name)
  if (row['logic'] === 'all' || row['logic'] === 'team') report.without('flagLogic', name)
  if (integerOf(row['next_id']) !== null) report.without('nextChallenges', name)
  if (integerOf(row['module_id']) !== null) report.without('modules', name)
}

interface Visibility {
  readonly name: string
  readonly isFlagless: boolean
  readonly report: Report
}

/** A challenge never arrives open without a flag. */
function isHidden(row: Json, { name, isFlagless, report }: Visibility): boolean {
  const isPlugin = !KINDS.has(textOf(row['type']))
  if (isPlugin)
    report.loss('challenge-types', 'Challenges of plugins arrive hidden.', `${name}: ${textOf(row['type'])}`)
  if (isFlagless)
    report.loss('without-flags', 'Challenges without a flag that can be carried over arrive hidden.', name)
  return isPlugin || isFlagless || row['state'] === 'hidden' || row['state'] === 'locked'
}

const UNLOCKED = { prerequisites: [], lockedShown: false, hidden: false }

/** The prerequisites of a challenge. One whose lock cannot be kept arrives hidden, unless it is to be open. */
function lockOf(
  requirement: Requirement | undefined,
  {
    name,
    parts,
    context: { options, report },
  }: { readonly name: string; readonly parts: Parts; readonly context: Context },
) {
  if (!requirement) return UNLOCKED
  const { ids, obstacle, shown } = requirement
  if (obstacle !== null) {
    report.loss(
      obstacle === 'cycle' ? 'requirement-cycles' : 'many-requirements',
      obstacle === 'cycle'
        ? 'Challenges require each other or themselves, so nobody can open them. They lose their prerequisites.'
        : 'Challenges have more prerequisites than are possible here. They lose them.',
      name,
    )
    report.loss(
      'locked',
      options.locked === 'hide'
        ? 'Locked challenges arrive hidden; their solves do not count while they are. `--locked open` shows them.'
        : 'Locked challenges become visible to everyone.',
      name,
    )
    return { ...UNLOCKED, hidden: options.locked === 'hide' }
  }
  if (shown === 'row')
    report.note(
      'anonymous',
      'Challenges that CTFd lists without a name until they open are not listed until then.',
      name,
    )
  const prerequisites = ids.flatMap((id) => parts.ids.get(id) ?? [])
  return { prerequisites, lockedShown: shown === 'name', hidden: false }
}

interface Scored {
  readonly dynamic: Json | undefined
  readonly name: string
  readonly context: Context
}

function pointsOf(row: Json, { dynamic, name, context: { options, report } }: Scored) {
  const value = integerOf(row['value']) ?? 0
  if (Math.abs(value) > INT32_MAX) report.problem('points', 'Points of challenges are too large.', name)
  const own = { initial: row['initial'], minimum: row['minimum'], function: row['function'] }
  // The names of the columns changed twice.
  const older = dynamic && {
    initial: dynamic['dynamic_initial'] ?? dynamic['initial'],
    minimum: dynamic['dynamic_minimum'] ?? dynamic['minimum'],
    function: 'logarithmic',
  }
  const parameters = row['type'] === 'dynamic' ? (older ?? own) : own
  const initial = integerOf(parameters.initial)
  const minimum = integerOf(parameters.minimum)
  const isDynamic =
    row['type'] === 'dynamic' || parameters.function === 'linear' || parameters.function === 'logarithmic'
  if (options.scoring === 'decay' && isDynamic && initial !== null && minimum !== null) {
    const points = { min: Math.min(minimum, initial), max: initial }
    return { points, kind: 'decay' as const }
  }
  if (isDynamic)
    report.note(
      'frozen-points',
      'Challenges keep the points that they had at the export. `--scoring decay` lets them decay.',
      name,
    )
  return { points: { min: value, max: value }, kind: 'static' as const }
}
