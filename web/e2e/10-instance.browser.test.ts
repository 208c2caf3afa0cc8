import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { botConfig, botSettings, workerOf } from '../../server/test/bot-contest.ts'
import { putChallenge } from '../../server/test/contest-data.ts'
import { challengeRow } from '../../server/test/contest-rows.ts'
import { openSite } from './harness.ts'

// Stories 10 and 11 of the site specification.

const instancerConfig = {
  challengeIntegrationId: 'cabin',
  config: {},
  timeoutMilliseconds: 1_800_000,
  expose: [
    { kind: 'tcp', hostPrefix: 'cabin', containerName: 'a', containerPort: 1, title: 'The cabin' },
    { kind: 'https', hostPrefix: 'deck', containerName: 'a', containerPort: 2 },
  ],
}

test('an instance is started, reached, extended and stopped', async () => {
  await using site = await openSite({ instancers: { here: { name: 'instancers/memory' } } })
  await site.addChallenge('cabin', { name: 'Cabin', instancerConfig })
  await site.addChallenge('wreck', {
    name: 'Wreck',
    instancerConfig: { ...instancerConfig, challengeIntegrationId: 'wreck', config: { outcome: 'refused' } },
  })
  const page = await site.visitor({ team: await site.contest.team('Sailors') })
  await page.goto('/challenges/cabin')
  await page.getByText('Not running. It lives 30 min.').waitFor()
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByText('Starting…').waitFor()
  site.contest.clock.advance(3_000)
  await page.getByText('Running', { exact: true }).waitFor()
  await page.getByText(/^nc cabin-[0-9a-f]{12}\.instances\.localhost 1337$/).waitFor()
  await page.getByRole('link', { name: /^https:\/\/deck-/ }).waitFor()
  await page.getByText(/Time left/).waitFor()
  const picture = process.env['PENNANT_TEST_PICTURES']
  if (picture !== undefined) writeFileSync(`${picture}/instance.png`, await page.screenshot())
  const extended = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Extend' }).click()
  expect((await extended).status()).toBe(200)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Press again to confirm' }).click()
  await page.getByText('Stopping…').waitFor()
  site.contest.clock.advance(3_000)
  await page.getByText('Not running. It lives 30 min.').waitFor()

  await page.goto('/challenges/wreck')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByText(/The instance cannot be started/).waitFor()
  expect(site.complaints).toEqual([])
})

test('a link goes to the bot, with a place in the line, and its log can be read', async () => {
  await using site = await openSite(botConfig)
  await putChallenge(site.contest.db, challengeRow('parrot', { adminBotConfig: botSettings }))
  const page = await site.visitor({ team: await site.contest.team('Sailors') })
  await page.goto('/challenges/parrot')
  const input = page.getByRole('textbox', { name: 'url' })
  await input.fill('nothing')
  await page.getByRole('button', { name: 'Send to the bot' }).click()
  await page.getByText('This does not match the pattern.').waitFor()
  await input.fill('https://evil.example/')
  await page.getByRole('button', { name: 'Send to the bot' }).click()
  await page.getByText('Waiting in line, place 1').waitFor()
  const line = { time: '2026-05-01T12:00:00Z', level: 'info', prefix: 'challenge', line: 'a parrot was seen' }
  await workerOf(site.contest, () => ({ ends: 'completed', logs: JSON.stringify(line) })).drain()
  await page.getByRole('button', { name: 'Logs' }).click()
  await page.getByText('a parrot was seen').waitFor()
  expect(site.complaints).toEqual([])
})
