import { startInstance } from '@pennant/contract/instances.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'
import * as hostile from './hostile-contest.ts'
import { hostileTexts } from './hostile-texts.ts'
import { expectShown, startPatrol, type Patrol } from './patrol.ts'

// Hostile team texts on organiser pages, where a script would run with organiser permissions.

const WIDTHS = [1440, 360]
const first = hostileTexts.slice(0, 1)
const inAddress = encodeURIComponent(hostileTexts[0] ?? '')
/** Submitted as flags; the others were sent to a bot. */
const sentFlags = hostileTexts.filter((_text, at) => at % 2 === 0)
/** Elements, foreign vocabularies and object property names: the editor shows one of each. */
const EDITED = [0, 5, 13, 28, 29]

const table = (page: Page, name: string) => page.getByRole('table', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test.each(WIDTHS)('hostile texts stay text in organiser lists, at %i', async (width) => {
  await using site = await openSite(hostile.hostileConfig())
  const { own, admin } = await hostile.fillHostile(site)
  const order = { token: own.token, params: { id: 'cabin' }, body: {} }
  expect((await site.contest.call(startInstance, order)).kind).toBe('goodInstanceStatus')
  const patrol = await startPatrol(site, { width, team: admin })
  const { page, visit, found } = patrol
  await visit('/admin')
  await visit('/admin/instances')
  await expectShown(table(page, 'Instances of all teams'), [hostile.hostileName, hostile.ownName])
  await visit('/admin/verifications')
  await expectShown(table(page, 'Pending registrations'))
  await readSubmissions(patrol)
  await readTeams(patrol)
  await visit('/admin/export')
  expect(found).toEqual([])
})

test.each(WIDTHS)('hostile texts stay text in organiser forms, at %i', async (width) => {
  await using site = await openSite(hostile.hostileConfig())
  const { admin } = await hostile.fillHostile(site)
  await hostile.hostileClient(site, admin.token)
  const patrol = await startPatrol(site, { width, team: admin })
  const { page, visit, check, found } = patrol
  await readClients(patrol)
  await visit('/admin/settings')
  await expectShown(page.getByRole('main'), [hostile.contestName, ...hostile.sponsorTexts])
  const home = page.getByRole('region', { name: 'Home' })
  await home.getByText('Preview').click()
  // Only texts that Markdown leaves unchanged; the editor content is not part of the page text.
  await expectShown(home, ['constructor', 'toString'])
  await check('settings, preview of the home page')
  await visit('/admin/challenges')
  await expectShown(page.getByRole('main'))
  for (const at of EDITED) {
    await visit(`/admin/challenges/${hostile.taskId(at)}`)
    await expectShown(
      page.getByRole('group', { name: 'Details', exact: true }),
      hostileTexts.slice(at, at + 1),
    )
  }
  expect(found).toEqual([])
})

async function readSubmissions({ page, visit, check }: Patrol): Promise<void> {
  await visit('/admin/submissions')
  await page.getByRole('switch', { name: 'Show submitted text' }).click()
  const submissions = table(page, 'Submissions')
  // Each has a hostile IP address, too.
  await expectShown(submissions.getByRole('button'))
  await expectShown(submissions.locator('code'), sentFlags)
  await check('submitted texts')
  await submissions.getByRole('row').filter({ hasText: 'wrong' }).last().press('Enter')
  await expectShown(page.getByRole('dialog').getByLabel('Details'), [`"submittedFlag": "${first[0]}"`])
  await check('a submission')
  await page.keyboard.press('Escape')
  await page.getByRole('switch', { name: 'Live' }).click()
  await page.getByText(/^Newest first/).waitFor()
  await expectShown(submissions.locator('code'), sentFlags)
  await check('submissions, live')
}

async function readTeams({ page, visit, check }: Patrol): Promise<void> {
  await visit('/admin/teams')
  await expectShown(table(page, 'Teams'))
  await visit(`/admin/teams?q=${inAddress}`)
  await expectShown(table(page, 'Teams'), first)
  await visit(`/admin/teams/${hostile.teamId(0)}`)
  await expectShown(page.getByRole('dialog'), [...first, hostileTexts[1] ?? ''])
  await button(page, 'Delete team').click()
  await expectShown(page.getByRole('dialog').last(), [`Delete ${first[0]}?`])
  await check('a team, to be deleted')
}

async function readClients({ page, visit, check }: Patrol): Promise<void> {
  await visit('/admin/clients')
  await expectShown(table(page, 'Clients'), [hostile.clientName])
  await button(page, `Sample for ${hostile.clientName}`).click()
  await expectShown(page.getByRole('dialog'), [`How ${hostile.clientName} signs teams in`])
  await check('sample of a client')
  await page.keyboard.press('Escape')
  await button(page, `Delete ${hostile.clientName}`).click()
  await expectShown(page.getByRole('dialog'), [`Delete ${hostile.clientName}?`])
  await check('a client, to be deleted')
}
