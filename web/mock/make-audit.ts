import type { AuditRow } from '@pennant/contract/admin-submissions.ts'
import type { z } from 'zod'
import { createChance } from './chance.ts'
import type { MockTeam, World } from './world.ts'

type Row = z.output<typeof AuditRow>

/** Maximum number of rows in the mock's initial submission audit. */
const MOST_ROWS = 2_000
const WRONG = [
  'flag{guess}',
  'flag{i_am_sure_this_time}',
  'FLAG{CAPS}',
  '=HYPERLINK("http://evil.example")',
  'flag{}',
]

interface Attempt {
  readonly team: MockTeam
  readonly challengeId: string
  readonly result: Row['result']
  readonly details: Row['details']
  readonly relatedId: string | null
  readonly createdAt: number
}

/** One attempt as organisers see it. */
export function auditRow(world: World, attempt: Attempt): Row {
  const { team, challengeId, result, details, relatedId, createdAt } = attempt
  const challenge = world.challenges.get(challengeId)
  const cheatedFromId = typeof details['cheatedFrom'] === 'string' ? details['cheatedFrom'] : null
  const isVisit = ['queued', 'active_job', 'invalid_input', 'bad_instancer_state'].includes(result)
  return {
    id: world.nextId('submission'),
    kind: isVisit ? 'admin_bot' : 'flag',
    challengeId,
    challengeName: challenge?.name ?? challengeId,
    challengeCategory: challenge?.category ?? 'deleted',
    userId: team.id,
    userName: team.name,
    userDivision: team.division,
    userAvatarUrl: team.avatarUrl,
    userCountryCode: team.countryCode,
    userStatusText: team.statusText,
    userBanned: team.banned,
    ip: `203.0.113.${(team.name.length * 37 + challengeId.length) % 250}`,
    result,
    details,
    cheatedFromId,
    cheatedFromName: cheatedFromId && (world.teams.get(cheatedFromId)?.name ?? cheatedFromId),
    relatedId,
    createdAt: new Date(createdAt).toISOString(),
  }
}

/** The newest solves, some with wrong attempts before them, newest first. */
export function auditOf(world: World): Row[] {
  const chance = createChance(5)
  const attempts: Attempt[] = []
  for (const solve of world.solves.slice(-MOST_ROWS / 2)) {
    const team = world.teams.get(solve.teamId)
    if (!team) continue
    const { challengeId, createdAt } = solve
    const flag = world.challenges.get(challengeId)?.flag ?? ''
    const cheated = team.id === 'team-banned' && chance() < 0.5 ? { cheatedFrom: 'team-rival' } : {}
    const right = { submittedFlag: flag, ...cheated }
    if (chance() < 0.6)
      attempts.push({
        team,
        challengeId,
        result: 'incorrect',
        details: { submittedFlag: WRONG[Math.floor(chance() * WRONG.length)] },
        relatedId: null,
        createdAt: createdAt - Math.floor(chance() * 240_000) - 1,
      })
    attempts.push({ team, challengeId, result: 'correct', details: right, relatedId: solve.id, createdAt })
  }
  for (const { teamId, challengeId, createdAt, id } of world.jobs) {
    const team = world.teams.get(teamId)
    if (!team) continue
    const details = { inputs: { url: 'https://example.org/x' }, configRevision: 'c0ffee42' }
    attempts.push({ team, challengeId, result: 'queued', details, relatedId: id, createdAt })
  }
  return attempts
    .sort((left, right) => left.createdAt - right.createdAt)
    .map((attempt) => auditRow(world, attempt))
    .toReversed()
}
