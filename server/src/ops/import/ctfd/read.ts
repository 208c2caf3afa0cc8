import { createRegexTester } from '../../../lib/regex.ts'
import type { ExpectedStandings, ImportedChallenge, ImportedContest } from '../contest.ts'
import { textOf, textOrNull } from '../json.ts'
import { columnsOf } from '../insert.ts'
import { createLinks, withoutMarkers } from '../links.ts'
import type { Report } from '../report.ts'
import { readAccounts, type Accounts } from './accounts.ts'
import { adjustmentsOf } from './adjustments.ts'
import { readAnnouncements } from './announcements.ts'
import type { CtfdArchive } from './archive.ts'
import { readChallenges, type Challenges } from './challenges.ts'
import { createCtfdLinks, type CtfdLinks } from './links.ts'
import type { CtfdOptions } from './options.ts'
import { feedOf, readAwards, type Award } from './awards.ts'
import { readFields } from './fields.ts'
import { readPurchases } from './hint-purchases.ts'
import { hintRow, readHints } from './hints.ts'
import { readPages } from './pages.ts'
import { readPlay, readSubmissions, type Play } from './play.ts'
import { configOf, configurationOf, readSettings } from './settings.ts'
import { expectedStandings } from './standings.ts'

interface Request {
  readonly archive: CtfdArchive
  readonly options: CtfdOptions
  readonly report: Report
}

/** The standings of the source need no formula of ours. */
type CtfdContest = ImportedContest & { readonly expected: () => ExpectedStandings }

export async function readCtfd({ archive, options, report }: Request): Promise<CtfdContest> {
  const config = configOf(await archive.all('config'))
  const mode = config.get('user_mode') === 'teams' ? ('teams' as const) : ('users' as const)
  const [users, teams, brackets] = [
    await archive.all('users'),
    await archive.all('teams'),
    await archive.all('brackets'),
  ]
  const accounts = readAccounts({ mode, users, teams, brackets }, { options, report })
  const links = createLinks()
  const ctfdLinks = createCtfdLinks(links, archive)
  const challenges = await challengesOf(archive, { options, links: ctfdLinks, report })
  const context = { archive, mode, accounts, challenges, report }
  const awards = await readAwards(context)
  const isAdjusted = options.awards === 'adjust'
  const hints = readHints(await archive.all('hints'), { challenges, links: ctfdLinks, report })
  const bought = await readPurchases({ hints, awards, isCharged: isAdjusted, context })
  // A deduction does not break ties.
  const play = await readPlay(context, isAdjusted ? awards.filter(({ value }) => value > 0) : [])
  await reportTables(archive, report)
  await tryPatterns(challenges.challenges, { play, report })
  const feed = feedOf(options.awards === 'feed' ? awards : [])
  if (options.awards === 'skip') reportSkipped(awards, { accounts, report })
  const pages = await archive.all('pages')
  const settings = readSettings(config, { pages, firstAt: play.firstAt, options, links: ctfdLinks, report })
  const { fields, answers } = await readFields(archive, { mode, accounts, report })
  const announcements = await readAnnouncements(archive, { accounts, links: ctfdLinks, report })
  reportTimes(play, { endTime: settings.endTime, report })
  for (const name of ctfdLinks.unused())
    report.note('unused-files', 'Files that nothing refers to are left out.', name)
  const manual = isAdjusted
    ? adjustmentsOf(bought.others, { timeOf: play.timeOf, prices: bought.adjustments, report })
    : []
  const adjustments = [...bought.adjustments, ...manual].map((each) => ({ columns: columnsOf(each) }))
  const version = textOrNull(config.get('ctf_version'))
  const { default: yaml } = await import('yaml')
  const values = configurationOf(config, { divisions: accounts.divisions, isTeams: mode === 'teams' })
  return {
    source: version === null ? 'CTFd' : `CTFd ${withoutMarkers(version).slice(0, 20)}`,
    teams: accounts.teams,
    members: [],
    challenges: [...challenges.challenges, ...feed.challenges],
    solves: play.solves,
    feedScores: feed.scores,
    feedEvents: feed.events,
    dynamicFlags: [],
    botJobs: [],
    pending: [],
    clients: [],
    tables: [
      {
        name: 'people',
        table: 'persons',
        rows: accounts.people.people.map((each) => ({ columns: columnsOf(each) })),
      },
      { name: 'adjustments', table: 'score_adjustments', rows: adjustments },
      { name: 'hints', table: 'hints', rows: Array.from(hints.values(), hintRow) },
      { name: 'hintPurchases', table: 'hint_purchases', rows: bought.purchases },
      { name: 'fieldAnswers', table: 'field_answers', rows: answers },
      { name: 'announcements', table: 'announcements', rows: announcements },
      ...readPages(pages, report),
    ],
    settings: fields.length > 0 ? { ...settings, fields } : settings,
    files: links.files,
    submissions: () => readSubmissions(context, play.solves),
    expected: () => expectedStandings([...play.counted, ...awards], accounts.ranked),
    configuration: Object.keys(values).length === 0 ? '' : yaml.stringify(values),
  }
}

async function challengesOf(
  archive: CtfdArchive,
  context: { readonly options: CtfdOptions; readonly links: CtfdLinks; readonly report: Report },
): Promise<Challenges> {
  return readChallenges(
    {
      challenges: await archive.all('challenges'),
      dynamic: await archive.all('dynamic_challenge'),
      flags: await archive.all('flags'),
      tags: await archive.all('tags'),
      topics: await archive.all('topics'),
      challengeTopics: await archive.all('challenge_topics'),
      files: await archive.all('files'),
    },
    context,
  )
}

function reportSkipped(
  awards: readonly Award[],
  { accounts, report }: { readonly accounts: Accounts; readonly report: Report },
): void {
  const names = new Map(accounts.teams.map(({ id, name }) => [id, name]))
  for (const { teamId } of awards)
    report.loss(
      'skipped-awards',
      'Awards, and the points that teams paid for hints, are left out.',
      names.get(teamId),
    )
}

const READ = new Set(
  'config users teams brackets challenges dynamic_challenge flags tags topics challenge_topics files solves submissions awards hints unlocks pages notifications fields field_entries alembic_version'.split(
    ' ',
  ),
)
const LOST = {
  solutions: 'solutions',
  ratings: 'ratings',
  comments: 'comments',
  tracking: 'tracking',
  tokens: 'apiTokens',
  modules: 'modules',
  audiences: 'modules',
  audience_members: 'modules',
  module_audience_access: 'modules',
} as const

async function reportTables(archive: CtfdArchive, report: Report): Promise<void> {
  for (const table of archive.tables) {
    if (READ.has(table)) continue
    let hasRows = false
    for await (const _ of archive.rows(table)) {
      hasRows = true
      break
    }
    if (!hasRows) continue
    if (table in LOST) report.without(LOST[table as keyof typeof LOST])
    else report.without('pluginTables', table)
  }
}

/** Patterns of Python can differ in ways that only their own submissions show. */
async function tryPatterns(
  challenges: readonly ImportedChallenge[],
  { play, report }: { readonly play: Play; readonly report: Report },
): Promise<void> {
  const tester = createRegexTester()
  try {
    for (const { id, name, flags } of challenges) {
      if (!flags.some(({ provider }) => provider === 'flags/regex')) continue
      for (const text of play.samples.get(id) ?? []) {
        let isAccepted = false
        for (const { provider, config } of flags) {
          if (provider === 'flags/static') isAccepted ||= config['flag'] === text
          else {
            const question = { pattern: textOf(config['pattern']), flags: textOf(config['flags']), text }
            isAccepted ||= (await tester.test(question)) === true
          }
        }
        if (!isAccepted)
          report.loss('patterns', 'Submissions that were correct no longer match a pattern.', name)
      }
    }
  } finally {
    await tester.close()
  }
}

function reportTimes(
  { solves }: Play,
  { endTime, report }: { readonly endTime: number | undefined; readonly report: Report },
): void {
  if (endTime === undefined) return
  for (const { at, challengeId } of solves)
    if (at / 1000 > endTime)
      report.loss(
        'late-solves',
        'Solves after the end count in CTFd and not here. `--end` moves the end.',
        challengeId,
      )
}
