import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { writePersonAnswers } from '@pennant/contract/custom-fields.ts'
import { fieldVisibilities } from '@pennant/contract/custom-field-values.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { textField } from '../../server/test/fields.ts'
import { personIn, teamless } from '../../server/test/people.ts'
import { mailed } from './register.ts'
import { accepted, openSite, type Site } from './harness.ts'
import { violationsOf } from './violations.ts'

const ALL_RIGHTS = 63

async function organise(site: Site, data: object) {
  const admin = await site.contest.admin(ALL_RIGHTS)
  const { kind } = await site.contest.call(updateSettings, { token: admin.token, body: { data } })
  expect(kind).toBe('goodAdminSettingsUpdate')
  return admin
}

const isNarrowEnough = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

const school = textField('school', { required: true, visible: 'everyone' })
const rules = textField('rules', {
  kind: 'consent',
  version: 1,
  required: true,
  texts: [{ language: 'en', label: 'I accept the rules', content: 'No *DDoS*.' }],
} as never)
const country = textField('home', { kind: 'country', asked: 'later' } as never)
const born = textField('born', { kind: 'date', of: 'person', required: true } as never)
const junior = {
  id: 'junior',
  texts: [{ language: 'en', name: 'Junior prize' }],
  conditions: [{ kind: 'age', who: 'all', field: 'born', on: '2027-03-05', max: 20 }],
}

test('a team answers at registration and later, and others see what everyone may see', async () => {
  await using site = await openSite()
  await organise(site, { fields: [school, rules, country] })
  const player = await site.visitor({ viewport: { width: 360, height: 800 } })
  await player.goto('/register')
  await player.getByLabel('Team name').fill('Buoy')
  await player.getByLabel('Email').fill('buoy@crews.test')
  await player.getByText('No DDoS.').waitFor()
  expect(await isNarrowEnough(player)).toBe(true)
  await player.getByRole('main').getByRole('button', { name: 'Register' }).click()
  await player.getByText('This field is required.').first().waitFor()
  expect(await violationsOf(player)).toEqual([])
  // With the keyboard alone.
  await player.getByLabel('Label of school').focus()
  await player.keyboard.type('<b>Hill</b> School')
  await player.getByLabel('I accept the rules').focus()
  await player.keyboard.press('Space')
  await player.keyboard.press('Enter')
  await player.getByRole('heading', { name: /token/i }).waitFor()
  await player.goto('/settings#team-fields')
  const form = player.locator('#team-fields')
  await form.getByLabel('Label of school').waitFor()
  await form.getByLabel('Label of home').fill('Norw')
  await player.getByRole('option', { name: /Norway/ }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Saved').first().waitFor()
  expect(await isNarrowEnough(player)).toBe(true)
  expect(await violationsOf(player)).toEqual([])
  const team = [...site.contest.app.stores.world().teams()].find(({ name }) => name === 'Buoy')
  const stranger = await site.visitor({ colorScheme: 'dark' })
  await stranger.goto(`/profile/${team?.id}`)
  await stranger.getByText('<b>Hill</b> School').waitFor()
  expect(await stranger.getByText('NO', { exact: true }).count()).toBe(0)
  expect(await violationsOf(stranger)).toEqual([])
})

test('a person answers to join, and the team sees its eligibility with reasons, in German', async () => {
  await using site = await openSite()
  await organise(site, { fields: [born], eligibility: [junior] })
  const team = await site.contest.team('Buoy')
  const captain = await personIn(site.contest, team.id, { name: 'Ada', isCaptain: true })
  const fields = { born: '1990-01-01' }
  await site.contest.call(writePersonAnswers, { token: captain.token, body: { fields } })
  const person = await teamless(site.contest, { name: 'Bob' })
  const page = await site.visitor({ team: person })
  await page.goto('/join')
  await page.getByLabel('Team name').fill('Anchor')
  await page.getByLabel('Label of born').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Create team' }).click()
  await page.getByText('This field is required.').waitFor()
  await page.getByLabel('Label of born').fill('2010-01-01')
  await page.getByRole('button', { name: 'Create team' }).click()
  await page.getByText('Junior prize').waitFor()
  await page.getByText('Eligible', { exact: false }).first().waitFor()
  const german = await site.visitor({ team: captain, locale: 'de-DE' })
  await german.goto('/profile')
  await german.getByText('trifft auf eine Person nicht zu').waitFor()
  expect(await violationsOf(german)).toEqual([])
})

test('organisers define fields and rules, filter teams by results, and decide', async () => {
  await using site = await openSite()
  const admin = await organise(site, {})
  const team = await site.contest.team('Buoy')
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/registration?tab=fields')
  await page.getByRole('button', { name: 'Add field' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('ID').fill('home')
  await dialog.getByLabel('Kind').selectOption('country')
  await dialog.getByLabel('Label').fill('Home country')
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Home country', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByLabel('ID').fill('local')
  await dialog.getByLabel('Name').fill('Local prize')
  await dialog.getByLabel('Asks for').selectOption('country')
  await dialog.getByLabel('About').selectOption('team')
  await dialog.getByLabel('Field').selectOption('home')
  await dialog.getByLabel('Countries').fill('no, se')
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/Home country: one of Norway/).waitFor()
  await page.setViewportSize({ width: 360, height: 800 })
  expect(await isNarrowEnough(page)).toBe(true)
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(await violationsOf(page)).toEqual([])

  await page.goto(`/admin/teams?filter=rule-local:unknown`)
  await page.getByRole('row', { name: /Buoy/ }).getByText('Not decided yet').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.goto(`/admin/teams/${team.id}`)
  await page.getByRole('button', { name: 'Decide about Local prize' }).click()
  const decision = page.getByRole('dialog', { name: 'Decide about Local prize' })
  await decision.getByRole('radio', { name: 'Eligible', exact: true }).check()
  await decision.getByLabel('Reason').fill('They moved')
  expect(await violationsOf(page)).toEqual([])
  await decision.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Decided by the organisers: They moved').waitFor()
  await page.getByRole('button', { name: 'Edit answers' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit answers' })
  await editor.getByLabel('Home country').fill('Norw')
  await page.getByRole('option', { name: /Norway/ }).click()
  expect(await violationsOf(page)).toEqual([])
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.waitFor({ state: 'detached' })
  await page.getByRole('definition').getByText('NO', { exact: true }).waitFor()
  const player = await site.visitor({ team })
  await player.goto('/profile')
  await player.getByText('Decided by the organisers: They moved').waitFor()
})

test('the home page says which required answers are missing', async () => {
  await using site = await openSite()
  await organise(site, { fields: [school, born] })
  const team = await site.contest.team('Buoy')
  const person = await personIn(site.contest, team.id, { name: 'Ada', isCaptain: true })
  const page = await site.visitor({ team: person, viewport: { width: 360, height: 800 } })
  await page.goto('/')
  const notice = page
    .getByRole('status')
    .filter({ hasText: 'Still needed: Label of school and Label of born.' })
  await notice.waitFor()
  expect(await violationsOf(page)).toEqual([])
  await notice.getByRole('link').click()
  await page.getByRole('region', { name: 'Team details' }).getByLabel('Label of school').fill('Hill')
  await page.getByRole('region', { name: 'Team details' }).getByRole('button', { name: 'Save' }).click()
  await page.getByRole('region', { name: 'Team details' }).getByText('Saved').first().waitFor()
  const fields = { born: '2010-01-01' }
  accepted(await site.contest.call(writePersonAnswers, { token: person.token, body: { fields } }))
  await page.goto('/')
  await page.getByRole('link', { name: 'Challenges' }).first().waitFor()
  await expect.poll(() => notice.count()).toBe(0)
  expect(await page.getByText('Still needed').count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('deleting a field says how many answers go', async () => {
  await using site = await openSite()
  const admin = await organise(site, {
    fields: fieldVisibilities.map((visible) => textField(visible, { visible, of: 'person' })),
  })
  const person = await personIn(site.contest, (await site.contest.team('Buoy')).id)
  const fields = { organisers: 'x' }
  await site.contest.call(writePersonAnswers, { token: person.token, body: { fields } })
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/registration?tab=fields')
  await page.getByRole('button', { name: 'Delete Label of organisers' }).click()
  await page.getByText('Answers that are deleted with it: 1.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('cell', { name: 'Label of organisers', exact: true }).waitFor({ state: 'detached' })
})

test('organisers choose people by an answer and save them with their answers', async () => {
  await using site = await openSite({ ...mailed })
  const size = textField('size', { of: 'person', kind: 'choice', choices: ['s', 'xl'] } as never)
  const admin = await organise(site, { fields: [size] })
  const { id: teamId } = await site.contest.team('Buoy')
  for (const [name, answer] of Object.entries({ Ada: 's', Bob: 'xl' })) {
    const { token } = await personIn(site.contest, teamId, { name })
    await site.contest.call(writePersonAnswers, { token, body: { fields: { size: answer } } })
  }
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/people')
  await page.getByRole('row', { name: /Ada/ }).waitFor()
  await page.getByLabel('Answer to').selectOption('size')
  await page.getByLabel('Answer', { exact: true }).fill('xl')
  await page.getByRole('row', { name: /Ada/ }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /Bob/ }).getByText('xl').waitFor()
  expect(await violationsOf(page)).toEqual([])
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ])
  const chunks: Uint8Array[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Uint8Array)
  const lines = Buffer.concat(chunks).toString('utf8').replaceAll('"', '').trim().split(/\r?\n/)
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/captain,size$/)
  expect(lines[1]).toMatch(/^Bob,.*,Buoy,.*,no,xl$/)

  await page.goto('/admin/mail')
  await page.getByLabel('Subject').fill('News')
  await page.getByLabel('Text').fill('Hello')
  await page.getByRole('button', { name: /filter/i }).click()
  await page.getByLabel('Filter by').waitFor()
  expect(await violationsOf(page)).toEqual([])
})
