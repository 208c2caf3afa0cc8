import { readClientAddress, readDiagnosis, runDiagnosis } from '@pennant/contract/diagnosis.ts'
import { limits } from '@pennant/contract/limits.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { expect, test, vi } from 'vitest'
import { putChallenge } from '../../../test/contest-data.ts'
import { challengeRow } from '../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../test/harness.ts'

vi.setConfig({ testTimeout: 60_000 })

async function read(contest: Contest, { token }: Member) {
  const response = await contest.call(readDiagnosis, { token })
  if (response.kind !== 'goodAdminDiagnosis') throw new Error(response.kind)
  return response.data
}

const email = { from: 'ctf@ctf.test', provider: { name: 'emails/memory' } }

test('nothing counts as checked before a run; then every organiser sees its results', async () => {
  await using contest = await startContest({ config: { email, origin: 'http://127.0.0.1:1' } })
  const [admin, other] = [await contest.admin(), await contest.admin()]
  await putChallenge(contest.db, challengeRow('bare', { name: 'Bare', flags: [] }))
  const before = await read(contest, admin)
  expect(before).toMatchObject({ isRunning: false, ranAt: null, checks: [] })
  expect(before.address).toMatch(/127\.0\.0\.1$/)

  const body = { sendMail: true }
  const started = await contest.call(runDiagnosis, { token: admin.token, body })
  expect(started).toMatchObject({ kind: 'goodAdminDiagnosisRun', data: { isRunning: true, checks: [] } })
  // A second request joins the run: only one message is sent.
  await contest.call(runDiagnosis, { token: other.token, body })
  await vi.waitUntil(async () => !(await read(contest, other)).isRunning, { timeout: 50_000, interval: 50 })

  const { checks, ranAt } = await read(contest, other)
  expect(ranAt).not.toBeNull()
  const resultOf = (name: string) => checks.find((check) => check.name === name)
  expect(resultOf('database')).toMatchObject({ severity: 'ok' })
  expect(resultOf('challenge-flags')?.finding).toBe('Visible challenges have no flag: Bare.')
  expect(resultOf('public-url')).toMatchObject({ severity: 'error' })
  expect(resultOf('instance-start')).toMatchObject({ severity: 'unchecked' })
  expect(resultOf('mail')?.finding).toMatch(/^The mail server accepted a message to /)
  expect(contest.mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('Test message')])
})

test('everyone may read the own address, as forwarded by a trusted proxy', async () => {
  await using contest = await startContest({ config: { proxy: { trust: true } } })
  const own = await contest.call(readClientAddress, {})
  expect(own).toMatchObject({
    kind: 'goodClientAddress',
    data: { address: expect.stringMatching(/127\.0\.0\.1$/) },
  })
  const headers = { 'x-forwarded-for': '203.0.113.5' }
  const response = await fetch(contest.url + readClientAddress.path, { headers })
  expect(await response.json()).toMatchObject({
    data: { address: '203.0.113.5', forwarding: 'read', lastForwarded: '203.0.113.5' },
  })
})

test('only organisers with both permissions see and run the checks', async () => {
  await using contest = await startContest()
  for (const perms of [permissions.challsRead, permissions.settingsWrite]) {
    const { token } = await contest.admin(perms)
    expect(await contest.call(readDiagnosis, { token })).toMatchObject({ kind: 'badPerms' })
    expect(await contest.call(runDiagnosis, { token, body: { sendMail: true } })).toMatchObject({
      kind: 'badPerms',
    })
  }
})

test('the number of runs is limited', async () => {
  await using contest = await startContest({ config: { origin: 'http://127.0.0.1:1' } })
  const { token } = await contest.admin()
  const run = () => contest.call(runDiagnosis, { token, body: { sendMail: false } })
  for (let sent = 0; sent < limits.organiserJobs.burst; sent += 1)
    expect((await run()).kind).toBe('goodAdminDiagnosisRun')
  expect(await run()).toMatchObject({ kind: 'badRateLimit' })
})
