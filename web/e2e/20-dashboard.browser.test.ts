import { writeFileSync } from 'node:fs'
import { startInstance } from '@pennant/contract/instances.ts'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

test('organisers see how the contest does, and stop an instance', async () => {
  await using site = await openSite({ instancers: { here: { name: 'instancers/memory' } } })
  await site.addChallenge('cabin', {
    name: 'Cabin',
    instancerConfig: {
      challengeIntegrationId: 'cabin',
      config: {},
      expose: [],
      timeoutMilliseconds: 1_800_000,
    },
  })
  const team = await site.contest.team('Sailors')
  const params = { id: 'cabin' }
  await site.contest.call(startInstance, { token: team.token, params, body: {} })
  site.contest.clock.advance(6_000)

  const page = await site.visitor({ team: await site.contest.admin() })
  await page.goto('/admin')
  await page.getByRole('heading', { name: 'The contest now' }).waitFor()
  await page.getByText('Registrations waiting').waitFor()
  const picture = process.env['PENNANT_TEST_PICTURES']
  if (picture !== undefined) writeFileSync(`${picture}/dashboard.png`, await page.screenshot())

  await page.getByRole('link', { name: 'Instances' }).click()
  await page.getByText('memory: 1 of').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'Sailors' })
  await row.filter({ hasText: 'running' }).waitFor()
  await row.getByRole('button', { name: 'Stop' }).click()
  const stopped = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await row.getByRole('button', { name: 'Press again to confirm' }).click()
  expect((await stopped).status()).toBe(200)
  expect(site.complaints).toEqual([])
})
