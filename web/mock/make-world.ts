import { adjust } from './endpoints/adjustments.ts'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { makeActions } from './make-actions.ts'
import { createChance } from './chance.ts'
import { difficulties, makeChallenges } from './challenge-list.ts'
import { auditOf } from './make-audit.ts'
import { windowOf, type Scenario } from './scenario.ts'
import { makeTeams, skillOf } from './team-list.ts'
import { pairKey, type FeedScore, type MockHint, type MockSolve, type World } from './world.ts'

const SEED = 20_261_017
/** Chance that a team of average skill solves a challenge of average difficulty. */
const EASE = 0.55

/** A new contest for the scenario. `now` is its clock; by default time does not advance. */
export function createWorld(scenario: Scenario, now: () => number = () => scenario.now): World {
  const { startTime, endTime } = windowOf(scenario)
  const teams = makeTeams(scenario, startTime)
  const challenges = scenario.isEmpty ? [] : makeChallenges(scenario.now)
  const ids = new Map<string, number>()
  const world: World = {
    startTime,
    endTime,
    deployed: { startTime, endTime },
    isArchived: scenario.phase === 'archived',
    status: scenario.status,
    now,
    teams: new Map(teams.map((entry) => [entry.id, entry])),
    challenges: new Map(challenges.map((entry) => [entry.id, entry])),
    actions: scenario.isEmpty ? [] : makeActions(scenario.now),
    solves: [],
    feeds: new Map(),
    instances: new Map(),
    jobs: [],
    members: new Map(),
    submissions: [],
    verifications: [],
    clients: [],
    announcements: [],
    waves: scenario.isEmpty ? [] : [wave(scenario.now)],
    hints: scenario.isEmpty ? [] : makeHints(scenario.now),
    adjustments: [],
    threads: [],
    messageOptions: { enabled: true, beforeStart: true, afterEnd: true, answers: [], version: 1 },
    settings: {},
    incidents: scenario.isEmpty ? [] : [incident(scenario.now)],
    buckets: new Map(),
    version: 0,
    nextId: (kind) => {
      const next = (ids.get(kind) ?? 0) + 1
      ids.set(kind, next)
      return `${kind}-${next}`
    },
  }
  if (scenario.isEmpty) return world
  fillWaiting(world, scenario)
  if (scenario.now < startTime) return world
  fillSolves(world, scenario)
  fillFeeds(world)
  fillLive(world, scenario)
  world.submissions.push(...auditOf(world))
  adjust(world, { teamId: 'team-player', points: 40, reason: 'Best write-up of the first day' })
  return world
}

/** The challenge with hints, which the team of the scenarios has not solved. */
const HINTED = 'two-time-pad'

function makeHints(now: number): MockHint[] {
  const hint = { challengeId: HINTED, releasedAt: now - HOUR_MS, version: 1, paid: new Map() }
  const release = { kind: 'manual' } as const
  return [
    {
      ...hint,
      id: 'hint-free',
      text: 'The pad is used **twice**. What remains of `a ^ b`?',
      price: 0,
      release,
    },
    { ...hint, id: 'hint-priced', text: 'Guess a word: ` the ` is common.', price: 50, release },
    {
      ...hint,
      id: 'hint-waiting',
      text: 'The first message begins with `flag{`.',
      price: 100,
      release: { kind: 'after', minutes: 60 * 24 },
    },
  ]
}

function fillSolves(world: World, scenario: Scenario): void {
  const chance = createChance(SEED)
  const until = Math.min(scenario.now, world.endTime) - world.startTime - MINUTE_MS
  const found: Omit<MockSolve, 'id'>[] = []
  const players = [...world.teams.values()].filter(({ perms }) => perms === 0)
  for (const [index, { id: teamId }] of players.entries()) {
    const skill = teamId === 'team-player' ? 0.62 : skillOf(index)
    for (const [challengeId, difficulty] of difficulties) {
      const [luck, when] = [chance(), chance()]
      if (difficulty === 10 || world.challenges.get(challengeId)?.scoring.kind === 'dynamic') continue
      // Scenarios of the mock submit this flag as this team.
      if (teamId === 'team-player' && [HINTED, 'tide-table'].includes(challengeId)) continue
      if (luck > EASE + skill - difficulty / 9) continue
      // Easy challenges are solved early.
      const share = when ** (2.6 - 0.2 * difficulty)
      found.push({ challengeId, teamId, createdAt: Math.floor(world.startTime + MINUTE_MS + until * share) })
    }
  }
  found.sort((left, right) => left.createdAt - right.createdAt)
  for (const solve of found) world.solves.push({ id: world.nextId('solve'), ...solve })
}

function fillFeeds(world: World): void {
  const chance = createChance(SEED + 1)
  const dynamic = [...world.challenges.values()].filter(({ scoring }) => scoring.kind === 'dynamic')
  const players = [...world.teams.values()].filter(({ perms }) => perms === 0).slice(0, 40)
  for (const { id } of dynamic) {
    const scores = new Map<string, FeedScore>()
    for (const team of players) {
      if (team.id !== 'team-player' && chance() < 0.4) continue
      const points = 100 + Math.floor(chance() * 900)
      scores.set(team.id, { points, pointDelta: Math.floor(chance() * 60) - 20 })
    }
    world.feeds.set(id, scores)
  }
}

/** Questions of the player's team: one that is answered, and one that waits. */
function fillThreads(world: World, now: number): void {
  world.threads.push(
    {
      id: world.nextId('thread'),
      teamId: 'team-player',
      challengeId: null,
      subject: 'May we share a server?',
      closed: false,
      assigneeId: 'team-admin',
      version: 2,
      read: 1,
      messages: [
        { authorId: null, content: 'Two teams of our club use **one** address.', createdAt: now - HOUR_MS },
        { authorId: 'team-admin', content: 'That is fine.', createdAt: now - 12 * MINUTE_MS },
      ],
    },
    {
      id: world.nextId('thread'),
      teamId: 'team-player',
      challengeId: null,
      subject: 'Lost the token of a member',
      closed: false,
      assigneeId: null,
      version: 1,
      read: 1,
      messages: [{ authorId: null, content: 'What can we do?', createdAt: now - 9 * MINUTE_MS }],
    },
  )
}

/** Pending items for organisers. */
function fillWaiting(world: World, { now }: Scenario): void {
  world.verifications.push(
    ...['Late Arrivals', 'Late Arrivals', 'Typo Club'].map((name, index) => ({
      id: world.nextId('verification'),
      name,
      email: `captain${index + 1}@mail.example`,
      division: 'open',
      createdAt: now - (index + 1) * 11 * MINUTE_MS,
      expiresAt: now + HOUR_MS - (index + 1) * 11 * MINUTE_MS,
    })),
  )
  const usual = { audience: { kind: 'all' }, forward: false, version: 1, editedAt: null } as const
  world.announcements.push(
    {
      ...usual,
      id: world.nextId('announcement'),
      title: 'Tide Table: the server was restarted',
      content: 'Connections were lost for a minute. **Nothing** about the challenge has changed.',
      severity: 'warning',
      pinned: false,
      publishAt: now - 4 * MINUTE_MS,
      createdAt: now - 4 * MINUTE_MS,
    },
    {
      ...usual,
      id: world.nextId('announcement'),
      title: 'Welcome aboard',
      content: 'Flags have the form `flag{…}`. Ask the organisers if you are stuck.',
      severity: 'info',
      pinned: true,
      publishAt: now - HOUR_MS,
      createdAt: now - HOUR_MS,
    },
  )
  fillThreads(world, now)
  world.clients.push({
    id: 'client-1',
    name: 'Harbour Wiki',
    redirectUri: 'https://wiki.harbour.example/signed-in',
    createdAt: new Date(world.startTime - 72 * HOUR_MS).toISOString(),
    createdBy: 'Organisers',
  })
  world.members.set(
    'team-player',
    ['ida', 'olav'].map((name) => ({
      id: world.nextId('member'),
      userid: 'team-player',
      email: `${name}@sailors.example`,
    })),
  )
}

/** Instances and admin bot visits in each state that a page can show. */
function fillLive(world: World, { now, phase }: Scenario): void {
  if (phase !== 'running') return
  const lives = 30 * MINUTE_MS
  const instances = [
    { teamId: 'team-player', challengeId: 'guest-book', startedAt: now - 9 * MINUTE_MS },
    { teamId: 'team-player', challengeId: 'number-station', startedAt: now - 60_000, isBroken: true },
    { teamId: 'team-rival', challengeId: 'bilge-pump', startedAt: now - 26 * MINUTE_MS },
    { teamId: 'team-3', challengeId: 'guest-book', startedAt: now - 1_000 },
  ]
  for (const instance of instances) {
    const endsAt = instance.startedAt + lives
    world.instances.set(pairKey(instance.teamId, instance.challengeId), {
      stoppedAt: null,
      isBroken: false,
      endsAt,
      ...instance,
    })
  }
  const visit = { teamId: 'team-player', challengeId: 'guest-book' }
  for (const [minutes, isFailing] of [[190, false] as const, [42, true] as const, [7, false] as const])
    world.jobs.push({ ...visit, id: world.nextId('job'), createdAt: now - minutes * MINUTE_MS, isFailing })
}

function wave(now: number): World['waves'][number] {
  return {
    id: 'wave-1',
    name: 'Wave 2',
    openAt: now + 2 * HOUR_MS,
    announce: true,
    forward: false,
    countdown: true,
    title: null,
    text: null,
    announcedAt: null,
    announcementId: null,
    version: 1,
    createdAt: now - HOUR_MS,
  }
}

function incident(now: number): World['incidents'][number] {
  return {
    id: 'incident-1',
    title: 'Instances start slowly',
    severity: 'minor',
    components: ['instances'],
    state: 'monitoring',
    startedAt: now - 50 * MINUTE_MS,
    resolvedAt: null,
    updates: [
      {
        at: now - 10 * MINUTE_MS,
        state: 'monitoring',
        text: 'A second host was added. Starts take **10 s** again.',
      },
      {
        at: now - 50 * MINUTE_MS,
        state: 'investigating',
        text: 'Starts take up to two minutes. We are looking.',
      },
    ],
  }
}
