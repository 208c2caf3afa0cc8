import {
  goodAdminSettings,
  goodAdminSettingsUpdate,
  readSettings,
  updateSettings,
} from '@pennant/contract/admin-settings.ts'
import * as audit from '@pennant/contract/admin-submissions.ts'
import {
  goodAdminDiagnosis,
  goodAdminDiagnosisRun,
  goodClientAddress,
  readClientAddress,
  readDiagnosis,
  runDiagnosis,
} from '@pennant/contract/diagnosis.ts'
import * as external from '@pennant/contract/external-auth.ts'
import { passes } from '@pennant/contract/filters.ts'
import {
  goodAdminOverview,
  goodAdminStatistics,
  goodScoresPreview,
  previewScores,
  PREVIEW_SOLVES,
  readOverview,
  readStatistics,
  STATISTICS_PERIODS,
} from '@pennant/contract/overview.ts'
import type { BodyOf, QueryOf } from '@pennant/contract/route.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { on } from '../handler.ts'
import { standingsOf, valueOf } from '../standings.ts'
import { publicChallenge, tokenOf, type World } from '../world.ts'
import { countJobs } from './admin-bot.ts'
import { deployed } from './client-config.ts'
import { countInstances } from './instances.ts'

const MINUTES = 60

const overview = on(readOverview, ({ world }) => {
  const now = world.now()
  const minutes = Array.from({ length: MINUTES }, () => 0)
  const correct = [...minutes]
  const active = new Set<string>()
  for (const { createdAt, userId, result } of world.submissions) {
    const ago = Math.floor((now - parseTimestamp(createdAt)) / MINUTE_MS)
    if (ago >= MINUTES) break
    const at = MINUTES - 1 - ago
    minutes[at] = (minutes[at] ?? 0) + 1
    if (result === 'correct') correct[at] = (correct[at] ?? 0) + 1
    if (ago < 15) active.add(userId)
  }
  const hasBegun = now >= world.startTime
  return goodAdminOverview({
    now,
    submissionsPerMinute: minutes,
    correctPerMinute: correct,
    solves: [...standingsOf(world).solves.values()].reduce((sum, list) => sum + list.length, 0),
    teams: world.teams.size,
    activeTeams15m: active.size,
    pendingVerifications: world.verifications.length,
    registrations10m: hasBegun ? 140 : 2,
    instances: countInstances(world),
    adminBot: countJobs(world),
    outboxPending: hasBegun ? 3 : 0,
    standingsAgeMs: 420,
    organisersWithSolves: [],
    warnings: hasBegun
      ? [
          { code: 'mailFailing', text: 'Mail is not accepted: 421 try later.', since: now - 4 * MINUTE_MS },
          {
            code: 'challengeWithoutFlag',
            text: 'Draft takes no flag: misc-draft.',
            since: now - 90 * MINUTE_MS,
          },
          {
            code: 'registrationSurge',
            text: '140 teams registered in the last 10 minutes. If that is unexpected, require a captcha or lower `registrationLimit`.',
            since: now - 95 * MINUTE_MS,
          },
        ]
      : [],
  })
})

/** Results after the first run; without one, nothing was checked. */
const diagnosisOf = (ranAt: number | null, now: number) => ({
  now,
  address: '203.0.113.7',
  isRunning: false,
  ranAt,
  checks:
    ranAt === null
      ? []
      : [
          { name: 'database', severity: 'ok' as const, finding: '', remedy: '' },
          {
            name: 'flag-trials',
            severity: 'warning' as const,
            finding: 'Nobody has solved these since their last change: Tide table.',
            remedy: 'Submit the flag of each as an organiser; that counts for no other team.',
          },
          {
            name: 'mail',
            severity: 'error' as const,
            finding: 'The mail server refuses: wrong password.',
            remedy: 'Check the address and password in `email`.',
          },
          {
            name: 'redis',
            severity: 'unchecked' as const,
            finding: 'Redis is not configured.',
            remedy: '',
          },
        ],
})
const ranAt = new WeakMap<World, number>()
/** Nobody ran the checks of an empty contest yet. */
const usualRun = (world: World) => (world.challenges.size === 0 ? null : world.now() - 5 * MINUTE_MS)
const diagnosis = on(readDiagnosis, ({ world }) =>
  goodAdminDiagnosis(diagnosisOf(ranAt.get(world) ?? usualRun(world), world.now())),
)
const clientAddress = on(readClientAddress, () =>
  goodClientAddress({
    address: '203.0.113.9',
    forwarding: 'read',
    lastForwarded: '203.0.113.9',
    deployment: 'mock',
  }),
)
const diagnosisRun = on(runDiagnosis, ({ world }) => {
  ranAt.set(world, world.now())
  return goodAdminDiagnosisRun(diagnosisOf(world.now(), world.now()))
})

const statistics = on(readStatistics, ({ world }) => {
  const now = world.now()
  const until = Math.min(now, world.endTime)
  const { startTime: from } = world
  const periodMs = Math.max(MINUTE_MS, Math.ceil((until - from) / STATISTICS_PERIODS))
  const counts = Array.from({ length: Math.max(0, Math.ceil((until - from) / periodMs)) }, () => 0)
  const standings = standingsOf(world)
  for (const { createdAt } of [...standings.solves.values()].flat()) {
    const at = Math.min(Math.floor((createdAt - from) / periodMs), counts.length - 1)
    counts[at] = (counts[at] ?? 0) + 1
  }
  const flags = (id: string, wanted: string) =>
    world.submissions.filter(({ challengeId, result }) => challengeId === id && result === wanted).length
  const challenges = [...standings.solves].flatMap(([id, solves]) => {
    const challenge = publicChallenge(world, id)
    if (!challenge) return []
    const { name, category } = challenge
    const [correct, wrong] = [flags(id, 'correct'), flags(id, 'incorrect')]
    return {
      id,
      name,
      category,
      points: standings.points.get(id) ?? 0,
      solves: solves.length,
      correct,
      wrong,
    }
  })
  const categories = [...new Set(challenges.map(({ category }) => category))].map((category) => {
    const own = challenges.filter((challenge) => challenge.category === category)
    const sum = (of: 'points' | 'solves') => own.reduce((total, challenge) => total + challenge[of], 0)
    return { category, challenges: own.length, points: sum('points'), solves: sum('solves') }
  })
  const solves = { from, periodMs, counts }
  return goodAdminStatistics({ now, solves, challenges, categories })
})

const preview = on(previewScores, ({ query: { min, max } }) =>
  goodScoresPreview({
    provider: 'scores/mock',
    values: Array.from({ length: PREVIEW_SOLVES + 1 }, (_, solves): [number, number] => [
      solves,
      valueOf({ min, max }, solves),
    ]),
  }),
)

const read = on(readSettings, ({ world }) =>
  goodAdminSettings({ overrides: world.settings, defaults: defaultsOf(world) }),
)

function defaultsOf(world: World) {
  return { ...deployed, ...world.deployed }
}

const update = on(updateSettings, ({ world, body: { data } }) => {
  const defaults = defaultsOf(world)
  const changed = Object.entries({ ...world.settings, ...data }).filter(([, value]) => value != null)
  world.settings = Object.fromEntries(changed)
  world.startTime = world.settings.startTime ?? defaults.startTime
  world.endTime = world.settings.endTime ?? defaults.endTime
  return goodAdminSettingsUpdate({ overrides: world.settings, defaults })
})

type AuditQuery = QueryOf<typeof audit.filterSubmissions>
type AuditFilter = BodyOf<typeof audit.filterSubmissions>
type Row = World['submissions'][number]

const AUDIT_SORTS: Readonly<Record<AuditQuery['sortBy'], (row: Row) => string>> = {
  createdAt: ({ createdAt }) => createdAt,
  challenge: ({ challengeName }) => challengeName,
  team: ({ userName }) => userName,
  ip: ({ ip }) => ip,
  kind: ({ kind }) => kind,
  result: ({ result }) => result,
}

function isWanted(row: Row, filter: AuditFilter): boolean {
  const at = parseTimestamp(row.createdAt)
  return (
    passes(filter.challenge, row.challengeId) &&
    passes(filter.team, row.userId) &&
    passes(filter.kind, row.kind) &&
    passes(filter.result, row.result) &&
    passes(filter.teamStatus, row.userBanned ? 'banned' : 'not_banned') &&
    passes(filter.category, row.challengeCategory) &&
    passes(filter.division, row.userDivision) &&
    (filter.createdAfter === undefined || at >= parseTimestamp(filter.createdAfter)) &&
    (filter.createdBefore === undefined || at <= parseTimestamp(filter.createdBefore))
  )
}

function holds(text: string, needle = ''): boolean {
  return text.toLowerCase().includes(needle.toLowerCase())
}

function auditPage(world: World, query: AuditQuery, filter: AuditFilter) {
  const key = AUDIT_SORTS[query.sortBy]
  const sign = query.sortOrder === 'asc' ? 1 : -1
  const all = world.submissions
    .filter(
      (row) =>
        isWanted(row, filter) &&
        holds(row.userName, query.teamSearch) &&
        holds(`${row.challengeName} ${row.challengeCategory}`, query.challengeSearch),
    )
    .sort((left, right) => (key(left) < key(right) ? -sign : key(left) > key(right) ? sign : 0))
  const submissions = all.slice(query.offset, query.offset + query.limit)
  return audit.goodAdminSubmissions({ total: all.length, submissions })
}

const submissions = on(audit.listSubmissions, ({ world, query }) => auditPage(world, query, {}))
const filtered = on(audit.filterSubmissions, ({ world, query, body }) => auditPage(world, query, body))

const clients = on(external.listExternalAuthClients, ({ world }) =>
  external.goodAdminExternalAuthClients([...world.clients]),
)

const addClient = on(external.createExternalAuthClient, ({ world, team, body }) => {
  const client = {
    id: world.nextId('client-new'),
    ...body,
    createdAt: new Date(world.now()).toISOString(),
    createdBy: team?.name ?? null,
  }
  world.clients.push(client)
  return external.goodAdminExternalAuthClientCreate({ ...client, secret: 'mock-secret-shown-once' })
})

const removeClient = on(external.deleteExternalAuthClient, ({ world, params }) => {
  const index = world.clients.findIndex(({ id }) => id === params.id)
  if (index < 0) return external.badExternalAuthRequest()
  world.clients.splice(index, 1)
  return external.goodAdminExternalAuthClientDelete()
})

const client = on(external.readExternalAuthClient, ({ world, params }) => {
  const found = world.clients.find(({ id }) => id === params.id)
  if (!found) return external.badExternalAuthRequest()
  return external.goodExternalAuthClient({
    id: found.id,
    name: found.name,
    redirectUri: found.redirectUri,
  })
})

const authorize = on(external.authorizeExternalAuth, ({ world, team, body }) => {
  const found = world.clients.find(({ id }) => id === body.clientId)
  if (!found || !team || found.redirectUri !== body.redirectUri) return external.badExternalAuthRequest()
  const back = new URL(found.redirectUri)
  back.searchParams.set('code', tokenOf(team.id))
  if (body.state !== undefined) back.searchParams.set('state', body.state)
  return external.goodExternalAuthAuthorize({ redirectTo: back.href })
})

export const organiserEndpoints = [
  overview,
  statistics,
  diagnosis,
  diagnosisRun,
  clientAddress,
  preview,
  read,
  update,
  submissions,
  filtered,
  clients,
  addClient,
  removeClient,
  client,
  authorize,
]
