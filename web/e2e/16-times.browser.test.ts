import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'
import { violationsOf } from './violations.ts'

const HALF = '2035-01-02'
const ERROR = 'Enter a date and a time, for example 2026-11-28 18:00.'

interface DateForm {
  readonly name: string
  readonly path: string
  /** Fills everything but the time. */
  readonly fill: (page: Page) => Promise<void>
  readonly label: string
  /** Tries to save. */
  readonly save: (page: Page) => Promise<void>
}

const press = (name: string | RegExp) => async (page: Page) => {
  const button = page.getByRole('main').getByRole('button', { name, exact: typeof name === 'string' })
  // A disabled button gives its reason and ignores the click.
  await button.click({ force: true })
}

const forms: readonly DateForm[] = [
  {
    name: 'an announcement',
    path: '/admin/announcements',
    fill: (page) => page.getByRole('textbox', { name: /^Title/ }).fill('Lights out'),
    label: 'Publish at',
    save: press('Schedule'),
  },
  {
    name: 'a wave',
    path: '/admin/waves',
    fill: (page) =>
      page.getByRole('region', { name: 'New wave' }).getByRole('textbox', { name: 'Name' }).fill('Night'),
    label: 'Opens at',
    save: press('Create wave'),
  },
  ...['Start', 'End', 'Freeze of the scoreboard'].map((label) => ({
    name: `${label} of the event`,
    path: '/admin/settings',
    fill: (page: Page) =>
      page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Harbour CTF'),
    label,
    save: press(/^Save/),
  })),
  {
    name: 'a release time',
    path: '/admin/challenges/anchor',
    fill: (page) => page.getByRole('radio', { name: 'Scheduled' }).check(),
    label: 'Release time',
    save: press(/^Save/),
  },
  {
    name: 'a hint',
    path: '/admin/challenges/anchor?tab=hints',
    async fill(page) {
      await page.getByRole('button', { name: 'Add hint' }).click()
      const form = page.getByRole('form', { name: 'Hint' })
      await form.getByRole('textbox', { name: 'Text' }).fill('Look up.')
      await form.getByRole('combobox', { name: 'Release' }).selectOption('At a time')
    },
    label: 'Time',
    save: press('Save hint'),
  },
]

test('a date of which the time is missing is not sent by any form', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const page = await site.visitor({ team: await site.contest.admin() })
  const writes: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/api/')) writes.push(request.url())
  })
  for (const form of forms) {
    await page.goto(form.path)
    await form.fill(page)
    const field = page.getByRole('main').getByRole('textbox', { name: form.label, exact: true })
    await field.fill(HALF)
    await form.save(page)
    await page.getByText(ERROR).first().waitFor()
    expect(await field.inputValue(), form.name).toBe(HALF)
    expect(writes, form.name).toEqual([])
    await field.locator('..').getByRole('button', { name: 'Clear' }).click()
    expect(await field.inputValue(), form.name).toBe('')
    page.once('dialog', (dialog) => void dialog.accept())
  }
  expect(await violationsOf(page)).toEqual([])
})

test('a filter keeps its last complete time', async () => {
  await using site = await openSite()
  const page = await site.visitor({ team: await site.contest.admin() })
  await page.goto('/admin/actions')
  const from = page.getByLabel('From', { exact: true })
  await from.fill('2035-01-02 10:00')
  await page.waitForURL(/from=\d+/)
  const url = page.url()
  await from.fill(HALF)
  await from.blur()
  await page.getByText(ERROR).waitFor()
  expect(page.url()).toBe(url)
  await page.getByText(/^in \d+ days/).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Clear', exact: true }).first().click()
  await page.waitForURL((now) => !now.search.includes('from='))
})
