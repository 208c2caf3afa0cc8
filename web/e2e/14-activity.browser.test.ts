import { submitFlag } from '@pennant/contract/submissions.ts'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { apiTokenOf } from '../../server/test/api-tokens.ts'
import { answer, ask } from '../../server/test/message-threads.ts'
import { personIn } from '../../server/test/people.ts'
import { putSettings } from '../../server/test/contest-data.ts'
import { openSite } from './harness.ts'
import { violationsOf } from './violations.ts'

const NAME = 'Ada <b>'

test('a team and organisers see who did what, and other teams do not', async () => {
  await using site = await openSite()
  const { contest } = site
  await site.addChallenge('anchor', { name: 'Anchor' })
  const team = await contest.team('Sailors')
  const ada = await personIn(contest, team.id, { name: NAME })
  const ben = await personIn(contest, team.id, { name: 'Ben' })
  const request = { params: { id: 'anchor' }, body: { flag: 'flag{anchor}' } }
  expect((await contest.call(submitFlag, { token: ada.token, ...request })).kind).toBe('goodFlag')
  const { id } = await ask(contest, ben, { challengeId: 'anchor' })

  const page = await site.visitor({ team: ada, viewport: { width: 360, height: 700 } })
  await page.goto('/profile')
  await page.getByRole('columnheader', { name: 'Solved by' }).waitFor()
  const activity = page.getByRole('region', { name: 'Activity' })
  await activity.getByText('Ben asked about Anchor').waitFor()
  await activity.getByText(`${NAME} solved Anchor`).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.goto(`/messages/${id}`)
  await page.getByRole('list', { name: 'Conversation' }).getByText('Ben', { exact: true }).waitFor()

  const other = await site.visitor({ team: await contest.team('Rivals') })
  await other.goto(`/profile/${team.id}`)
  await other.getByRole('table', { name: 'Solves' }).getByText('Anchor').waitFor()
  expect(await other.getByText(NAME).count()).toBe(0)
  expect(await other.getByRole('columnheader', { name: 'Solved by' }).count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('organisers filter submissions by person, and the action log names person and API token', async () => {
  await using site = await openSite()
  const { contest } = site
  await site.addChallenge('anchor', { name: 'Anchor' })
  const team = await contest.team('Sailors')
  const ada = await personIn(contest, team.id, { name: NAME })
  const submit = (token: string, flag: string) =>
    contest.call(submitFlag, { token, params: { id: 'anchor' }, body: { flag } })
  await submit(ada.token, 'wrong')
  await submit(team.token, 'of-the-token')
  const admin = await contest.admin()
  const grace = await personIn(contest, admin.id, { name: 'Grace' })
  const { id } = await ask(contest, ada)
  const { token } = await apiTokenOf(contest, grace.token, ['messages:answer'])
  expect((await answer(contest, { id: grace.id, token }, { id })).kind).toBe('goodAdminMessageUpdate')

  const page = await site.visitor({ team: grace })
  await page.goto('/admin/submissions')
  const table = page.getByRole('table', { name: 'Submissions' })
  await table.getByText('team token').waitFor()
  await table.getByRole('button', { name: NAME }).click()
  await table.getByText('team token').waitFor({ state: 'detached' })
  expect(await violationsOf(page)).toEqual([])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`"${NAME}","${ada.id}"`)

  await page.goto('/admin/actions')
  const row = page.getByRole('row', { name: /Question answered|answered/ }).first()
  await row.getByText('Grace').waitFor()
  await row.getByText('API token: script').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.goto(`/admin/messages/${id}`)
  await page.getByText(`${NAME} – Sailors`).waitFor()
  await page.goto(`/admin/teams/${team.id}`)
  await page.getByRole('dialog').getByText(`${NAME} wrote to the organisers`).waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect(site.complaints).toEqual([])
})

test('a profile without open results says so instead of no rank and no points', async () => {
  await using site = await openSite()
  const { contest } = site
  const [team, rivals] = [await contest.team('Sailors'), await contest.team('Rivals')]
  await putSettings(contest.db, { visibility: { scoreboard: 'organisers' } })
  const page = await site.visitor({ team })
  await page.goto('/profile')
  await page.getByText('Only visible to you: rank not shown').waitFor()
  await page.getByRole('heading', { name: 'Score over time' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.goto(`/profile/${rivals.id}`)
  await page.getByText('Scores, ranks and solves of this team are not open to you.').waitFor()
  const main = page.getByRole('main')
  await main.getByText('rank not shown').waitFor()
  expect(await main.getByText(/not ranked yet|0 points|No points yet/).count()).toBe(0)
  expect(await violationsOf(page)).toEqual([])
})
