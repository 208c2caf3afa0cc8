import { expect, test } from 'vitest'
import { ourClient, startOpenIdProvider } from '../../../test/openid-provider.ts'
import type { Subject } from './check.ts'
import { signInChecks } from './sign-in.ts'

const origin = 'https://ctf.example'

test('a provider that is not there or has another issuer is an error that names it', async () => {
  await using site = await startOpenIdProvider(`${origin}/sign-in/return/school`)
  const check = signInChecks.find(({ name }) => name === 'sign-in-providers')
  const run = (...providers: object[]) =>
    check?.run({ config: { origin, people: { providers } } } as Subject, AbortSignal.timeout(10_000))
  const school = { id: 'school', label: 'School', scopes: ['openid'], issuer: site.issuer, ...ourClient }
  expect(await run()).toMatchObject({ severity: 'unchecked' })
  expect(await run(school)).toMatchObject({ severity: 'ok' })
  const other = { ...school, id: 'other', issuer: site.issuer.replace('127.0.0.1', 'localhost') }
  const gone = { ...school, id: 'gone', issuer: 'http://127.0.0.1:9' }
  expect(await run(school, other, gone)).toMatchObject({
    severity: 'error',
    finding: expect.stringMatching(/^other: .+; gone: .+/) as unknown,
  })
})
