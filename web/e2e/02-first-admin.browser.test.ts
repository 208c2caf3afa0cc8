import { listAdminChallengesV2 } from '@pennant/contract/admin-challenges.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { firstAdminLink } from '../../server/src/features/people/accounts/first-admin.ts'
import { createDatabaseMarkers } from '../../server/src/kv/database-markers.ts'
import { accepted, openSite, type Site } from './harness.ts'

const MAX_CLICKS = 6
const unscheduled = { startTime: Date.UTC(9999, 0, 1), endTime: Date.UTC(9999, 0, 3) }

/** The link that the server prints at its first start. The site's own helper has an admin, who loses the role first. */
async function linkOf({ contest }: Site): Promise<string> {
  await contest.db.query(sql`update teams set perms = 0`)
  const { db, tokens } = contest.app.stores
  const now = () => contest.clock.now()
  const markers = createDatabaseMarkers(db, now)
  const options = { db, tokens, markers, now, loginTimeoutMs: HOUR_MS, division: 'open', origin: contest.url }
  return (await firstAdminLink(options)) ?? 'no link'
}

test('from the first link to a visible challenge in at most six clicks, then through all four steps', async () => {
  await using site = await openSite(unscheduled)
  const page = await site.visitor()
  let clicks = 0
  await page.exposeFunction('countClick', () => (clicks += 1))
  // Clicks that the keyboard or a label causes have no detail.
  await page.addInitScript(() => {
    const count = ({ detail }: MouseEvent) => detail > 0 && Reflect.get(window, 'countClick')()
    window.addEventListener('click', count, { capture: true })
  })
  await page.goto(await linkOf(site))
  await page.getByRole('button', { name: 'Create team' }).click()
  await page.getByText('You are the administrator.').waitFor()
  await page.getByRole('checkbox', { name: 'I have saved it' }).check()
  await page.getByRole('button', { name: 'Continue' }).click()

  const card = page.getByRole('region', { name: 'You are the administrator' })
  await card.getByText('1 of 4 steps').waitFor()
  await card.getByText('First challenge').click()
  await card.getByRole('textbox', { name: /^Name/ }).fill('Anchor')
  await card.getByRole('textbox', { name: /^Category/ }).fill('Web')
  await card.getByRole('textbox', { name: /^Flag/ }).fill('flag{anchor}')
  await card.getByRole('button', { name: 'Publish challenge' }).click()
  await card.getByText('2 of 4 steps').waitFor()
  expect(clicks).toBeGreaterThan(3)
  expect(clicks).toBeLessThanOrEqual(MAX_CLICKS)
  const token = await page.evaluate(() => localStorage.getItem('pennant.token') ?? '')
  const { data } = accepted(await site.contest.call(listAdminChallengesV2, { token }))
  expect(data).toMatchObject([{ id: 'web-anchor', hidden: false, flags: [{ provider: 'flags/static' }] }])

  await card.getByRole('textbox', { name: /^Event name/ }).fill('Harbour CTF')
  await card.getByRole('button', { name: 'Save' }).click()
  await card.getByText('3 of 4 steps').waitFor()
  await page.getByRole('banner').getByText('Harbour CTF').first().waitFor()
  const inputs = card.getByPlaceholder('YYYY-MM-DD HH:MM')
  await inputs.first().fill('2020-01-01T10:00:00')
  await inputs.last().fill('2035-01-02T10:00:00')
  await card.getByRole('button', { name: 'Save' }).click()
  await card.getByText('Choose a time in the future.').waitFor()
  await inputs.first().fill('2035-01-01')
  await card.getByRole('button', { name: 'Save' }).click()
  await card.getByText('Enter a date and a time').waitFor()
  await inputs.first().fill('2035-01-01T10:00:00')
  await card.getByRole('button', { name: 'Save' }).click()
  await card.getByText('The event is set up.').waitFor()
  await card.getByRole('button', { name: 'Dismiss' }).click()
  await card.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('region', { name: 'Right now' }).waitFor()
  expect(await card.count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('the card lists what is missing, and only to organisers who may change it', async () => {
  await using site = await openSite({ ...unscheduled, ctfName: 'Harbour CTF', registrationsEnabled: false })
  await site.addChallenge('anchor')
  const page = await site.visitor({ team: await site.contest.admin() })
  await page.goto('/admin')
  const card = page.getByRole('region', { name: 'You are the administrator' })
  await card.getByText('2 of 4 steps').waitFor()
  await card.getByText('Open registration').click()
  await card.getByText('Registration is closed.').waitFor()
  // A challenge author cannot change the event, so there is nothing to set up.
  const author = await site.visitor({ team: await site.contest.admin(7) })
  await author.goto('/admin')
  await author.getByRole('region', { name: 'Before the start' }).waitFor()
  expect(await author.getByRole('region', { name: 'You are the administrator' }).count()).toBe(0)
})
