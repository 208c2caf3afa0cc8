import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  addContest,
  at,
  challenge,
  openMove,
  reader,
  solve,
  team,
  type Moved,
} from '../../../../test/import/rctf-rows.ts'
import { codesOf, openTarget } from '../../../../test/import/target.ts'
import { noon } from '../../../../test/harness.ts'
import { openDump } from './dump.ts'
import { openLive } from './live.ts'

describe('rCTF 2', () => {
  let moved: Moved
  beforeEach(async () => {
    moved = await openMove('v2')
  })
  afterEach(() => moved[Symbol.asyncDispose]())

  const contest = () => addContest(moved.source)

  test('a whole contest has the standings of its source, from a database and from each kind of dump', async () => {
    await contest()
    await moved.source.add(
      'solves',
      solve('live', 't4', { source: 'feed', points: 70, createdat: at('11:00:00') }),
    )
    await moved.source.add(
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
    const live = await moved.fromLive()
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
    const teams = await moved.target.rows<{ created_at: Date; banned: boolean; perms: number }>(rows)
    expect(teams[0]).toMatchObject({ id: 't1', perms: 63, country_code: 'DE', status_text: 'hi' })
    expect(teams[3]).toMatchObject({ email: null, extrank_id: '77' })

    const text = await moved.source.dump()
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
    await moved.source.add('solves', solve('gone', 't1'))
    await moved.source.query(`update users set division = 'alumni' where id = 't4'`)
    const refused = await moved.fromLive()
    expect(refused.outcome).toBe('has problems')
    expect(refused.findings.find(({ code }) => code === 'divisions')?.examples).toEqual(['alumni'])
    expect(await moved.target.rows('select from teams')).toEqual([])
    const result = await moved.fromLive({ mapped: new Map([['alumni', 'open']]) })
    expect(codesOf(result)).toContain('loss deleted-challenges')
    expect(result.counts?.solves).toBe(5)
  })

  test('2: names and addresses that break the rules are reported and kept', async () => {
    await moved.source.add(
      'users',
      team('t1', { name: 'Ünïcode', email: 'Not An Address' }),
      team('t2', { name: 'x' }),
    )
    const result = await moved.fromLive()
    expect(codesOf(result)).toEqual(expect.arrayContaining(['note team-names', 'note team-emails']))
    expect(await moved.target.rows(`select name, email from teams where id = 't1'`)).toEqual([
      { name: 'Ünïcode', email: 'Not An Address' },
    ])
  })

  test('names that differ only in spaces are reported and kept; no new team can take them', async () => {
    await moved.source.add('users', team('t1', { name: 'Two words' }), team('t2', { name: 'two  words' }))
    expect(codesOf(await moved.fromLive())).toContain('note similar-names')
    expect(await moved.target.rows('select name, namesake from teams order by id')).toEqual([
      { name: 'Two words', namesake: 0 },
      { name: 'two  words', namesake: 1 },
    ])
    await expect(
      moved.target.rows(`update teams set name = 'TWO   words' where id = 't2' returning id`),
    ).rejects.toThrow('teams_name_key')
  })

  test('2: names that differ only by case are refused by the database, with the name', async () => {
    await moved.source.add('users', team('t1', { name: 'ÄÖ' }), team('t2', { name: 'äö' }))
    const result = await moved.fromLive()
    expect(result.outcome).toBe('has problems')
    expect(result.findings.find(({ code }) => code === 'rows')?.examples[0]).toContain('äö')
  })

  test('3: absent keys have the defaults of rCTF, and the list of flags wins', async () => {
    await moved.source.add(
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
    const result = await moved.fromLive()
    expect(result.findings.find(({ code }) => code === 'challenge-keys')?.examples).toEqual(['managedBy'])
    const rows = await moved.target.rows<{ id: string }>(
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
    await moved.source.add('users', team('t1'), team('t2'))
    await moved.source.add('challenges', challenge('a'))
    const [low, high] = [randomUUID(), randomUUID()].sort() as [string, string]
    await moved.source.add(
      'solves',
      { ...solve('a', 't1', { createdat: at('11:30:00.000900') }), id: low },
      { ...solve('a', 't2', { createdat: at('11:30:00.000100') }), id: high },
    )
    await moved.source.add('submission_logs', {
      id: randomUUID(),
      kind: 'flag',
      challenge_id: 'a',
      user_id: 't2',
      ip: '203.0.113.1',
      result: 'correct',
      related_id: high,
      created_at: at('11:30:00.000100'),
    })
    await moved.fromLive()
    expect(
      await moved.target.rows(
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
    await moved.source.add('settings', {
      id: 'value-0',
      data: {
        endTime,
        ctfName: 'From settings',
        sponsors: [{ name: 's', description: 'd', icon: 'i', iconLight: 'l' }],
      },
    })
    const result = await moved.fromLive({
      config: {
        ctfName: 'From file',
        homeContent: '# Hi',
        startTime: endTime - 3_600_000,
        endTime: noon,
        tokenKey: 'x',
      },
    })
    expect(codesOf(result).filter((code) => !code.startsWith('note'))).toEqual(['loss sponsorIcons'])
    expect(await moved.target.rows('select data from settings')).toEqual([
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
    await moved.source.query(
      `update users set score = 12345, global_rank = 1 where id = 't2'; update challenges set score = 7, solve_count = 99; update solves set points = 3`,
    )
    const result = await moved.fromLive()
    expect(codesOf(result).filter((code) => !code.startsWith('note'))).toEqual([])
  })

  test('11: permissions come along and the plan names their teams', async () => {
    await contest()
    const result = await moved.fromLive()
    expect(result.findings.find(({ code }) => code === 'admins')?.examples).toEqual(['Team t1 (t1): 63'])
  })

  test('40: a second import is refused, a failed one and a plan leave the contest as it was', async () => {
    await contest()
    await using tables = await openLive(moved.source.url)
    const plan = await moved.target.run(reader(tables), { isPlan: true })
    expect({ outcome: plan.outcome, solves: plan.counts?.solves }).toEqual({ outcome: 'planned', solves: 5 })
    expect(await moved.target.rows('select from teams')).toEqual([])
    await moved.source.add('solves', solve('gone', 't1'))
    await using changed = await openLive(moved.source.url)
    expect((await moved.target.run(reader(changed), { acceptsLoss: false })).outcome).toBe('loses something')
    expect(await moved.target.rows('select from teams union all select from changes')).toEqual([])
    expect((await moved.target.run(reader(changed))).outcome).toBe('imported')
    await expect(moved.target.run(reader(changed))).rejects.toThrow(
      /^This contest has 3 teams.*rCTF v2 was imported into this contest on .* cannot be imported twice/,
    )
  })
})
