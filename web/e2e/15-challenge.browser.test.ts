import { readAdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { expect, test } from 'vitest'
import { openSection } from './editor-sections.ts'
import { announced, openSite } from './harness.ts'

// Files and flags are in 15-editor-files.

const ALL_RIGHTS = 63
interface Envelope {
  readonly data: { readonly instancers: readonly { readonly schema: { properties?: object } }[] }
}

const TWO_HOURS_MS = 2 * 3_600_000

test('a challenge is created with an instance, previewed and scheduled; a waiting player sees it on time', async () => {
  await using site = await openSite({ instancers: { here: { name: 'instancers/memory' } } })
  await site.addChallenge('anchor', { name: 'Anchor' })
  const player = await site.visitor({ team: await site.contest.team('Sailors') })
  const bodies: Promise<string>[] = []
  player.on('response', (received) => {
    if (received.url().includes('/api/')) bodies.push(received.text().catch(() => ''))
  })
  await player.goto('/challenges')
  await player
    .getByRole('link', { name: /Anchor/ })
    .first()
    .waitFor()

  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: admin, viewport: { width: 1440, height: 900 } })
  // The instancer of this scenario has no numeric settings.
  await page.route('**/api/v2/admin/instancer/schema', async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as Envelope
    for (const { schema } of json.data.instancers)
      schema.properties = { ...schema.properties, cores: { type: 'integer', title: 'Cores', minimum: 3 } }
    await route.fulfill({ response, json })
  })
  await page.goto('/admin/challenges')
  await page.getByRole('link', { name: 'New challenge' }).click()
  await page.getByRole('textbox', { name: /^Name/ }).fill('Cabin')
  await page.getByLabel('Category').fill('Web')
  expect(await page.getByRole('textbox', { name: /^ID/ }).inputValue()).toBe('web-cabin')
  await page.getByRole('button', { name: 'Create challenge' }).click()
  await page.getByRole('heading', { level: 2, name: 'Cabin' }).first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/admin/challenges/web-cabin')

  const preview = page.getByRole('article', { name: 'Preview' })
  await page.getByRole('textbox', { name: 'Author', exact: true }).fill('ann')
  await preview.getByText('by ann').waitFor()
  await preview.getByText('Nobody can solve this because it has no flag.').waitFor()
  expect(await preview.getByRole('textbox', { name: 'Flag' }).count()).toBe(0)
  await openSection(page, /Instance/)
  await page.getByRole('switch', { name: 'Each team gets its own instance' }).click()
  await page.getByLabel('Lifetime in minutes').fill('45')
  await preview.getByText('Each team starts its own instance, which runs for 45 min.').waitFor()
  await page.getByRole('button', { name: 'Add port' }).click()
  await page.getByRole('textbox', { name: 'Container' }).fill('main')
  const config = page.getByRole('group', { name: 'Configuration' })
  await config.getByRole('button', { name: 'Add Cores' }).click()
  const cores = config.getByRole('spinbutton', { name: 'Cores' })
  await cores.press('End')
  await cores.press('Backspace')
  expect(await cores.inputValue()).toBe('')
  await cores.press('Tab')
  expect(await cores.inputValue()).toBe('3')
  await config.getByRole('button', { name: 'Raw JSON' }).click()
  await config.getByRole('textbox').fill('{"outcome": "refused"}')
  await config.getByRole('button', { name: 'Form' }).click()
  expect(await config.locator('option:checked').textContent()).toMatch(/refused/)

  await openSection(page, /Details/)
  await page.getByRole('radio', { name: 'Scheduled' }).check()
  await page.getByRole('button', { name: '6 hours after the start' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await announced(page, 'Saved').waitFor()
  await page.getByRole('link', { name: /Cabin releases/ }).waitFor()

  const params = { id: 'web-cabin' }
  const stored = await site.contest.call(readAdminChallengeV2, { token: admin.token, params })
  expect(stored.data).toMatchObject({
    hidden: false,
    instancerConfig: {
      timeoutMilliseconds: 45 * 60_000,
      expose: [{ containerName: 'main' }],
      config: { outcome: 'refused' },
    },
  })

  site.contest.clock.advance(TWO_HOURS_MS)
  await player.reload()
  await player
    .getByRole('link', { name: /Anchor/ })
    .first()
    .waitFor()
  const before = await Promise.all(bodies)
  expect(before.length).toBeGreaterThan(2)
  expect(before.filter((text) => text.includes('abin'))).toEqual([])
  site.contest.clock.advance(2 * TWO_HOURS_MS)
  // Without a reload: the next poll loads it.
  await player.getByRole('link', { name: /Cabin/ }).first().waitFor()
  expect(site.complaints).toEqual([])
})
