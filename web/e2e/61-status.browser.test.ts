import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

// docs/reference/status.md, with two browsers.

test('an organiser posts an incident, and a visitor follows it until it is deleted', async () => {
  await using site = await openSite()
  const organiser = await site.visitor({ team: await site.contest.admin() })
  const visitor = await site.visitor({ viewport: { width: 360, height: 800 } })
  await organiser.goto('/status')
  await organiser.getByText('No incidents in the last seven days.').waitFor()
  await organiser.getByRole('button', { name: 'Post an incident' }).click()
  await organiser.getByRole('button', { name: 'Publish' }).click()
  // Nothing was sent: the required fields say so.
  await organiser.getByText('Required.').first().waitFor()
  await organiser.getByRole('textbox', { name: 'Title' }).fill('Flags are slow')
  await organiser.getByRole('combobox', { name: 'Severity' }).selectOption('Major')
  await organiser.getByRole('checkbox', { name: 'Flag submissions' }).check()
  await organiser
    .getByRole('textbox', { name: 'Update' })
    .fill('We are **looking**. <img src=x onerror=alert(1)>')
  await organiser.getByRole('button', { name: 'Publish' }).click()
  await organiser.getByRole('heading', { name: 'Flags are slow' }).waitFor()

  await visitor.goto('/')
  await visitor.getByRole('contentinfo').getByRole('link', { name: 'Status' }).click()
  const incident = visitor.getByRole('region', { name: 'Flags are slow' })
  await incident.getByText('Affects: Flag submissions').waitFor()
  await incident.locator('strong', { hasText: 'looking' }).waitFor()
  expect(await visitor.getByRole('button', { name: /Post|Add|Delete/ }).count()).toBe(0)

  const own = organiser.getByRole('region', { name: 'Flags are slow' })
  await own.getByRole('button', { name: 'Add an update' }).click()
  await own.getByRole('combobox', { name: 'State' }).selectOption('Resolved')
  await own.getByRole('textbox', { name: 'Update' }).fill('A slow disk was replaced.')
  await own.getByRole('button', { name: 'Publish' }).click()
  await own.getByText('A slow disk was replaced.').waitFor()
  await visitor.reload()
  await incident.getByText('A slow disk was replaced.').waitFor()
  expect(await incident.getByRole('listitem').count()).toBe(2)

  await own.getByRole('button', { name: 'Delete' }).click()
  await organiser.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await own.waitFor({ state: 'detached' })
  await visitor.reload()
  await visitor.getByText('No incidents in the last seven days.').waitFor()
  expect(site.complaints).toEqual([])
})
