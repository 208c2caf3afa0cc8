import { readFile } from 'node:fs/promises'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { putChallenge } from '../../server/test/contest-data.ts'
import { challengeRow } from '../../server/test/contest-rows.ts'
import { personIn } from '../../server/test/people.ts'
import { openSite } from './harness.ts'
import { mailed } from './register.ts'

async function saved(page: Page, name: string): Promise<string> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name }).click()
  return await readFile(await (await download).path(), 'utf8')
}

test('a captain downloads the data, leaves the account, and the team deletes itself', async () => {
  await using site = await openSite(mailed)
  const { contest } = site
  await putChallenge(contest.db, challengeRow('c1'))
  const admin = await contest.admin()
  const privacy = { controller: 'Example Club\nprivacy@club.example', eraseAfterDays: 30 }
  await contest.call(updateSettings, { token: admin.token, body: { data: { privacy } } })
  const team = await contest.team('Sailors')
  const mate = await personIn(contest, team.id, { name: 'Mate' })
  const captain = await personIn(contest, team.id, {
    name: 'Ada',
    email: 'ada@club.example',
    isCaptain: true,
  })
  await contest.call(submitFlag, { token: mate.token, params: { id: 'c1' }, body: { flag: 'flag{x}' } })

  const page = await site.visitor({ team: captain })
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Your data: download or delete it' }).click()
  await page.getByText('privacy@club.example').waitFor()
  await page.getByText(/^Email and IP addresses are erased on /).waitFor()
  expect(await saved(page, 'Download what is stored about you')).toContain('ada@club.example')
  const file = await saved(page, 'Download what is stored about the team')
  expect(file).toContain('"challengeId":"c1"')
  expect(file).not.toContain('ada@club.example')

  await page.getByRole('button', { name: 'Delete my account' }).click()
  const you = page.getByRole('dialog', { name: 'Delete your account?' })
  expect(await you.getByRole('button', { name: 'Delete my account' }).getAttribute('aria-disabled')).toBe(
    'true',
  )
  await you.getByRole('textbox').fill('Ada')
  await you.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByText('You are captain of others.').waitFor()

  await page.getByRole('button', { name: 'Delete the team' }).click()
  const whole = page.getByRole('dialog', { name: 'Delete the team?' })
  await whole.getByRole('textbox').fill('Sailors')
  await whole.getByRole('button', { name: 'Delete the team' }).click()
  await page.getByText('Sign in to see this page.').waitFor()
  expect(contest.world().team(team.id)?.name).toMatch(/^Deleted team \d+$/)
  await page.goto('/scores')
  await page
    .getByText(/^Deleted team \d+$/)
    .first()
    .waitFor()
})

test('the last person of a team is asked about the team as well', async () => {
  await using site = await openSite(mailed)
  const { contest } = site
  const team = await contest.team('Alone')
  await contest.db.change(async (tx) => {
    await tx.query(sql`update teams set email = null where id = ${team.id}`)
    tx.changed('teams', [team.id])
  })
  const person = await personIn(contest, team.id, { name: 'Eve', isCaptain: true })
  const page = await site.visitor({ team: person })
  await page.goto('/settings/data')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const first = page.getByRole('dialog', { name: 'Delete your account?' })
  await first.getByRole('textbox').fill('Eve')
  await first.getByRole('button', { name: 'Delete my account' }).click()
  const second = page.getByRole('dialog', { name: 'Delete the team as well?' })
  await second.getByRole('button', { name: 'Delete account and team' }).click()
  await page.getByText('Sign in to see this page.').waitFor()
  expect(contest.world().team(team.id)).toBeUndefined()
})

test('an organiser sets the erasure, reads the record and erases a team', async () => {
  await using site = await openSite(mailed)
  const { contest } = site
  const admin = await contest.admin()
  const team = await contest.team('Leavers')
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/personal-data')
  await page.getByText('No time is set').first().waitFor()
  await page.getByRole('textbox', { name: /^Responsible/ }).fill('Club <b>of</b> sailors')
  await page.getByRole('combobox', { name: 'When' }).selectOption('days')
  await page.getByRole('spinbutton', { name: 'Days' }).fill('-3')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Enter a whole number from 0 to 3650.').first().waitFor()
  await page.getByRole('spinbutton', { name: 'Days' }).fill('14')
  await page.getByRole('switch', { name: 'Erase private messages too' }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page
    .getByText(/^Addresses are erased on /)
    .first()
    .waitFor()
  expect(contest.world().settings.privacy).toEqual({
    controller: 'Club <b>of</b> sailors',
    eraseAfterDays: 14,
    eraseMessages: true,
  })
  const record = await saved(page, 'Save as Markdown')
  expect(record).toContain('# Record of processing')
  expect(record).toContain(String.raw`Club \<b\>of\</b\> sailors`)
  expect(record).toContain(String.raw`persons \(name, email\)`)

  await page.goto(`/admin/teams/${team.id}`)
  await page.getByRole('button', { name: 'Erase personal data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase the personal data of Leavers?' })
  await dialog.getByRole('textbox').fill('Leavers')
  await dialog.getByRole('button', { name: 'Erase personal data' }).click()
  await page.getByText('The personal data was erased.').first().waitFor({ state: 'attached' })
  expect(contest.world().team(team.id)).toBeUndefined()
})
