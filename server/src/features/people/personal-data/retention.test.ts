import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { DAY_MS } from '@pennant/contract/durations.ts'
import { startMessageThread } from '@pennant/contract/messages.ts'
import * as contract from '@pennant/contract/personal-data.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { putChallenge, putSettings } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { noon, startContest } from '../../../../test/harness.ts'
import { recordLog } from '../../../../test/log.ts'
import { personIn } from '../../../../test/people.ts'
import { everything, verified } from '../../../../test/personal-data.ts'
import { addToOutbox } from '../../../db/outbox.ts'
import { retentionJob } from './retention.ts'
import { retentionOf } from './rules.ts'

describe('the erasure after the event', () => {
  const DUE = noon + 50 * DAY_MS

  test('erases once what is older, in the order of the list, and leaves one entry', async () => {
    await using later = await startContest()
    const { db } = later
    await putChallenge(db, challengeRow('c1'))
    const organiser = await later.admin()
    const team = await later.team('Kept name')
    await db.query(sql`update teams set email = 'team@kept.test' where id = ${team.id}`)
    const person = await personIn(later, team.id, { name: 'Ida', email: 'ida@kept.test' })
    await later.call(submitFlag, { token: person.token, params: { id: 'c1' }, body: { flag: 'flag{x}' } })
    await db.query(sql`insert into members (id, team_id, email) values ('m', ${team.id}, 'm@kept.test')`)
    await db.query(addToOutbox('mail', { kind: 'refused', to: 'waits@kept.test', reason: 'x' }))
    await later.call(startMessageThread, {
      token: team.token,
      body: { subject: 'About me', content: 'My phone number' },
    })
    await later.call(updateSettings, {
      token: organiser.token,
      body: { data: { privacy: { eraseAt: DUE, controller: 'The club' } } },
    })
    const { log } = recordLog()
    const job = retentionJob({
      db,
      log,
      now: () => later.clock.now(),
      retention: () => retentionOf({ startTime: noon, endTime: noon + DAY_MS }, later.world().settings),
    })
    const run = () => job.run(new AbortController().signal)
    await run()
    expect(await everything(db)).toContain('ida@kept.test')
    const record = () => later.call(contract.readProcessingRecord, { token: organiser.token })
    later.clock.advance(DUE + DAY_MS - noon)
    const preview = await record()
    expect(preview).toMatchObject({
      data: { controller: 'The club', retention: { run: null, preview: { persons: 1, members: 1 } } },
    })
    await run()
    const text = await everything(db)
    for (const gone of ['@kept.test', '127.0.0.1']) expect(text).not.toContain(gone)
    expect(text).toContain('My phone number')
    expect(text).toContain('Kept name')
    await run()
    const entries = await db.query<{ after: Record<string, number> }>(
      sql`select after from admin_actions where action = 'personal-data.erase'`,
    )
    expect(entries).toMatchObject([
      { after: { persons: 1, members: 1, teams: 1, solves: 1, submissions: 1 } },
    ])
    expect(await record()).toMatchObject({ data: { retention: { run: { counts: { persons: 1 } } } } })
    expect(await verified(later.database.url)).toEqual([])
    expect(later.world().team(team.id)?.email).toBeNull()
  })

  test('erases messages if organisers chose so, in as many batches as it takes', async () => {
    await using later = await startContest()
    const { db } = later
    const team = await later.team('Many')
    await db.query(sql`
      insert into submissions (id, kind, challenge_id, team_id, ip, result, details, created_at)
      select gen_random_uuid(), 'flag', 'x', ${team.id}, '192.0.2.9', 'incorrect', '{}', now() - interval '1 day'
      from generate_series(1, 4500)`)
    await later.call(startMessageThread, { token: team.token, body: { subject: 'Mine', content: 'Phone' } })
    await putSettings(db, { privacy: { eraseAt: Date.now() + 40 * 365 * DAY_MS, eraseMessages: true } })
    const rules = retentionOf({ startTime: 0, endTime: 0 }, later.world().settings)
    const { log } = recordLog()
    const deps = { db, log, now: () => Date.now() + 50 * 365 * DAY_MS, retention: () => rules }
    const stopped = new AbortController()
    stopped.abort()
    await retentionJob(deps).run(stopped.signal)
    await retentionJob(deps).run(new AbortController().signal)
    const text = await everything(db)
    expect(text).not.toContain('192.0.2.9')
    expect(text).not.toContain('Phone')
    const [done] = await db.query<{ counts: object }>(sql`select counts from retention_runs`)
    expect(done).toMatchObject({ counts: { submissions: 4500, message_threads: 1 } })
  })

  test('is due at a time or days after the end, but never before the end', () => {
    const defaults = { startTime: noon, endTime: noon + DAY_MS }
    const at = (privacy: object, stored = {}) => retentionOf({ ...defaults, privacy }, stored).eraseAt
    expect(at({})).toBeNull()
    expect(at({ eraseAfterDays: 30 })).toBe(noon + 31 * DAY_MS)
    expect(at({ eraseAt: noon })).toBe(noon + DAY_MS)
    expect(at({ eraseAfterDays: 30 }, { privacy: { eraseAt: DUE } })).toBe(DUE)
    expect(at({ eraseAt: DUE }, { privacy: { eraseAfterDays: 1 } })).toBe(noon + 2 * DAY_MS)
    expect(
      retentionOf({ startTime: Infinity, endTime: Infinity, privacy: { eraseAfterDays: 1 } }, {}).eraseAt,
    ).toBeNull()
  })
})
