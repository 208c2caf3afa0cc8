import { goodRegisterV2, registerV1, registerV2 } from '@pennant/contract/accounts.ts'
import { createCaptchaChallenge } from '@pennant/contract/captcha.ts'
import { getClientConfigV1, getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { expect, test } from 'vitest'
import { startContest, type Contest } from '../../../../test/harness.ts'
import { sendJson, startHttpService } from '../../../../test/http-service.ts'
import { solveCaptcha } from '../../../../test/solve-captcha.ts'

const proofOfWork = {
  provider: { name: 'captcha/proof-of-work', options: { difficulty: 500 } },
  protectedEndpoints: ['register', 'avatarUpload'],
}

async function solve({ call }: Contest): Promise<string> {
  const result = await call(createCaptchaChallenge, {})
  if (result.kind !== 'goodCaptchaChallenge') throw new Error(result.kind)
  return solveCaptcha(result.data)
}

let registered = 0

function register({ call }: Contest, code?: string) {
  const name = `solver ${++registered}`
  const body = { name, email: `${name.replace(' ', '-')}@ctf.example` }
  return call(registerV2, { body: code === undefined ? body : { ...body, captchaCode: code } })
}

test('a solved task is accepted for one registration', async () => {
  await using contest = await startContest({ config: { captcha: proofOfWork } })
  expect((await register(contest)).kind).toBe('badCaptcha')
  expect((await register(contest, 'nonsense')).kind).toBe('badCaptcha')
  const code = await solve(contest)
  expect((await register(contest, code)).kind).toBe(goodRegisterV2.kind)
  expect((await register(contest, code)).kind).toBe('badCaptcha')
  const late = await solve(contest)
  contest.clock.advance(600_000)
  expect((await register(contest, late)).kind).toBe('badCaptcha')
})

test('of 64 registrations with the same solution, exactly one is accepted', async () => {
  await using contest = await startContest({ config: { captcha: proofOfWork } })
  const code = await solve(contest)
  const results = await Promise.all(Array.from({ length: 64 }, () => register(contest, code)))
  const kinds = results.map(({ kind }) => kind).sort()
  expect(kinds).toEqual([...Array<string>(63).fill('badCaptcha'), goodRegisterV2.kind])
})

test('a solution is accepted by any process of the deployment, but only once', async () => {
  await using contest = await startContest({ config: { captcha: proofOfWork } })
  await using other = await startContest({ config: { captcha: proofOfWork }, beside: contest })
  const code = await solve(contest)
  expect((await register(other, code)).kind).toBe(goodRegisterV2.kind)
  expect((await register(contest, code)).kind).toBe('badCaptcha')
})

test('the client configuration has the task route, and tasks are never cached', async () => {
  await using contest = await startContest({ config: { captcha: proofOfWork } })
  const config = await contest.call(getClientConfigV2, {})
  expect(config.data).toMatchObject({
    captcha: {
      provider: 'captcha/proof-of-work',
      publicOptions: { kind: 'proof-of-work', difficulty: '500', route: createCaptchaChallenge.path },
      protectedEndpoints: { register: true, recover: false, avatarUpload: true },
    },
  })
  const response = await fetch(contest.url + createCaptchaChallenge.path)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('etag')).toBeNull()
})

test('there are no tasks with an external captcha service or without a captcha', async () => {
  await using plain = await startContest()
  expect((await plain.call(createCaptchaChallenge, {})).kind).toBe('badEndpoint')
  const provider = { name: 'captcha/static', options: { code: 'good' } }
  await using outside = await startContest({ config: { captcha: { provider } } })
  expect((await outside.call(createCaptchaChallenge, {})).kind).toBe('badEndpoint')
})

test('a captcha in the legacy configuration works, also with another service', async () => {
  await using service = await startHttpService(({ body }, response) => {
    const { secret, response: code } = Object.fromEntries(new URLSearchParams(body.toString()))
    sendJson(response, 200, { success: secret === 'secret' && code === 'good' })
  })
  const legacyCaptcha = {
    siteKey: 'site',
    secretKey: 'secret',
    protectedActions: ['register'],
    verifyUrl: service.url,
  }
  await using contest = await startContest({ config: { legacyCaptcha } })
  const team = { name: 'old client', email: 'old@ctf.example' }
  const send = (legacyCaptchaCode: string) =>
    contest.call(registerV1, { body: { ...team, legacyCaptchaCode } })
  expect((await send('bad')).kind).toBe('badLegacyCaptchaCode')
  expect((await send('good')).status).toBe(200)
  expect((await contest.call(getClientConfigV1, {})).data).toMatchObject({
    legacyCaptcha: { siteKey: 'site', protectedActions: ['register'] },
  })
})
