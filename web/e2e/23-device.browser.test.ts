import { testToken } from '@pennant/contract/accounts.ts'
import { pollDeviceSignIn, startDeviceSignIn } from '@pennant/contract/device-sign-in.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { expect, test } from 'vitest'
import type { Contest } from '../../server/test/harness.ts'
import { openSite } from './harness.ts'

const NAME = 'pennant on <b>laptop</b>'

async function start(contest: Contest) {
  const body = { name: NAME, scopes: ['read' as const, 'submit' as const] }
  const started = await contest.call(startDeviceSignIn, { body })
  if (started.kind !== 'goodDeviceStart') throw new Error(started.kind)
  return started.data
}

test('a team signs in, compares the code, takes a scope away and confirms by keyboard', async () => {
  await using site = await openSite()
  const { contest } = site
  const team = await contest.team('Sailors')
  const own = await contest.call(readOwnProfileV2, { token: team.token })
  if (own.kind !== 'goodUserSelfData') throw new Error(own.kind)
  const { deviceCode, userCode } = await start(contest)
  const page = await site.visitor()
  await page.goto(`/device?code=${userCode}`)
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Team token').fill(own.data.teamToken)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 2, name: userCode }).waitFor()
  await page.getByText(NAME).waitFor()
  await page.getByText('in the team Sailors').waitFor()
  await page.getByText('Confirm only if you started this program yourself').waitFor()
  await page.getByRole('checkbox', { name: /^submit/ }).uncheck()
  expect((await contest.call(testToken, { token: deviceCode })).kind).toBe('badToken')
  await page.getByRole('button', { name: 'Confirm' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The program is signed in.').waitFor()
  const polled = await contest.call(pollDeviceSignIn, { body: { deviceCode } })
  expect(polled.data).toMatchObject({ state: 'confirmed', granted: { name: NAME, scopes: ['read'] } })
  expect((await contest.call(testToken, { token: deviceCode })).kind).toBe('goodToken')
  await page.goto('/settings#api-tokens')
  const section = page.getByRole('region', { name: 'API tokens' })
  await section.getByRole('button', { name: `Revoke ${NAME}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await section.getByText('No API tokens.').waitFor()
  expect((await contest.call(testToken, { token: deviceCode })).kind).toBe('badToken')
  expect(site.complaints).toEqual([])
})

test('a code is typed, wrong ones say what to do, and a program can be refused', async () => {
  await using site = await openSite()
  const { contest } = site
  const page = await site.visitor({ team: await contest.team() })
  await page.goto('/device')
  const code = page.getByLabel('Code')
  await code.fill('no')
  await page.keyboard.press('Enter')
  await page.getByText('Enter a code of eight letters').first().waitFor()
  await code.fill('bcdf ghjk')
  await page.keyboard.press('Enter')
  await page.getByText('This code is unknown, used or expired.').waitFor()
  const { deviceCode, userCode } = await start(contest)
  await code.fill(userCode.toLowerCase().replace('-', ''))
  await page.keyboard.press('Enter')
  for (const name of [/^read/, /^submit/]) await page.getByRole('checkbox', { name }).uncheck()
  const confirm = page.getByRole('button', { name: 'Confirm' })
  expect(await confirm.getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByText('The program was refused.').waitFor()
  const polled = await contest.call(pollDeviceSignIn, { body: { deviceCode } })
  expect(polled.data).toMatchObject({ state: 'denied' })
  expect(site.complaints).toEqual([])
})
