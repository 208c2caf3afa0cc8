import { StartError } from '../../../lib/errors.ts'
import { legacyScores } from '../../../providers/scores/legacy.ts'
import type { ProviderContext } from '../../../providers/provider.ts'
import type { ImportedClient, ImportedContest } from '../contest.ts'
import { objectOf, parseJson, type Json } from '../json.ts'
import { createLinks } from '../links.ts'
import { createKeep } from '../kept.ts'
import type { Report } from '../report.ts'
import { readChallenges } from './challenges.ts'
import type { RctfConfig } from './config.ts'
import { configurationOf, hasOverlappingRules, LEGACY_SCORES } from './configuration.ts'
import type { Row } from './copy-text.ts'
import { readSettings } from './settings.ts'
import { readFeed, readSolves } from './solves.ts'
import { sourceScore } from './score.ts'
import { expectedStandings, type Played } from './standings.ts'
import {
  createAudit,
  readBotJobs,
  readDynamicFlags,
  readSubmissions,
  withAddresses,
  type Audit,
} from './submissions.ts'
import { RCTF_TABLES, type RctfTable, type RctfTables } from './tables.ts'
import { readMembers, readPending, readTeams, requireInstant } from './teams.ts'
import { createRctfLinks, type UploadSource } from './uploads.ts'

export interface RctfRequest {
  readonly tables: RctfTables
  /** The configuration of rCTF; null if it is not given. */
  readonly config: RctfConfig | null
  /** Divisions of this contest. */
  readonly divisions: readonly string[]
  /** Divisions of the source that become others. */
  readonly mapped: ReadonlyMap<string, string>
  readonly uploads: UploadSource
  readonly context: ProviderContext
  readonly report: Report
}

type Rows = (table: RctfTable) => readonly Row[]
type Version = 'v1' | 'v2'

/** Reads everything but the audit log into memory. */
export async function readRctf(request: RctfRequest): Promise<ImportedContest> {
  const { tables, report, context } = request
  const config = request.config?.values ?? {}
  const { rows, version, audit } = await readTables(tables)
  reportVersion(version, { config: request.config?.values ?? null, report })
  const links = createLinks()
  const rctfLinks = createRctfLinks(links, request.uploads)
  const challenges = readChallenges(rows('challenges'), { links: rctfLinks, report })
  const teamRules = {
    divisions: new Set(request.divisions),
    mapped: request.mapped,
    links: rctfLinks,
    report,
  }
  const teams = readTeams(rows('users'), teamRules)
  const known = {
    teams: new Set(teams.map(({ id }) => id)),
    challenges: new Map(challenges.map((challenge) => [challenge.id, challenge])),
    report,
  }
  const read = readSolves(rows('solves'), known)
  const solves = withAddresses(read.solves, { ids: read.ids, audit })
  const feed = readFeed({ solves: rows('solves'), events: rows('score_events') }, known)
  const settings = readSettings(
    {
      settings: objectOf(parseJson(rows('settings').find(({ id }) => id === 'value-0')?.['data'] ?? null)),
      config,
    },
    { links: rctfLinks, report },
  )
  const played = { teams, challenges, solves, feedScores: feed.scores }
  const standings = { isV1: version === 'v1', config, settings, context, report }
  return {
    source: `rCTF ${version}`,
    ...played,
    members: readMembers(rows('user_members')).filter(({ teamId }) => known.teams.has(teamId)),
    feedEvents: feed.events,
    dynamicFlags: readDynamicFlags(rows('dynamic_flags'), known),
    botJobs: readBotJobs(rows('admin_bot_jobs'), known),
    pending: readPending(rows('pending_user_verifications'), { now: context.now(), report }),
    clients: readClients([...rows('external_auth_clients'), ...rows('ext_auth_clients')], known),
    tables: [],
    settings,
    files: links.files,
    submissions: () => readSubmissions(tables, { solves, ids: read.ids }),
    expected: await expectedOf(played, standings),
    configuration: await yamlOf(configured(request.config, { version, report })),
  }
}

interface Scoring {
  readonly isV1: boolean
  /** Of the source: only its score provider is read. */
  readonly config: Json
  readonly settings: ImportedContest['settings']
  readonly context: ProviderContext
  readonly report: Report
}

/** The standings by the score formula of the source, or by the given one if the source has none that Pennant knows. */
export async function expectedOf(
  played: Played,
  { isV1, config, settings, context, report }: Scoring,
): Promise<ImportedContest['expected']> {
  const formula = isV1
    ? await legacyScores.start({}, context)
    : await sourceScore(config, { context, report })
  return (score, times) =>
    expectedStandings(played, {
      score: formula ?? score,
      startTime: settings.startTime ?? times.startTime,
      endTime: settings.endTime ?? times.endTime,
      now: context.now(),
    })
}

async function readTables(tables: RctfTables): Promise<{ rows: Rows; version: Version; audit: Audit }> {
  const found = new Map<RctfTable, Row[]>()
  const keep = createKeep()
  const audit = createAudit(keep)
  const columns = await tables.scan(new Set(RCTF_TABLES), (table, row) => {
    if (table === 'submission_logs') return audit.add(row)
    // Each solve reprices a challenge for all of its solvers: only pushed points have their history there.
    if (table === 'score_events' && row['source'] !== 'feed') return
    const values = Object.values(row)
    keep({ bytes: values.reduce((sum, value) => sum + (value?.length ?? 0), 0), values: values.length })
    const rows = found.get(table)
    if (rows) rows.push(row)
    else found.set(table, [row])
  })
  for (const table of ['users', 'challenges', 'solves'] as const)
    if (!columns.has(table))
      throw new StartError(`This is no database of rCTF: it has no table \`${table}\`. Nothing was imported.`)
  const isV1 = columns.has('pgmigrations') || !columns.get('users')?.includes('banned')
  return { rows: (table) => found.get(table) ?? [], version: isV1 ? 'v1' : 'v2', audit: audit.read() }
}

function reportVersion(
  version: Version,
  { config, report }: { readonly config: Json | null; readonly report: Report },
) {
  if (version === 'v2') return
  if (config === null)
    report.loss(
      'configuration',
      'Version 1 keeps the name, the times, the divisions and the home page in its configuration, which is missing.',
    )
  else if (hasOverlappingRules(config))
    report.note(
      'division-rules',
      'Version 1 uses the first rule of `divisionACLs` that matches, Pennant the divisions of all that match.',
    )
}

function readClients(
  rows: readonly Row[],
  { teams, report }: { readonly teams: ReadonlySet<string>; readonly report: Report },
): ImportedClient[] {
  return rows.map((row) => {
    const createdBy = row['created_by'] ?? null
    return {
      id: row['id'] ?? '',
      name: row['name'] ?? '',
      redirectUri: row['redirect_uri'] ?? '',
      createdAt: requireInstant(row['created_at'] ?? null, report),
      createdBy: createdBy !== null && teams.has(createdBy) ? createdBy : null,
    }
  })
}

function configured(
  config: RctfConfig | null,
  { version, report }: { readonly version: Version; readonly report: Report },
): Json {
  if (!config) return version === 'v1' ? LEGACY_SCORES : {}
  const warn = (message: string) =>
    report.note('configuration-keys', 'Keys of the configuration change or are left out.', message)
  return configurationOf(config, { isV1: version === 'v1', warn })
}

async function yamlOf(values: Json): Promise<string> {
  if (Object.keys(values).length === 0) return ''
  const { default: yaml } = await import('yaml')
  return yaml.stringify(values)
}
