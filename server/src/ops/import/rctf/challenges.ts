import { createHash } from 'node:crypto'
import { AdminBotConfig, InstancerConfig } from '@pennant/contract/admin-challenges.ts'
import { instantProblem } from '@pennant/contract/instants.ts'
import type { FlagEntry } from '../../../world/model.ts'
import type { ImportedChallenge } from '../contest.ts'
import { submittable } from '../flags.ts'
import { integerOf, isObject, listOf, objectOf, parseJson, textOf, textOrNull, type Json } from '../json.ts'
import { withoutMarkers } from '../links.ts'
import type { Report } from '../report.ts'
import type { Row } from './copy-text.ts'
import type { RctfLinks } from './uploads.ts'

const KNOWN = new Set(
  'name description category author files points flag flags tiebreakEligible sortWeight tags instancerConfig adminBotConfig hidden releaseTime scoring'.split(
    ' ',
  ),
)
const MAX_ID_LENGTH = 255
const INT32 = { min: -2147483648, max: 2147483647 }

interface Context {
  readonly links: RctfLinks
  readonly report: Report
}

export function readChallenges(rows: readonly Row[], context: Context): ImportedChallenge[] {
  return rows.flatMap((row) => {
    const id = row['id'] ?? ''
    const data = parseJson(row['data'] ?? null)
    if (id === '' || id.length > MAX_ID_LENGTH || !isObject(data)) {
      context.report.problem('challenge-rows', 'Rows of challenges cannot be read.', id)
      return []
    }
    for (const key of Object.keys(data))
      if (!KNOWN.has(key))
        context.report.note('challenge-keys', 'Keys of challenges are unknown and left out.', key)
    return [readChallenge(id, data, context)]
  })
}

function readChallenge(id: string, data: Json, { links, report }: Context): ImportedChallenge {
  const { kind, secret } = scoringOf(id, data, report)
  const releaseAt = integerOf(data['releaseTime'])
  const wrongTime = releaseAt === null ? null : instantProblem(releaseAt)
  if (wrongTime !== null)
    report.problem('release-times', 'Release times are not Unix milliseconds.', `${id}: ${wrongTime}`)
  const weight = data['sortWeight']
  return {
    id,
    name: withoutMarkers(textOf(data['name'])),
    description: links.text(textOf(data['description'])),
    category: withoutMarkers(textOf(data['category'])),
    author: withoutMarkers(textOf(data['author'])),
    flags: flagsOf(id, data, report),
    files: filesOf(data, links),
    points: pointsOf(id, data, report),
    // Only an explicit false excludes a challenge.
    tiebreakEligible: data['tiebreakEligible'] !== false,
    sortWeight: typeof weight === 'number' && Number.isFinite(weight) ? weight : null,
    hidden: data['hidden'] === true,
    releaseAt,
    scoringKind: kind,
    scoringSecret: secret,
    instancerConfig: instancerOf(id, data, report),
    adminBotConfig: adminBotOf(id, data, report),
    tags: Array.isArray(data['tags'])
      ? listOf(data['tags'])
          .map(textOf)
          .filter((tag) => tag !== '')
      : null,
    prerequisites: [],
    lockedShown: false,
  }
}

function scoringOf(id: string, data: Json, report: Report) {
  const scoring = objectOf(data['scoring'])
  const kind = textOrNull(scoring['kind']) ?? 'decay'
  if (kind === 'dynamic')
    return { kind: 'dynamic' as const, secret: textOrNull(objectOf(scoring['source'])['secret']) }
  if (kind !== 'decay' && kind !== 'static')
    report.loss('scoring', 'Kinds of scoring are unknown; the challenges decay.', `${id}: ${kind}`)
  return { kind: kind === 'static' ? ('static' as const) : ('decay' as const), secret: null }
}

/** `flags` replaced `flag`; if a row has both, the list counts. */
function flagsOf(id: string, data: Json, report: Report): FlagEntry[] {
  if (!Array.isArray(data['flags'])) {
    const flag = textOf(data['flag'])
    const entry = { provider: 'flags/static', config: { flag } }
    return flag === '' ? [] : submittable(entry, id, report)
  }
  return listOf(data['flags']).flatMap((entry) => {
    const { provider, config } = objectOf(entry)
    if (isObject(config))
      return submittable({ provider: textOrNull(provider) ?? 'flags/static', config }, id, report)
    report.loss('flags', 'Flags cannot be read and are left out.', id)
    return []
  })
}

function pointsOf(id: string, data: Json, report: Report) {
  const { min, max } = objectOf(data['points'])
  const points = { min: integerOf(min) ?? 0, max: integerOf(max) ?? 0 }
  if (!isInt32(points.min) || !isInt32(points.max))
    report.problem('points', 'Points of challenges are too large.', id)
  if (points.min > points.max)
    report.note(
      'points-order',
      'Minimum points exceed maximum points. Correct them before the next edit.',
      id,
    )
  return points
}

function isInt32(value: number): boolean {
  return value >= INT32.min && value <= INT32.max
}

/** A size of -1 is unknown. */
function filesOf(data: Json, links: RctfLinks) {
  return listOf(data['files']).map((file) => {
    const { name, url, size } = objectOf(file)
    const bytes = integerOf(size)
    return {
      name: withoutMarkers(textOf(name)),
      url: links.url(textOf(url)),
      size: bytes !== null && bytes >= 0 ? bytes : null,
    }
  })
}

function instancerOf(id: string, data: Json, report: Report): Json | null {
  const given = data['instancerConfig']
  if (!isObject(given)) return null
  const expose = listOf(given['expose']).filter((port) => {
    const isRaw = objectOf(port)['kind'] === 'raw'
    if (isRaw) report.without('rawPorts', id)
    return !isRaw
  })
  const config = { timeoutMilliseconds: 0, config: {}, challengeIntegrationId: '', ...given, expose }
  const checked = InstancerConfig.safeParse(config)
  if (checked.success) return config
  const [issue] = checked.error.issues
  const reason = `${id}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`
  report.loss('instancers', 'Instancer settings are not valid and are left out.', reason)
  return null
}

/** Only the code is the author's; the revision depends on it, and the rest was derived from it by the bot. */
function adminBotOf(id: string, data: Json, report: Report): Json | null {
  const given = data['adminBotConfig']
  if (!isObject(given)) return null
  const code = textOf(given['code'])
  const revision = createHash('sha256').update(code).digest('hex')
  const checked = AdminBotConfig.safeParse({ ...given, revision })
  if (checked.success) {
    report.note(
      'admin-bots',
      'Challenges have code for the admin bot: check it with `pennant doctor --bot`.',
      id,
    )
    const { inputs, timeoutMilliseconds, requireInstancerInstancesRunning } = checked.data
    return { code, inputs, revision, timeoutMilliseconds, requireInstancerInstancesRunning }
  }
  report.loss('admin-bot-settings', 'Settings of the admin bot are not valid and are left out.', id)
  return null
}
