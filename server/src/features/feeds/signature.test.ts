import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startContest, type Contest } from '../../../test/harness.ts'
import { hmac, pushRaw, pushSecret, putDynamic, type RawPush } from '../../../test/pushes.ts'
import { putChallenge } from '../../../test/contest-data.ts'
import { challengeRow } from '../../../test/contest-rows.ts'

let contest: Contest
beforeAll(async () => {
  contest = await startContest()
  await putDynamic(contest, 'hill')
  await putDynamic(contest, 'other-hill')
  await putDynamic(contest, 'open', { secret: '' })
  await putDynamic(contest, 'none', { secret: null })
  await putChallenge(contest.db, challengeRow('classic'))
})
afterAll(() => contest[Symbol.asyncDispose]())

const empty = '{"scores":[]}'
const send = async (push: Partial<RawPush>, id = 'hill') =>
  (await pushRaw(contest, id, { body: empty, ...push })).kind
const at = (skew: number) => String(contest.clock.now() + skew)

describe('the signature of a push', () => {
  test('is the lower-case hex of the HMAC over timestamp and raw body', async () => {
    expect(await send({})).toBe('goodDynamicScores')
    const timestamp = at(0)
    const digest = hmac(empty, `${timestamp}.`)
    for (const signature of [
      digest,
      `sha256=${digest.toUpperCase()}`,
      `SHA256=${digest}`,
      `sha256= ${digest}`,
      `sha256=${digest}0`,
      `sha256=${digest.slice(0, -1)}`,
      `sha1=${digest}`,
      `sha256=${hmac(empty, `${timestamp}.`, 'another secret')}`,
      `sha256=${hmac(empty, timestamp)}`,
      `sha256=${'0'.repeat(64)}`,
      `sha256=${'é'.repeat(32)}`,
      'sha256=',
      '',
    ]) {
      expect([signature, await send({ timestamp, signature })]).toEqual([signature, 'badSignature'])
    }
  })

  test('covers the bytes as they are: another order of keys or a space more is another body', async () => {
    const timestamp = at(0)
    const body = '{"scores":[{"userId":"x","points":1}]}'
    const signature = `sha256=${hmac(body, `${timestamp}.`)}`
    for (const other of [
      '{"scores":[{"points":1,"userId":"x"}]}',
      '{"scores": [{"userId":"x","points":1}]}',
      `${body}\n`,
      `\uFEFF${body}`,
    ]) {
      expect(await send({ timestamp, signature, body: other })).toBe('badSignature')
    }
    expect(await send({ timestamp, signature, body })).toBe('goodDynamicScores')
    const spaced = ' { "also": null , "scores" :\t[ ] }\r\n'
    expect(await send({ body: spaced })).toBe('goodDynamicScores')
  })

  test('may name the challenge as well, and is then good for no other', async () => {
    const timestamp = at(0)
    const body = '{"scores":[],"bound":true}'
    const signature = `sha256=${hmac(body, `${timestamp}.hill.`)}`
    expect(await send({ timestamp, signature, body }, 'other-hill')).toBe('badSignature')
    expect(await send({ timestamp, signature, body })).toBe('goodDynamicScores')
  })

  test('is checked before anything is read out of the body', async () => {
    for (const body of ['', '{', '[]', '{"scores":7}']) {
      expect(await send({ body, signature: 'sha256=00' })).toBe('badSignature')
    }
    expect(await send({ headers: { 'content-encoding': 'gzip' }, signature: 'sha256=00' })).toBe(
      'badSignature',
    )
  })
})

describe('the timestamp of a push', () => {
  test('may be five minutes off, either way', async () => {
    for (const [skew, kind] of [
      [300_000, 'goodDynamicScores'],
      [-300_000, 'goodDynamicScores'],
      [300_001, 'badSignature'],
      [-300_001, 'badSignature'],
    ] as const) {
      expect([skew, await send({ timestamp: at(skew) })]).toEqual([skew, kind])
    }
  })

  test('is digits alone', async () => {
    const now = contest.clock.now()
    for (const timestamp of [
      '',
      'now',
      `${now}.0`,
      `+${now}`,
      `-${now}`,
      `0x${now.toString(16)}`,
      `${now / 1000}e3`,
      `${now}, ${now}`,
      '9'.repeat(400),
      new Date(now).toISOString(),
    ]) {
      expect([timestamp, await send({ timestamp })]).toEqual([timestamp, 'badSignature'])
    }
    expect(await send({ timestamp: `00${now}` })).toBe('goodDynamicScores')
  })
})

describe('refusals', () => {
  test('are the same bytes, whatever was wrong', async () => {
    const answers = [
      await pushRaw(contest, 'unknown', { body: empty }),
      await pushRaw(contest, 'classic', { body: empty }),
      await pushRaw(contest, 'x'.repeat(300), { body: empty }),
      await pushRaw(contest, 'open', { body: empty, signature: `sha256=${hmac(empty, `${at(0)}.`, '')}` }),
      await pushRaw(contest, 'none', { body: empty }),
      await pushRaw(contest, 'hill', { body: empty, timestamp: null }),
      await pushRaw(contest, 'hill', { body: empty, signature: null }),
      await pushRaw(contest, 'hill', { body: empty, timestamp: '0' }),
      await pushRaw(contest, 'hill', { body: empty, signature: 'sha256=00' }),
    ]
    // A head that is refused alone ends the connection instead of reading the body, whatever the challenge.
    const ofAnswer = (head: [string, string][]) =>
      head.filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
    const [first] = answers
    for (const { status, text, head } of answers) {
      expect([status, text, ofAnswer(head)]).toEqual([401, first?.text, ofAnswer(first?.head ?? [])])
    }
  })

  test('of bytes that no JSON is made of come after the signature', async () => {
    for (const body of [
      '',
      'scores',
      '{',
      '{"scores":[]',
      Buffer.from([0x7b, 0xff, 0x7d]),
      Buffer.from('\0'),
    ]) {
      expect(await send({ body })).toBe('badJson')
    }
    // The signature is over the compressed bytes, which nobody unpacks.
    expect(await send({ headers: { 'content-encoding': 'gzip' } })).toBe('badJson')
    expect(await send({ headers: { 'content-encoding': 'identity', 'content-type': 'text/plain' } })).toBe(
      'goodDynamicScores',
    )
  })

  test.each([
    ['body::', '[]'],
    ['body::', 'null'],
    ['body:scores:', '{}'],
    ['body:scores:', '{"scores":null}'],
    ['body:scores:', '{"scores":{}}'],
    ['body:scores.0:', '{"scores":[7]}'],
    ['body:scores.0.userId:', '{"scores":[{"points":1}]}'],
    ['body:scores.0.userId:', '{"scores":[{"userId":7,"points":1}]}'],
    ['body:scores.0.userId:', String.raw`{"scores":[{"userId":"a\u0000","points":1}]}`],
    ['body:scores.0.userId:', String.raw`{"scores":[{"userId":"\ud800","points":1}]}`],
    ['body:scores.0.points:', '{"scores":[{"userId":"a"}]}'],
    ['body:scores.1.points:', '{"scores":[{"userId":"a","points":1},{"userId":"b","points":1.5}]}'],
    ['body:scores.0.points:', '{"scores":[{"userId":"a","points":"1"}]}'],
    ['body:scores.0.points:', '{"scores":[{"userId":"a","points":2147483648}]}'],
    ['body:scores.0.points:', '{"scores":[{"userId":"a","points":-2147483649}]}'],
    ['body:scores.0.points:', '{"scores":[{"userId":"a","points":1e309}]}'],
    ['body:scores.0.points:', '{"scores":[{"userId":"a","points":null}]}'],
  ])('name %s for %s', async (reason, body) => {
    const { kind, data } = await pushRaw(contest, 'hill', { body })
    expect([kind, data?.reason.split(' ')[0]]).toEqual(['badBody', reason])
  })

  test('of too long a body come before the signature could be known, and after all that the head tells', async () => {
    const body = Buffer.alloc(8 * 1024 * 1024 + 1, 0x20)
    const long = { body, signature: 'sha256=00' }
    const { kind, data } = await pushRaw(contest, 'hill', long)
    expect([kind, data]).toEqual(['badBodySize', { maxSize: 8 * 1024 * 1024 }])
    expect(await send({ ...long, timestamp: '0' })).toBe('badSignature')
    expect(await send(long, 'unknown')).toBe('badSignature')
    const fits = Buffer.concat([Buffer.from(empty), Buffer.alloc(8 * 1024 * 1024 - empty.length, 0x20)])
    expect(await send({ body: fits })).toBe('goodDynamicScores')
  })
})

test('no secret and no signature is in the log', () => {
  expect(JSON.stringify(contest.logLines)).not.toMatch(new RegExp(`${pushSecret}|sha256=`))
})
