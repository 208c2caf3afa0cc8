import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  challenge,
  config,
  entriesOf,
  flag,
  solve,
  solvesOf,
  user,
} from '../../server/test/import/ctfd-archive.ts'
import { temporaryFolder } from '../../server/test/folder.ts'
import { addContest } from '../../server/test/import/rctf-rows.ts'
import { createRctfSource } from '../../server/test/import/rctf-source.ts'
import { zipOf } from '../../server/test/zips.ts'
import { openSite } from './harness.ts'

const MINUTE_MS = 60_000

/** A contest that is running: two users, one award, and access tokens, which are lost. */
function exportOf(more: Parameters<typeof config>[0] = {}): Buffer {
  const now = Date.now()
  const ago = (minutes: number) => new Date(now - minutes * MINUTE_MS).toISOString().slice(0, 19)
  const submissions = [
    solve(1, [1, 1], { date: ago(30) }),
    solve(2, [1, 2], { date: ago(29) }),
    solve(3, [2, 2], { date: ago(20) }),
  ]
  const times = {
    start: String(Math.floor(now / 1000) - 3600),
    end: String(Math.floor(now / 1000) + 86_400),
  }
  return zipOf(
    entriesOf({
      config: config({ ...times, ...more }),
      users: [user(1, { name: 'Anchors' }), user(2, { name: 'Buoys' })],
      challenges: [challenge(1, { description: '![](http://127.0.0.1/a.png)' }), challenge(2)],
      flags: [flag(1, 1), flag(2, 2)],
      awards: [{ id: 1, user_id: 1, value: 25, name: 'Write-up', date: ago(10) }],
      tokens: [{ id: 1, value: 'very-secret' }],
      submissions,
      solves: solvesOf(submissions),
    }),
  )
}

test('an owner uploads an export of CTFd, reads the plan, accepts the loss and imports it', async () => {
  await using site = await openSite()
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'export.zip')
  await writeFile(path, exportOf())
  const { contest } = site
  const page = await site.visitor({ team: await contest.admin() })
  await page.goto('/admin/settings')
  const part = page.getByRole('region', { name: 'Import a contest' })
  await part.getByRole('button', { name: 'Import from CTFd or rCTF' }).click()
  await part.locator('input[type=file]').setInputFiles(path)
  await part.getByText('export.zip').waitFor()
  await part.getByRole('button', { name: 'Show the plan' }).click()

  const plan = part.getByRole('region', { name: 'Plan: CTFd 3.8.2' })
  await plan.getByText('Access tokens of the API are not imported.').waitFor()
  expect(await plan.getByRole('term').allInnerTexts()).toEqual([
    'Teams',
    'Challenges',
    'Solves',
    'People',
    'Score adjustments',
    'Submissions',
  ])
  const run = plan.getByRole('button', { name: 'Import the contest' })
  expect(await run.getAttribute('aria-disabled')).toBe('true')
  await plan.getByRole('checkbox', { name: 'I accept this loss' }).check()
  await plan.getByText(': 127.0.0.1 (1)').waitFor()
  await plan.getByRole('checkbox', { name: 'Fetch these pictures and store them here' }).check()
  await run.click()

  const done = part.getByRole('region', { name: 'CTFd 3.8.2 was imported' })
  await done.getByText('http://127.0.0.1/a.png could not be fetched').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    done.getByRole('button', { name: 'Download the sign-in links' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => line.split('\t')[1])).toEqual(['Anchors', 'Buoys'])

  await done.getByRole('link', { name: 'Scoreboard' }).click()
  await page.getByRole('heading', { level: 1, name: 'Scoreboard' }).waitFor()
  await expect
    .poll(async () => (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' '))
    .toMatch(/Buoys.* 300 .*Anchors.* 125/)
  expect(site.complaints).toEqual([])

  const link = new URL(lines[1]?.split('\t')[3] ?? '')
  const player = await site.visitor()
  await player.goto(`${link.pathname}${link.hash}`)
  await player.getByRole('main').getByText('Buoys').waitFor()
})

test('problems and a contest with teams are explained, and other organisers see no import', async () => {
  await using site = await openSite()
  await using folder = await temporaryFolder()
  const [path, other] = [join(folder.path, 'export.zip'), join(folder.path, 'other.zip')]
  await writeFile(path, exportOf({ end: '' }))
  await writeFile(other, zipOf([{ name: 'readme', content: 'x' }]))
  const { contest } = site
  const page = await site.visitor({ team: await contest.admin() })
  await page.goto('/admin/settings?import')
  const part = page.getByRole('region', { name: 'Import a contest' })
  await part.locator('input[type=file]').setInputFiles(other)
  await part.getByRole('button', { name: 'Show the plan' }).click()
  await part.getByText('This is no export of CTFd').waitFor()

  await part.locator('input[type=file]').setInputFiles(path)
  await part.getByRole('button', { name: 'Show the plan' }).click()
  await part.getByText('The contest cannot be imported until these problems are solved.').waitFor()
  await part.getByText('The source has no end').waitFor()
  expect(await part.getByRole('button', { name: 'Import the contest' }).count()).toBe(0)
  await part.getByText('Options', { exact: true }).click()
  await part.getByLabel('End of the event').fill('2030-01-01')
  const plan = part.getByRole('button', { name: 'Show the plan' })
  expect(await plan.getAttribute('aria-disabled')).toBe('true')
  await part.getByLabel('End of the event').fill('2030-01-01 00:00')
  await part.getByRole('button', { name: 'Show the plan' }).click()
  await part.getByRole('button', { name: 'Import the contest' }).waitFor()

  await contest.team('Sailors')
  await page.reload()
  await part.getByText('Nothing can be imported into this contest.').waitFor()

  const settingsOnly = await site.visitor({ team: await contest.admin(32) })
  await settingsOnly.goto('/admin/settings')
  await settingsOnly.getByRole('heading', { level: 1, name: 'Event settings' }).waitFor()
  await settingsOnly.getByRole('region', { name: 'Sharing' }).waitFor()
  expect(await settingsOnly.getByRole('region', { name: 'Import a contest' }).count()).toBe(0)
})

test('a dump of rCTF arrives with the files of its configuration; a bar shows the progress', async () => {
  await using site = await openSite({ divisions: { open: 'Open', school: 'Students' } })
  await using folder = await temporaryFolder()
  await using source = await createRctfSource('v2')
  await addContest(source)
  const at = (name: string) => join(folder.path, name)
  await writeFile(at('rctf.sql'), await source.dump())
  await writeFile(at('02.yaml'), 'ctfName: New Name\n')
  await writeFile(at('01.yaml'), 'ctfName: Old Name\n')
  const page = await site.visitor({ team: await site.contest.admin() })
  await page.goto('/admin/settings?import')
  const part = page.getByRole('region', { name: 'Import a contest' })
  await part.getByRole('radio', { name: 'rCTF: dump of the database (pg_dump)' }).check()
  await part.getByText('Options', { exact: true }).click()
  const files = part.locator('input[type=file]')
  await files.nth(0).setInputFiles(at('rctf.sql'))
  await files.nth(1).setInputFiles([at('02.yaml'), at('01.yaml')])
  await part.getByText('02.yaml, 01.yaml').waitFor()

  let send = () => {}
  const isSeen = new Promise<void>((resolve) => (send = resolve))
  await page.route('**/api/v2/admin/import?*', async (route) => {
    await isSeen
    await route.continue()
  })
  await part.getByRole('button', { name: 'Show the plan' }).click()
  await part.getByRole('progressbar', { name: 'File of the contest' }).waitFor()
  send()
  const plan = part.getByRole('region', { name: 'Plan: rCTF v2' })
  await plan.getByRole('checkbox').check()
  await plan.getByRole('button', { name: 'Import the contest' }).click()
  await part.getByRole('region', { name: 'rCTF v2 was imported' }).waitFor()
  await part.getByRole('link', { name: 'Scoreboard' }).click()
  await page.getByRole('heading', { level: 1, name: 'Scoreboard' }).waitFor()
  await page.getByRole('banner').getByText('New Name').first().waitFor()
  expect(site.complaints).toEqual([])
})
