import { bodyCapOf } from '@pennant/contract/body-caps.ts'
import { pushScores } from '@pennant/contract/scores.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startContest, type Contest } from '../../../../test/harness.ts'
import { hmac, pushRaw, pushSecret, putDynamic, type RawPush } from '../../../../test/pushes.ts'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'

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
  test('is the lower-case hex HMAC over the timestamp and the raw body', async () => {
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

  test('covers the exact bytes: other key order or white space is a different body', async () => {
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

  test('may include the challenge, and is then invalid for any other', async () => {
    const timestamp = at(0)
    const body = '{"scores":[],"bound":true}'
    const signature = `sha256=${hmac(body, `${timestamp}.hill.`)}`
    expect(await send({ timestamp, signature, body }, 'other-hill')).toBe('badSignature')
    expect(await send({ timestamp, signature, body })).toBe('goodDynamicScores')
  })

  test('is checked before the body is parsed', async () => {
    for (const body of ['', '{', '[]', '{"scores":7}']) {
      expect(await send({ body, signature: 'sha256=00' })).toBe('badSignature')
    }
    expect(await send({ headers: { 'content-encoding': 'gzip' }, signature: 'sha256=00' })).toBe(
      'badSignature',
    )
  })
})

describe('the timestamp of a push', () => {
  test('may differ by five minutes in either direction', async () => {
    for (const [skew, kind] of [
      [300_000, 'goodDynamicScores'],
      [-300_000, 'goodDynamicScores'],
      [300_001, 'badSignature'],
      [-300_001, 'badSignature'],
    ] as const) {
      expect([skew, await send({ timestamp: at(skew) })]).toEqual([skew, kind])
    }
  })

  test('consists of digits only', async () => {
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
  test('have the same bytes for every cause', async () => {
    const responses = [
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
    // If the headers alone are refused, the connection is closed without reading the body, for any challenge.
    const ofResponse = (head: [string, string][]) =>
      head.filter(([name]) => !['date', 'connection', 'keep-alive', 'x-request-id'].includes(name))
    const [first] = responses
    for (const { status, text, head } of responses) {
      expect([status, text, ofResponse(head)]).toEqual([401, first?.text, ofResponse(first?.head ?? [])])
    }
  })

  test('of invalid JSON come after the signature check', async () => {
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
    // The signature covers the compressed bytes, and the server does not decompress them.
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

  test('of a body that is too long come before the signature check but after the header checks', async () => {
    const maxSize = bodyCapOf(pushScores)
    const body = Buffer.alloc(maxSize + 1, 0x20)
    const long = { body, signature: 'sha256=00' }
    const { kind, data } = await pushRaw(contest, 'hill', long)
    expect([kind, data]).toEqual(['badBodySize', { maxSize }])
    expect(await send({ ...long, timestamp: '0' })).toBe('badSignature')
    expect(await send(long, 'unknown')).toBe('badSignature')
    const fits = Buffer.concat([Buffer.from(empty), Buffer.alloc(maxSize - empty.length, 0x20)])
    expect(await send({ body: fits })).toBe('goodDynamicScores')
  })
})

test('no secret or signature is logged', () => {
  expect(JSON.stringify(contest.logLines)).not.toMatch(new RegExp(`${pushSecret}|sha256=`))
})
