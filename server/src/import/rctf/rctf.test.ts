import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addContest, at, challenge, reader, solve, team, type Given } from '../../../test/import/rctf-rows.ts'
import { createRctfSource, type RctfSource } from '../../../test/import/rctf-source.ts'
import { codesOf, openTarget, type Target } from '../../../test/import/target.ts'
import { noon } from '../../../test/harness.ts'
import { openDump } from './dump.ts'
import { openLive } from './live.ts'

describe('rCTF 2', () => {
  let source: RctfSource
  let target: Target
  beforeEach(async () => {
    source = await createRctfSource('v2')
    target = await openTarget()
  })
  afterEach(async () => {
    await source[Symbol.asyncDispose]()
    await target[Symbol.asyncDispose]()
  })

  async function fromLive(given?: Given) {
    await using tables = await openLive(source.url)
    return await target.run(reader(tables, given))
  }

  const contest = () => addContest(source)

  test('a whole contest has the standings of its source, from a database and from each kind of dump', async () => {
    await contest()
    await source.add('solves', solve('live', 't4', { source: 'feed', points: 70, createdat: at('11:00:00') }))
    await source.add(
      'score_events',
      {
        id: 'e1',
        challengeid: 'live',
        userid: 't4',
        points_delta: 70,
        event_at: at('11:00:00'),
        source: 'feed',
      },
      { id: 'e2', challengeid: 'a', userid: 't1', points_delta: 5, source: 'decay-recompute' },
    )
    const live = await fromLive()
    expect(live.outcome).toBe('imported')
    expect(codesOf(live).filter((code) => !code.startsWith('note'))).toEqual([])
    expect(live.counts).toMatchObject({
      teams: 4,
      members: 1,
      challenges: 4,
      solves: 5,
      pushedScores: 1,
      submissions: 5,
    })
    const rows = `select id, name, email, division, perms, banned, extrank_id, country_code, status_text, created_at from teams order by id`
    const teams = await target.rows<{ created_at: Date; banned: boolean; perms: number }>(rows)
    expect(teams[0]).toMatchObject({ id: 't1', perms: 63, country_code: 'DE', status_text: 'hi' })
    expect(teams[3]).toMatchObject({ email: null, extrank_id: '77' })

    const text = await source.dump()
    for (const [name, bytes] of [
      ['plain.sql', Buffer.from(text)],
      ['packed.sql.gz', gzipSync(text)],
      ['windows.sql', Buffer.from(text.replaceAll('\n', '\r\n'))],
    ] as const) {
      await using other = await openTarget()
      const path = join(other.folder, name)
      await writeFile(path, bytes)
      await using tables = await openDump(path)
      const result = await other.run(reader(tables))
      expect({ name, counts: result.counts }).toEqual({ name, counts: live.counts })
      expect(await other.rows(rows)).toEqual(teams)
    }
  })

  test('1: solves of deleted challenges are reported, unknown divisions are a problem until they are mapped', async () => {
    await contest()
    await source.add('solves', solve('gone', 't1'))
    await source.query(`update users set division = 'alumni' where id = 't4'`)
    const refused = await fromLive()
    expect(refused.outcome).toBe('has problems')
    expect(refused.findings.find(({ code }) => code === 'divisions')?.examples).toEqual(['alumni'])
    expect(await target.rows('select from teams')).toEqual([])
    const result = await fromLive({ mapped: new Map([['alumni', 'open']]) })
    expect(codesOf(result)).toContain('loss deleted-challenges')
    expect(result.counts?.solves).toBe(5)
  })

  test('2: names and addresses that break the rules are reported and kept', async () => {
    await source.add(
      'users',
      team('t1', { name: 'Ünïcode', email: 'Not An Address' }),
      team('t2', { name: 'x' }),
    )
    const result = await fromLive()
    expect(codesOf(result)).toEqual(expect.arrayContaining(['note team-names', 'note team-emails']))
    expect(await target.rows(`select name, email from teams where id = 't1'`)).toEqual([
      { name: 'Ünïcode', email: 'Not An Address' },
    ])
  })

  test('2: names that differ only by case are refused by the database, with the name', async () => {
    await source.add('users', team('t1', { name: 'ÄÖ' }), team('t2', { name: 'äö' }))
    const result = await fromLive()
    expect(result.outcome).toBe('has problems')
    expect(result.findings.find(({ code }) => code === 'rows')?.examples[0]).toContain('äö')
  })

  test('3: absent keys have the defaults of rCTF, and the list of flags wins', async () => {
    await source.add(
      'challenges',
      { id: 'bare', data: {} },
      {
        id: 'old',
        data: {
          flag: 'flag{old}',
          managedBy: 'rcds',
          files: [{ name: 'x', url: 'https://elsewhere.example/x', size: -1 }],
        },
      },
      { id: 'both', data: { flag: 'flag{no}', flags: [{ config: { flag: 'flag{yes}' } }] } },
      { id: 'none', data: { flag: '' } },
    )
    const result = await fromLive()
    expect(result.findings.find(({ code }) => code === 'challenge-keys')?.examples).toEqual(['managedBy'])
    const rows = await target.rows<{ id: string }>(
      'select id, flags, files, tiebreak_eligible as tie, hidden, scoring_kind as kind from challenges order by id',
    )
    const defaults = { tie: true, hidden: false, kind: 'decay' }
    expect(rows).toEqual([
      { id: 'bare', flags: [], files: [], ...defaults },
      {
        id: 'both',
        flags: [{ provider: 'flags/static', config: { flag: 'flag{yes}' } }],
        files: [],
        ...defaults,
      },
      { id: 'none', flags: [], files: [], ...defaults },
      {
        id: 'old',
        flags: [{ provider: 'flags/static', config: { flag: 'flag{old}' } }],
        files: [{ name: 'x', url: 'https://elsewhere.example/x', size: null }],
        ...defaults,
      },
    ])
  })

  test('4: microseconds stay, and decide the first blood within a millisecond', async () => {
    await source.add('users', team('t1'), team('t2'))
    await source.add('challenges', challenge('a'))
    const [low, high] = [randomUUID(), randomUUID()].sort() as [string, string]
    await source.add(
      'solves',
      { ...solve('a', 't1', { createdat: at('11:30:00.000900') }), id: low },
      { ...solve('a', 't2', { createdat: at('11:30:00.000100') }), id: high },
    )
    await source.add('submission_logs', {
      id: randomUUID(),
      kind: 'flag',
      challenge_id: 'a',
      user_id: 't2',
      ip: '203.0.113.1',
      result: 'correct',
      related_id: high,
      created_at: at('11:30:00.000100'),
    })
    await fromLive()
    expect(
      await target.rows(
        `select team_id, id, extract(microseconds from created_at)::int as micros, ip from solves order by id`,
      ),
    ).toEqual([
      { team_id: 't2', id: low, micros: 100, ip: '203.0.113.1' },
      { team_id: 't1', id: high, micros: 900, ip: 'unknown' },
    ])
  })

  test('5: settings override the configuration; solves after the end stay and do not count', async () => {
    await contest()
    const endTime = Date.UTC(2030, 4, 2, 11, 31)
    await source.add('settings', {
      id: 'value-0',
      data: {
        endTime,
        ctfName: 'From settings',
        sponsors: [{ name: 's', description: 'd', icon: 'i', iconLight: 'l' }],
      },
    })
    const result = await fromLive({
      config: {
        ctfName: 'From file',
        homeContent: '# Hi',
        startTime: endTime - 3_600_000,
        endTime: noon,
        tokenKey: 'x',
      },
    })
    expect(codesOf(result).filter((code) => !code.startsWith('note'))).toEqual(['loss sponsorIcons'])
    expect(await target.rows('select data from settings')).toEqual([
      {
        data: {
          ctfName: 'From settings',
          homeContent: '# Hi',
          startTime: endTime - 3_600_000,
          endTime,
          sponsors: [{ name: 's', description: 'd', icon: 'l' }],
        },
      },
    ])
    expect(result.counts?.solves).toBe(5)
  })

  test('6: stored scores and ranks are not read', async () => {
    await contest()
    await source.query(
      `update users set score = 12345, global_rank = 1 where id = 't2'; update challenges set score = 7, solve_count = 99; update solves set points = 3`,
    )
    const result = await fromLive()
    expect(codesOf(result).filter((code) => !code.startsWith('note'))).toEqual([])
  })

  test('11: permissions come along and the plan names their teams', async () => {
    await contest()
    const result = await fromLive()
    expect(result.findings.find(({ code }) => code === 'admins')?.examples).toEqual(['Team t1 (t1): 63'])
  })

  test('40: a second import is refused, a failed one and a plan leave the contest as it was', async () => {
    await contest()
    await using tables = await openLive(source.url)
    const plan = await target.run(reader(tables), { isPlan: true })
    expect({ outcome: plan.outcome, solves: plan.counts?.solves }).toEqual({ outcome: 'planned', solves: 5 })
    expect(await target.rows('select from teams')).toEqual([])
    await source.add('solves', solve('gone', 't1'))
    await using changed = await openLive(source.url)
    expect((await target.run(reader(changed), { acceptsLoss: false })).outcome).toBe('loses something')
    expect(await target.rows('select from teams union all select from changes')).toEqual([])
    expect((await target.run(reader(changed))).outcome).toBe('imported')
    await expect(target.run(reader(changed))).rejects.toThrow(
      /^This contest has 3 teams.*rCTF v2 was imported into this contest on .* cannot be imported twice/,
    )
  })
})
