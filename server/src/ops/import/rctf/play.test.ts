import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addContest, at, challenge, openMove, solve, type Moved } from '../../../../test/import/rctf-rows.ts'
import { codesOf, lossesOf } from '../../../../test/import/target.ts'

describe('play and files of rCTF 2', () => {
  let moved: Moved
  beforeEach(async () => {
    moved = await openMove('v2')
  })
  afterEach(() => moved[Symbol.asyncDispose]())

  const contest = () => addContest(moved.source)

  test('7: negative pushed points count, events of deleted teams do not, and cheated is a solve', async () => {
    await contest()
    await moved.source.add(
      'solves',
      solve('live', 't1', { source: 'feed', points: -30, createdat: at('11:00:00') }),
      solve('live', 't2', { source: 'feed', points: 50, createdat: at('11:01:00') }),
    )
    await moved.source.add(
      'score_events',
      {
        id: 'e1',
        challengeid: 'live',
        userid: 't1',
        points_delta: -10,
        event_at: at('11:00:00'),
        source: 'feed',
      },
      {
        id: 'e2',
        challengeid: 'live',
        userid: 't1',
        points_delta: -20,
        event_at: at('11:05:00'),
        source: 'feed',
      },
      {
        id: 'e3',
        challengeid: 'live',
        userid: null,
        points_delta: 8,
        event_at: at('11:05:00'),
        source: 'feed',
      },
      {
        id: 'e4',
        challengeid: 'live',
        userid: 't4',
        points_delta: 5,
        event_at: at('11:05:00'),
        source: 'feed',
      },
    )
    const cheated = solve('b', 't1', { submissionip: '203.0.113.4' })
    await moved.source.add('solves', cheated)
    await moved.source.add('submission_logs', {
      id: randomUUID(),
      kind: 'flag',
      challenge_id: 'b',
      user_id: 't1',
      ip: '203.0.113.4',
      result: 'cheated',
      details: { submittedFlag: 'x', cheatedFrom: 't2' },
      related_id: cheated.id,
      created_at: at('11:30:00'),
    })
    const result = await moved.fromLive()
    expect(lossesOf(result)).toEqual([])
    expect(codesOf(result)).toContain('note feed-events')
    expect(
      await moved.target.rows('select team_id, points, delta::int from feed_scores order by team_id'),
    ).toEqual([
      { team_id: 't1', points: -30, delta: -20 },
      { team_id: 't2', points: 50, delta: 50 },
    ])
    expect(
      await moved.target.rows(
        `select result, details ->> 'cheatedFrom' as whose from submissions where challenge_id = 'b' and team_id = 't1'`,
      ),
    ).toEqual([{ result: 'correct', whose: 't2' }])
  })

  test('10: files are found by their digest, whatever origin the link has, and a changed file is not imported', async () => {
    const folder = join(moved.target.folder, 'source')
    const bytes = Buffer.from('handout')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await mkdir(join(folder, sha256), { recursive: true })
    for (const name of ['a+b.zip', 'a b.zip']) await writeFile(join(folder, sha256, name), bytes)
    const wrong = 'f'.repeat(64)
    await mkdir(join(folder, wrong))
    await writeFile(join(folder, wrong, 'x.txt'), 'other')
    const url = `https://old.example/uploads/${sha256}/a%2Bb.zip`
    await moved.source.add(
      'challenges',
      challenge('a', {
        description: `see [it](/uploads/${sha256}/a%20b.zip) and https://old.example/rules`,
        files: [
          { name: 'a+b.zip', url, size: 7 },
          { name: 'x', url: `/uploads/${wrong}/x.txt`, size: 5 },
          { name: 'gone', url: `/uploads/${'e'.repeat(64)}/gone`, size: 1 },
        ],
      }),
    )
    const result = await moved.fromLive({ folder })
    expect(lossesOf(result)).toEqual(['loss changed-files', 'loss missing-files'])
    const [row] = await moved.target.rows<{ description: string; files: { url: string }[] }>(
      'select description, files from challenges',
    )
    expect(row?.description).toBe(`see [it](/uploads/${sha256}/a%20b.zip) and https://old.example/rules`)
    expect(row?.files[0]?.url).toBe(`/uploads/${sha256}/a%2Bb.zip`)
    for (const name of ['a+b.zip', 'a b.zip'])
      expect(await readFile(join(moved.target.folder, 'uploads', sha256, name), 'utf8')).toBe('handout')
  })

  test('10: without their content the links stay, as a loss', async () => {
    await moved.source.add(
      'challenges',
      challenge('a', {
        files: [{ name: 'x', url: `https://bucket.example/uploads/${'a'.repeat(64)}/x`, size: 5 }],
      }),
    )
    const result = await moved.fromLive()
    expect(codesOf(result)).toContain('loss file-links')
    const [row] = await moved.target.rows<{ files: { url: string }[] }>('select files from challenges')
    expect(row?.files[0]?.url).toBe(`https://bucket.example/uploads/${'a'.repeat(64)}/x`)
  })

  test('the audit, minted flags, jobs, registrations and clients are imported', async () => {
    await contest()
    await moved.source.add(
      'submission_logs',
      {
        id: randomUUID(),
        kind: 'flag',
        challenge_id: 'a',
        user_id: 't1',
        ip: 'unknown',
        result: 'incorrect',
        details: { submittedFlag: 'no' },
        created_at: at('11:10:00'),
      },
      {
        id: 'odd-id',
        kind: 'admin_bot',
        challenge_id: 'b',
        user_id: 't2',
        ip: '203.0.113.7',
        result: 'queued',
        details: { inputs: {} },
        related_id: 'j1',
        created_at: at('11:10:00'),
      },
    )
    await moved.source.add('dynamic_flags', {
      challenge_id: 'a',
      user_id: 't1',
      base: 'flag{b}',
      flag: 'flag{b_1}',
    })
    await moved.source.add('admin_bot_jobs', {
      id: 'j1',
      challenge_id: 'a',
      user_id: 't1',
      status: 'running',
      config_revision: 'r',
      flags: [{ provider: 'flags/static', flag: 'f' }].map((each) => each) as unknown as object,
      inputs: { url: 'u' },
      instancer_instances: [] as unknown as object,
      timeout_ms: 1000,
      logs: 'log',
    })
    await moved.source.add(
      'pending_user_verifications',
      {
        id: 'p1',
        token: 't',
        name: 'New',
        email: 'new@x.example',
        division: 'open',
        expires_at: '2030-05-03 00:00:00+00',
      },
      {
        id: 'p2',
        token: 'u',
        name: 'Old',
        email: 'old@x.example',
        division: 'open',
        expires_at: '2030-05-01 00:00:00+00',
      },
    )
    await moved.source.add('external_auth_clients', {
      id: 'c1',
      name: 'Wiki',
      redirect_uri: 'https://wiki.example/cb',
      secret_hash: '$argon2id$secret',
      created_by: 't1',
    })
    const result = await moved.fromLive()
    expect(result.counts).toMatchObject({
      submissions: 7,
      dynamicFlags: 1,
      botJobs: 1,
      pending: 1,
      clients: 1,
    })
    expect(codesOf(result)).toEqual(
      expect.arrayContaining(['loss clientSecrets', 'note bot-jobs', 'note pending']),
    )
    expect(JSON.stringify(result.findings)).not.toContain('argon2id')
    expect(
      await moved.target.rows(`select status, logs from admin_bot_jobs join admin_bot_logs on job_id = id`),
    ).toEqual([{ status: 'failed', logs: 'log' }])
    expect(
      await moved.target.rows(`select kind, result, related_id from submissions where kind = 'admin_bot'`),
    ).toEqual([{ kind: 'admin_bot', result: 'queued', related_id: 'j1' }])
  })
})
